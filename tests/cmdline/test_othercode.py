"""Code in other languages that writes files which it finds."""

import pytest

from gate.cmdline.othercode import commands, only_looks, writes_what_it_finds


@pytest.mark.parametrize(
    ("code", "found"),
    [
        pytest.param("for (const f of fs.readdirSync('.')) fs.writeFileSync(f, 'x')", True, id="node"),
        pytest.param("fs.rmSync(process.argv[2])", True, id="node, an argument"),
        pytest.param("Dir.glob('*.rb').each { |f| File.write(f, 'x') }", True, id="ruby"),
        pytest.param("foreach (glob('*.php') as $f) { file_put_contents($f, 'x'); }", True, id="php"),
        pytest.param("for (<*.pl>) {} foreach (glob '*.pl') { open(F, '>', $_); unlink $_ }", True, id="perl"),
        pytest.param("fs.readdirSync('.').length; fs.writeFileSync('out.json', 'x')", False, id="writes a file that it names"),
        pytest.param("fs.writeFileSync(name, 'x')", False, id="finds none"),
        pytest.param("fs.readdirSync('.').forEach(f => console.log(f))", False, id="writes none"),
        pytest.param("", False, id="empty"),
    ],
)  # fmt: skip
def test_whether_it_writes_what_it_finds(code: str, found: bool) -> None:
    assert writes_what_it_finds(code) is found


@pytest.mark.parametrize(
    ("code", "found"),
    [
        pytest.param("execSync('rm a'); exec(`ls b`); spawn(x)", ["rm a", "ls b"], id="node"),
        pytest.param('system("rm a"); os.execute("rm b")', ["rm a", "rm b"], id="others"),
        pytest.param("executed = 'a'; console.log('exec')", [], id="none"),
    ],
)
def test_the_commands_that_it_starts(code: str, found: list[str]) -> None:
    assert commands(code) == found


@pytest.mark.parametrize(
    ("code", "javascript", "looks"),
    [
        pytest.param("console.log(require('fs').readFileSync('a', 'utf8').length)", True, True, id="node that reads"),
        pytest.param("require('fs').writeFileSync('a', '')", True, False, id="node that writes"),
        pytest.param("require('./fix.js')", True, False, id="node that runs another"),
        pytest.param("print if /x/", False, True, id="perl that prints"),
        pytest.param("print if $. > 3", False, False, id="perl that may print into a file"),
        pytest.param("unlink 'a'", False, False, id="perl that removes"),
        pytest.param("puts ARGF.read", False, True, id="ruby that reads"),
        pytest.param("File.delete('a')", False, False, id="ruby that removes"),
    ],
)
def test_whether_it_only_looks(code: str, javascript: bool, looks: bool) -> None:
    assert only_looks(code, javascript=javascript) is looks

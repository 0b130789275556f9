"""Code in other languages that writes files which it finds."""

import pytest

from gate.cmdline.othercode import writes_what_it_finds


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

"""What Python code writes, removes and starts, as far as its text tells."""

import pytest

from gate.cmdline.pycode import REASON, written
from gate.cmdline.target import MADE, UNTOLD, How


def _found(code: str, *argv: str) -> list[str]:
    """`path` written, `-path` removed, `path/` with all below it, `?` for what is not known, `$ line` for a command."""
    found = written(code, argv, "tools/fix.py")
    assert found is not None
    for target in found.targets:
        assert bool(target.unsure) == (UNTOLD in target.path or "*" in target.path)
        assert target.unsure in ("", REASON)
    shown = [
        f"{'-' * (target.how is How.REMOVES)}{target.path.replace(UNTOLD, '?')}{'/' * target.below}"
        for target in found.targets
    ]
    return [*shown, *(f"$ {line}" for line in found.commands)]


@pytest.mark.parametrize(
    ("code", "found"),
    [
        pytest.param("open('a', 'w'); open('b', mode='a'); open('c', 'r+b'); open(file='d', mode='x')", ["a", "b", "c", "d"], id="open"),
        pytest.param("import io, gzip\nio.open('a', 'w'); gzip.open('b', 'wb')", ["a", "b"], id="open of a module"),
        pytest.param("import os\nos.open('a', os.O_WRONLY | os.O_CREAT)", ["a"], id="open by flags"),
        pytest.param("m = input()\nopen('a', m)", ["a"], id="open in a mode that is not told"),
        pytest.param("Path('a').open('w'); Path('b').write_text(''); Path('c').write_bytes(b'')", ["a", "b", "c"], id="a path"),
        pytest.param("Path('a').unlink(); Path('b').rename('c'); Path('d').replace(Path('e'))", ["-a", "-b", "c", "-d", "e"], id="removed and moved"),
        pytest.param("import os\nos.remove('a'); os.rename('b', 'c'); os.chmod('d', 1); os.truncate('e', 0)", ["-a", "-b/", "c/", "d", "e"], id="os"),
        pytest.param("import shutil\nshutil.rmtree('a'); shutil.copy('x/b', 'c'); shutil.copytree('d', 'e'); shutil.move('f', 'g')", ["-a/", "c", "c/b", "e/", "e/d/", "-f/", "g/"], id="shutil"),
        pytest.param("zipfile.ZipFile('x').extractall('a'); tar.extractall()", ["a/", "./"], id="archives"),
        pytest.param("df.to_csv('a'); plt.savefig('b')", ["a", "b"], id="libraries"),
        pytest.param("import fileinput\nfor l in fileinput.input(['a'], inplace=True): print(l)", ["a"], id="in place"),
        pytest.param("r = Path('tests')\n(r / 'a.py').write_text('')", ["tests/a.py"], id="joined"),
        pytest.param("import os\nopen(os.path.join('x', 'a' + '.py'), 'w')", ["x/a.py"], id="joined by a function"),
        pytest.param("n = 1\nopen(f'a{n}.py', 'w'); open('b%d' % n, 'w'); open('c{}'.format(n), 'w')", ["a1.py", "b?", "c?"], id="formatted"),
        pytest.param("(Path(__file__).resolve().parent.parent / 'a').write_text('')", ["./a"], id="beside the script"),
        pytest.param("Path('a/b.py').with_suffix('.txt').write_text('')", ["a/?"], id="another ending"),
        pytest.param("for p in ['a', 'b']: open(p, 'w')", ["a", "b"], id="a loop"),
        pytest.param("for p, t in [('a', 1), ('b', 2)]: open(p, 'w')", ["a", "b"], id="a loop over pairs"),
        pytest.param("d = {'a': 1, 'b': 2}\nfor p, t in d.items(): open(p, 'w')", ["a", "b"], id="a loop over a table"),
        pytest.param("ps = []\nps.append('a')\nfor i, p in enumerate(ps): open(p, 'w')", ["a"], id="a list that is filled"),
        pytest.param("ps = [p for p in Path('src').iterdir()]\nfor p in ps: p.unlink()", ["-src/*"], id="a name used twice"),
        pytest.param("for p in glob.glob('src/*.py'): open(p, 'w')", ["./src/*.py"], id="glob"),
        pytest.param("for p in Path('src').rglob('*.py'): p.write_text('')", ["src/?*.py"], id="rglob"),
        pytest.param("import os\nfor d, _, fs in os.walk('src'):\n  for f in fs: open(os.path.join(d, f), 'w')", ["src?/*"], id="walk"),
        pytest.param("import os\nfor f in os.listdir('src'): open('src/' + f, 'w')", ["src/*"], id="listdir"),
        pytest.param("list(map(lambda p: p.unlink(), Path('.').glob('*.py')))", ["-./*.py"], id="map"),
        pytest.param("def f(p, t='x'): open(p, 'w')\nf('a'); f(p='b')", ["a", "b"], id="a function"),
        pytest.param("def f(p): open(p, 'w')\ndef g(): return 'a'\nf(g())", ["a"], id="what a function returns"),
        pytest.param("def f(p): open(p, 'w')\nex.submit(f, 'a'); ex.map(f, ['b'])", ["a", "b"], id="a function that is handed on"),
        pytest.param("def f(p): open(p, 'w')\nregister(f)", ["?"], id="a function that another calls"),
        pytest.param("def f(p): open(p, 'w')", [], id="a function that nothing calls"),
        pytest.param("class A:\n  def __init__(self, p): self.p = p\n  def f(self): open(self.p, 'w')\nA('a').f()", ["a"], id="an object"),
        pytest.param("import sys\nfor p in sys.argv[1:]: open(p, 'w')", ["x.py", "*.md"], id="arguments"),
        pytest.param("import sys\ndef main(argv): open(argv[1], 'w')\nmain(sys.argv)", ["x.py", "*.md"], id="arguments handed on"),
        pytest.param("p = argparse.ArgumentParser()\np.add_argument('--out', default='o')\na = p.parse_args()\nopen(a.out, 'w')", ["x.py", "*.md", "o"], id="parsed arguments"),
        pytest.param("@click.option('--out', default='o')\ndef main(out): open(out, 'w')\nmain()", ["x.py", "*.md", "o"], id="click"),
        pytest.param("for p in out.splitlines(): open(p, 'w')", ["?"], id="what another program prints"),
        pytest.param("import os\nopen(os.environ['HOME'] + '/a', 'w'); open(os.getenv('X'), 'w')", ["~/a", "?"], id="environment"),
        pytest.param("p = Path('a')\np = p / 'b'\np.write_text('')", ["a", "?/b"], id="a name given its own value"),
        pytest.param("a = b\nb = a\nopen(a, 'w')", ["?"], id="names that stand for each other"),
        pytest.param("import os\nos.chdir('src')\nopen('a', 'w')", ["a", "src/a"], id="another folder"),
        pytest.param("import tempfile\nd = tempfile.mkdtemp()\n(Path(d) / 'a').write_text('')\nfd, p = tempfile.mkstemp()\nopen(p, 'w')", [f"{MADE}/a", MADE], id="temporary"),
        pytest.param("import subprocess\nsubprocess.run(['sed', '-i', 's/a/b/', p], cwd='src')", ["$ cd src && sed -i s/a/b/ '?'"], id="a command of words"),
        pytest.param("import os\nos.system('rm a')\ndef sh(c): subprocess.run(c, shell=True)\nsh('git stash')", ["$ rm a", "$ git stash"], id="a command of text"),
        pytest.param("subprocess.run(['rm'] + files)\nfiles = ['a', 'b']", ["$ rm a b"], id="words that are put together"),
    ],
)  # fmt: skip
def test_what_code_changes(code: str, found: list[str]) -> None:
    assert sorted(line.replace("\0", "?") for line in _found(code, "x.py", "*.md")) == sorted(found)


@pytest.mark.parametrize(
    "code",
    [
        pytest.param("print(open('a').read(), open('b', 'rb'), Path('c').open())", id="reads"),
        pytest.param("x.remove(1); 'a'.replace('b', 'c'); df.rename(columns={}); d.copy()", id="other methods of these names"),
        pytest.param("Image.open('x.png'); webbrowser.open('http://x')", id="opens what is no file to write"),
        pytest.param("import json\njson.dumps({}); print('w')", id="prints"),
        pytest.param("os.makedirs('a', exist_ok=True)", id="makes folders"),
        pytest.param("model.save(); model.save(x)", id="saves what is not told"),
        pytest.param("", id="empty"),
    ],
)  # fmt: skip
def test_code_that_changes_nothing(code: str) -> None:
    assert _found(code) == []


@pytest.mark.parametrize(
    "code",
    [
        pytest.param("print 'x'", id="an old Python"),
        pytest.param("const a = 1;", id="another language"),
        pytest.param("x\0", id="a zero byte"),
        pytest.param("(" * 3000, id="too deep"),
        pytest.param("x = 1\n" * 100_000, id="too long"),
    ],
)
def test_what_is_no_code_of_python(code: str) -> None:
    assert written(code) is None


@pytest.mark.parametrize(
    "code",
    [
        pytest.param("\n".join(f"x{i} = x{(i * 7 + 1) % 30} + x{(i * 11 + 3) % 30}" for i in range(30)), id="circles"),
        pytest.param("x0 = 'aa'\n" + "\n".join(f"x{i + 1} = x{i} + x{i}" for i in range(60)), id="doubled again and again"),
        pytest.param("\n".join(f"x0 = 'a{i}'" for i in range(300)), id="many values"),
    ],
)  # fmt: skip
def test_what_never_ends_is_not_told(code: str) -> None:
    found = written(f"{code}\nopen(x0 + x0, 'w'); open(x60, 'w')")
    assert found is not None
    assert any(UNTOLD in target.path for target in found.targets)


@pytest.mark.parametrize(
    ("code", "looks"),
    [
        pytest.param("import json\nprint(json.load(open('a'))['x'])", True, id="reads"),
        pytest.param("def f(p): return open(p).read()\nprint(f('a'))", True, id="reads by a function of its own"),
        pytest.param("open('a', 'w')", False, id="writes"),
        pytest.param("import os\nlist(map(os.remove, ['a']))", False, id="hands on what removes"),
        pytest.param("from x import fix\nfix('a')", False, id="calls what is not known"),
        pytest.param("exec(open('a').read())", False, id="runs text"),
        pytest.param("import os\ngetattr(os, 'remove')('a')", False, id="calls what it looks up"),
        pytest.param("import subprocess\nsubprocess.run(x)", False, id="starts what is not told"),
    ],
)
def test_whether_code_only_looks(code: str, looks: bool) -> None:
    found = written(code)
    assert found is not None
    assert found.only_looks is looks


def test_the_modules_that_code_imports() -> None:
    found = written("import a.b, c as d\nfrom e import f\nfrom . import g")
    assert found is not None
    assert found.imports == ("a.b", "c", "e", "e.f")

"""The table of programs that change files, and of those that do not."""

import pytest

from gate.cmdline.effects import changes
from gate.cmdline.shell import commands
from gate.cmdline.target import UNTOLD, How, Target


def _shown(target: Target) -> str:
    """`path`, `-path` removed, `~path` its mode, `path/` with all below it, `?text` a script, `!file` one in a file, `*` everything."""
    sign = {How.WRITES: "", How.REMOVES: "-", How.MODE: "~", How.MENTIONS: "?", How.RUNS: "!"}[target.how]
    path = target.path.replace(UNTOLD, "?")
    return "*" if target.everything else f"{sign}{path}{'/' if target.below else ''}"


def _changed(text: str) -> list[str]:
    return [_shown(target) for simple in commands(text) for target in changes(simple)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param("echo x > a >>b &> c >| d", ["a", "b", "c", "d"], id="redirections"),
        pytest.param("echo x >& a", ["a"], id="both streams"),
        pytest.param("cat > a <<E\nb\nE", ["a"], id="document into a file"),
        pytest.param("x | tee -a a b > c", ["c", "a", "b"], id="tee"),
        pytest.param("rm -f a b", ["-a", "-b"], id="rm"),
        pytest.param("rm -rf a -- -b", ["-a/", "--b/"], id="rm -r"),
        pytest.param("rmdir a; unlink b", ["-a", "-b"], id="rmdir, unlink"),
        pytest.param("mv a b", ["-a/", "b/", "b/a/"], id="mv"),
        pytest.param("mv -t d x/a b/", ["-x/a/", "-b//", "d/", "d/a/", "d/b/"], id="mv -t"),
        pytest.param("cp x/a b", ["b", "b/a"], id="cp"),
        pytest.param("cp -r a b", ["b/", "b/a/"], id="cp -r"),
        pytest.param("install -m 755 a b", ["b", "b/a"], id="install"),
        pytest.param("ln -sf a b", ["b", "b/a"], id="ln"),
        pytest.param("ln -s ../a", ["a"], id="ln here"),
        pytest.param("touch -d now a; truncate -s 0 b", ["a", "b"], id="touch, truncate"),
        pytest.param("chmod -x a; chmod u+x go; chmod -R 755 c", ["~a", "~go", "~c/"], id="chmod"),
        pytest.param("chmod --reference=x a; chown -R me:me b", ["~a", "~b/"], id="chown"),
        pytest.param("dd if=x of=a bs=1", ["a"], id="dd"),
        pytest.param("sed -i s/a/b/ a b", ["a", "b"], id="sed -i"),
        pytest.param("sed -i.bak -e s/a/b/ a; sed -ni p b", ["a", "b"], id="sed with a script option"),
        pytest.param("sed -i '' s/a/b/ a", ["a"], id="sed of BSD"),
        pytest.param("sed -E --in-place=.b s/a/b/ a", ["a"], id="sed --in-place"),
        pytest.param("gsed -Ei s/a/b/ a", ["a"], id="gsed"),
        pytest.param("perl -pi -e s/a/b/ a b; perl -i.bak -pe s/a/b/ c; perl -0777 -i -pe x d", ["a", "b", "c", "d"], id="perl -i"),
        pytest.param("perl -i x.pl a", ["a"], id="perl with a program"),
        pytest.param("awk -i inplace '{print}' a", ["a"], id="awk"),
        pytest.param("ed a <<E\nw\nE", ["a", "?w\n"], id="ed"),
        pytest.param("ex -sc 'g/x/d|x' a; vim -c wq b", ["g/x/d|x", "a", "b"], id="ex, vim"),
        pytest.param("vim -c 'w! a' -c q b; vim +'%s/x/y/|w c' d", ["b", "a", "d", "c"], id="vim that writes another"),
        pytest.param("sed -n 's/a/b/w a' b; sed s/x/y/ wiki.md", ["a"], id="sed that writes another"),
        pytest.param("awk '{print > FILENAME}' a b; awk '{print $1 >> \"c\"}' d; awk '{print > f}' e", ["a", "b", "c", "?"], id="awk"),
        pytest.param("ruby -pi.bak -e x a; rename s/a/b/ a b; yq -i .a=1 c; sd a b d", ["a", "a", "b", ".a=1", "c", "d"], id="others in place"),
        pytest.param("python3 -c 'open(\"a\")' x", ['?open("a")\nx'], id="python -c"),
        pytest.param("python - <<E\nopen('a')\nE", ["?open('a')\n"], id="python reads its program"),
        pytest.param("python <<'E' > b\nopen('a')\nE", ["b", "?open('a')\n"], id="and writes"),
        pytest.param("node -e 'f(\"a\")'; node --eval x; ruby -e y; php -r z", ['?f("a")', "?x", "?y", "?z"], id="others"),
        pytest.param("perl -ne 'print' a", ["?print\na"], id="perl -ne"),
        pytest.param("python -W x a.py b; node -r x c.js; sh -eo x d.sh; ./e -x; bin/f", ["!a.py", "!x", "!c.js", "!x", "!./e", "!bin/f"], id="scripts"),
        pytest.param("bun a.ts; bun run b.js; bun -e 'f()'", ["!a.ts", "!b.js", "?f()"], id="bun runs"),
        pytest.param("bun run lint:fix; bun run test; bun test; bun add x", ["*", "package.json", "bun.lock", "bun.lockb"], id="bun's scripts"),
        pytest.param("deno run -A a.ts; deno eval 'f()'; deno fmt; deno test", ["!a.ts", "?f()", "*"], id="deno"),
        pytest.param("patch -p1 < x", ["*"], id="patch"),
        pytest.param("patch a < x; patch b c", ["a", "b"], id="patch of a file"),
        pytest.param("patch -p1 <<E\n+++ b/a\nE", ["?+++ b/a\n"], id="patch in the command"),
        pytest.param("rsync -a x/ a/", ["a//"], id="rsync"),
        pytest.param("curl -o a http://x; wget -Ob http://x; curl http://x --output c", ["a", "b", "c"], id="downloads"),
        pytest.param("tar xzf x; tar -C a -xf x; unzip x -d b; unzip x", ["*", "a/", "b/", "*"], id="archives"),
        pytest.param("sort -o a b", ["a"], id="sort -o"),
        pytest.param("find a -name x -delete; find . -delete", ["-a/**/x", "*"], id="find -delete"),
        pytest.param("find a -name '*.py' -exec sed -i s/a/b/ {} +", ["a/**/*.py"], id="find -exec"),
        pytest.param("find . -exec rm {} \\;", ["*"], id="find -exec here"),
        pytest.param("find . -name a -o -name b -delete; find a b -name c -delete", ["*", "*"], id="find by more than a name"),
        pytest.param("find . -iname a.b -delete; find $D -name c -delete", ["-**/[aA].[bB]", "-?/**/c"], id="find in other ways"),
        pytest.param("find a -name x -print0 | xargs -0 rm -rf; find | grep x | xargs rm", ["-a/**/x/", "*"], id="find, piped"),
        pytest.param("curl -O https://x/a?b; curl -LO --output-dir d http://x/c", ["a", "d/c"], id="downloads by their names"),
        pytest.param("scp me@host:x/a . ; scp a host:b", [".", "./a"], id="scp"),
        pytest.param("grep -rl a | xargs sed -i s/a/b/", ["*"], id="xargs"),
        pytest.param("ls | xargs -I{} cp {} d", ["d", "d/"], id="xargs into a folder"),
        pytest.param("cmd /c \"del a\\b.py\"", ["-a/b.py/"], id="del"),
        pytest.param("pwsh -c 'ls *.py | Remove-Item'; pwsh -c 'cat a | Set-Content b'", ["-?/", "b/"], id="cmdlets behind a pipe"),
        pytest.param("pwsh -Command 'Set-Content -Path a -Value b'", ["a/"], id="Set-Content"),
        pytest.param("sudo sh -c 'echo x > a'", ["a"], id="wrapped"),
        pytest.param("x | sponge a; bunzip2 b", ["a", "b"], id="sponge, bunzip2"),
        pytest.param("7z x a.7z; jar xf a; cpio -id < a; jar -xf a", ["*", "*", "*", "*"], id="other archives"),
        pytest.param("python < a.py; cat b.sh | bash; cat c | grep x; python - d <<E\nx\nE", ["!a.py", "!b.sh", "?x\n"], id="as its input"),
        pytest.param("source a.sh; . ./b; c.py d", ["!a.sh", "!./b", "!c.py"], id="sourced, by its name"),
        pytest.param("cp a.py b.py", ["b.py"], id="cp onto a file"),
        pytest.param("f=a; rm $f; cat x > ${f}.b", ["-a", "a.b"], id="a variable"),
        pytest.param("for f in a b; do mv $f $f.x; done", ["-a/", "a.x/", "a.x/a/", "-b/", "b.x/", "b.x/b/"], id="a loop"),
        pytest.param("rm $X d/$(ls); echo > '$x'", ["-?", "-d/?", "$x"], id="not told"),
        pytest.param("rm -rf $(mktemp -d) $TMPDIR/x", ["-/tmp/tmp.made/", "-/tmp/x/"], id="temporary"),
        pytest.param("(rm a) && { rm b; } || if true; then rm c; fi", ["-a", "-b", "-c"], id="grouped"),
    ],
)  # fmt: skip
def test_what_a_command_changes(text: str, found: list[str]) -> None:
    assert _changed(text) == found


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("cat a < b", id="reads"),
        pytest.param("x > /dev/null 2>&1 2> /dev/stderr", id="thrown away"),
        pytest.param("rm", id="nothing named"),
        pytest.param("sed s/a/b/ a; sed -n 1,5p a", id="sed that prints"),
        pytest.param("python -m pytest a; python; bash", id="python with a module"),
        pytest.param("pytest tests/a.py; ls a; grep x a; diff a b; head a", id="programs that read"),
        pytest.param("patch --dry-run -p1 < x", id="patch --dry-run"),
        pytest.param("rsync -n a b; rsync a host:b", id="rsync elsewhere"),
        pytest.param("7z l a; jar cf a b; cpio -t < a; gunzip", id="other archives that are listed"),
        pytest.param("tar tf x; tar -czf - a; unzip -l x", id="archives that are listed"),
        pytest.param("echo 'rm a'; echo rm a # rm a", id="only printed"),
        pytest.param("find a -name x", id="find"),
        pytest.param("cp a", id="cp of one"),
        pytest.param("", id="empty"),
    ],
)
def test_what_changes_nothing(text: str) -> None:
    assert _changed(text) == []

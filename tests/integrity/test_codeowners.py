"""Who owns a file."""

import pytest

from gate.integrity.codeowners import Owners

RULES = """\
# all of it
*                 @org/all
*.js              @js  # scripts
/build/logs/      @ops
docs/*            docs@example.org
apps/             @octocat @other
/scripts/tool     @tools
**/generated      @robot
/apps/github
!negated          @nobody
[ab].txt          @nobody
"""


@pytest.mark.parametrize(
    ("path", "owners"),
    [
        ("a.py", ("@org/all",)),
        ("deep/a.js", ("@js",)),
        ("build/logs/deep/x", ("@ops",)),
        ("other/build/logs/x", ("@org/all",)),
        ("docs/a.md", ("docs@example.org",)),
        ("docs/deep/a.md", ("@org/all",)),
        ("x/apps/deep/a", ("@octocat", "@other")),
        ("scripts/tool", ("@tools",)),
        ("scripts/tool/below", ("@tools",)),
        ("a/generated/b", ("@robot",)),
        ("apps/github", ()),
        ("apps/github/x", ()),
        ("negated", ("@org/all",)),
        ("a.txt", ("@org/all",)),
    ],
)
def test_owners(path: str, owners: tuple[str, ...]) -> None:
    assert Owners(RULES).of(path) == owners


@pytest.mark.parametrize(("path", "owners"), [("a.py", ("@top",)), ("src/a.py", ("@all",)), ("src/b/a.py", ("@all",))])
def test_a_star_at_the_top_owns_the_files_there_alone(path: str, owners: tuple[str, ...]) -> None:
    assert Owners("* @all\n/* @top\n").of(path) == owners


def test_nobody_owns_anything_without_rules() -> None:
    assert Owners("").of("a") == ()

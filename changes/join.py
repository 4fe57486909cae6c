"""Joins the fragments of this folder into the changelog: python3 changes/join.py VERSION

The section "Unreleased" gets the bullets at the end of the heading of their kind, and then the version and today's date as its
name. A new, empty section "Unreleased" stands before it. The fragments are removed."""
import datetime
import pathlib
import re
import sys

FOLDER = pathlib.Path(__file__).resolve().parent
KINDS = ["Add", "Change", "Fix", "Remove"]


def fragments(folder):
    """The bullets of each kind, and what is wrong with files that are no fragments."""
    bullets, wrong = {kind: "" for kind in KINDS}, []
    for path in sorted(folder.glob("*.md")):
        if path.name == "README.md":
            continue
        kind = path.name.split("-")[0].capitalize()
        text = path.read_text(encoding="utf-8")
        if kind not in KINDS:
            wrong.append(f"{path.name} does not begin with add-, change-, fix- or remove-")
        elif not re.fullmatch(r"(\* \S.*\n(  \S.*\n)*)+", text):
            wrong.append(f"{path.name} is not a list of bullets ('* ' first, two spaces before each further line, no empty line)")
        elif max(map(len, text.split("\n"))) > 150:
            wrong.append(f"{path.name} has a line of more than 150 characters")
        else:
            bullets[kind] += text
    return bullets, wrong


def joined(changelog, bullets, version, date):
    before, rest = changelog.split("## Unreleased\n", 1)
    section, older = re.fullmatch(r"(.*?)((?:\n## .*)?)", rest, flags=re.S).groups()
    parts = re.split(r"^### (\w+)\n", section, flags=re.M)
    texts = dict(zip(parts[1::2], parts[2::2]))
    new = "".join(f"### {kind}\n\n{(texts.get(kind, '').strip() + chr(10) + bullets[kind]).strip()}\n\n"
                  for kind in KINDS if kind in texts or bullets[kind])
    return f"{before}## Unreleased\n\n## {version} ({date})\n\n{parts[0].strip()}{new.rstrip()}\n{older}"


def main():
    if len(sys.argv) != 2 or not re.fullmatch(r"\d+\.\d+\.\d+", sys.argv[1]):
        sys.exit("usage: python3 changes/join.py MAJOR.MINOR.PATCH")
    bullets, wrong = fragments(FOLDER)
    if wrong:
        sys.exit("\n".join(wrong))
    changelog = FOLDER.parent / "CHANGELOG.md"
    text = joined(changelog.read_text(encoding="utf-8"), bullets, sys.argv[1], datetime.date.today().isoformat())
    changelog.write_text(text, encoding="utf-8")
    for path in FOLDER.glob("*-*.md"):
        path.unlink()


if __name__ == "__main__":
    main()

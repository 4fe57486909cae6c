"""Each test that is a script is registered: its name stands in the tests.cmake of its floor, as a word. A planted one does not."""
import pathlib
import re
import sys

TESTS = pathlib.Path(__file__).resolve().parents[1]


def forgotten(folder, names):
    words = set(re.findall(r"\btest_\w+", (folder / "tests.cmake").read_text(encoding="utf-8")))
    return [f"{folder.name}/{name}" for name in names if name not in words]


def main():
    lost, count = [], 0
    for folder in sorted({file.relative_to(TESTS).parts[0] for file in TESTS.rglob("test_*.py")}):
        names = [file.stem for file in sorted((TESTS / folder).rglob("test_*.py"))]
        count += len(names)
        lost += forgotten(TESTS / folder, names)
    blind = not forgotten(TESTS / "cli", ["test_of_nobody"])
    print(*(f"{name}.py is not registered" for name in lost), sep="\n")
    return 1 if lost or blind or count < 20 else 0


if __name__ == "__main__":
    sys.exit(main())

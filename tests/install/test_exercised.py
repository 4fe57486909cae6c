"""No function of the public headers is only declared: a test, an example or the program itself calls each, and a planted one
is missed."""
import pathlib
import re
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[2]
DECLARATION = re.compile(r"^SINEW_API [^;]*?\b(sinew_\w+)\(", re.M)


def words():
    """Those of tests, examples and sources; definitions, which begin a line, are no calls."""
    found = set()
    for folder in ("tests", "examples", "src", "bindings"):
        for file in (SOURCE / folder).rglob("*.[ch]"):
            for line in re.findall(r"^[ \t].*", file.read_text(encoding="utf-8"), re.M):
                found |= set(re.findall(r"\bsinew_\w+", line))
    return found


def main():
    used = words()
    declared = {name for header in (SOURCE / "include/sinew").glob("*.h")
                for name in DECLARATION.findall(header.read_text(encoding="utf-8"))}
    missed = sorted(declared - used)
    for name in missed:
        print(f"{name} is called by no test, no example and no program")
    print(f"{len(declared)} functions")
    planted = set(DECLARATION.findall("SINEW_API const char *sinew_planted" + "_name(int a,\n  int b);")) - used
    return 1 if missed or len(declared) < 300 or len(planted) != 1 else 0


if __name__ == "__main__":
    sys.exit(main())

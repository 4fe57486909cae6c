"""No function of the public headers is only declared: a test, an example or the program itself calls each, and a planted one
is missed. Every def has a function that fills it with defaults, and no function has another verb for reading than the
conventions know."""
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


def spelling(text):
    """Sentences about defs without defaults, and about `get`."""
    declared = set(DECLARATION.findall(text))
    wrong = [f"{name} has no {name}_default" for name in re.findall(r"^} (sinew_\w+_def);", text, re.M)
             if f"{name}_default" not in declared]
    return wrong + [f"{name}: no get" for name in sorted(declared) if re.search(r"_get(_|$)", name)]


def main():
    used = words()
    declared = {name for header in (SOURCE / "include/sinew").glob("*.h")
                for name in DECLARATION.findall(header.read_text(encoding="utf-8"))}
    missed = sorted(declared - used)
    for name in missed:
        print(f"{name} is called by no test, no example and no program")
    wrong = spelling("".join(header.read_text(encoding="utf-8") for header in sorted((SOURCE / "include/sinew").glob("*.h"))))
    for sentence in wrong:
        print(sentence)
    print(f"{len(declared)} functions")
    planted_text = "} sinew_odd_def;\nSINEW_API int sinew_odd_get(void);\nSINEW_API int sinew_get_odd(int a);\n"
    if len(spelling(planted_text)) != 3:
        print("the planted breaches of spelling are not noticed")
        return 1
    missed += wrong
    planted = set(DECLARATION.findall("SINEW_API const char *sinew_planted" + "_name(int a,\n  int b);")) - used
    return 1 if missed or len(declared) < 300 or len(planted) != 1 else 0


if __name__ == "__main__":
    sys.exit(main())

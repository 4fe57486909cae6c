"""Files that call each other in a circle can only be read together, so circles stay small. A planted one is noticed.

    test_circles.py NM LIST      LIST names the objects of a build, one on each line
"""
import pathlib
import re
import subprocess
import sys

# Folder → how many of its files may call each other in a circle.
MOST = {"src/host": 8, "src/actor": 8, "bindings/declare": 8}

OBJECT = re.compile(r"\.dir/(\./)?(?P<source>.+)\.(o|obj)$")
# As `nm -A -P` prints: OBJECT: name TYPE …
SYMBOL = re.compile(r"^(?P<object>.+): (?P<name>\S+) (?P<type>[A-Za-z])\b")


def calls_of(listing):
    """File → the files that define what it calls."""
    defined, asked = {}, []
    for line in listing.splitlines():
        found = SYMBOL.match(line)
        source = found and OBJECT.search(found["object"])["source"]
        if found and found["type"] == "U":
            asked.append((source, found["name"]))
        elif found and found["type"] in "BCDRTVW":
            defined.setdefault(found["name"], source)
    calls = {source: set() for source in defined.values()}
    for source, name in asked:
        if name in defined and defined[name] != source:
            calls.setdefault(source, set()).add(defined[name])
    return calls


def reached(calls, start):
    found, left = set(), [start]
    while left:
        for file in calls.get(left.pop(), ()):
            if file not in found:
                found.add(file)
                left.append(file)
    return found


def circles(calls):
    """Sets of files of which each reaches each other."""
    reach = {file: reached(calls, file) for file in calls}
    found = {frozenset(other for other in reach[file] if file in reach.get(other, ())) for file in calls if file in reach[file]}
    return sorted(found, key=len, reverse=True)


def breaches(listing, folder, most):
    calls = calls_of(listing)
    inside = {file: {to for to in called if to.startswith(folder + "/")}
              for file, called in calls.items() if file.startswith(folder + "/")}
    return [circle for circle in circles(inside) if len(circle) > most], sum(map(len, inside.values()))


def ring(count):
    """Files 0 to count − 1, of which each calls the next; and one beside them, which calls the first."""
    lines = [f"a.dir/src/host/{i}.c.o: f{i} T 0 0\na.dir/src/host/{i}.c.o: f{(i + 1) % count} U" for i in range(count)]
    return "\n".join([*lines, "a.dir/src/host/top.c.o: main T 0 0\na.dir/src/host/top.c.o: f0 U"])


def main():
    blind = [count for count, wanted in ((2, 0), (8, 0), (9, 1)) if len(breaches(ring(count), "src/host", 8)[0]) != wanted]
    if blind:
        print(f"the planted circles of {blind} files were not told from the others")
        return 1
    nm, objects = sys.argv[1:]
    paths = pathlib.Path(objects).read_text(encoding="utf-8").split("\n")
    listing = subprocess.run([nm, "-A", "-P", *filter(None, paths)], check=True, capture_output=True, text=True).stdout
    wrong = 0
    for folder, most in MOST.items():
        found, count = breaches(listing, folder, most)
        for circle in found:
            print(f"{len(circle)} files of {folder} call each other in a circle: {', '.join(sorted(circle))}")
        print(f"{folder}: {count} calls from file to file")
        wrong += len(found) + (count < 50)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

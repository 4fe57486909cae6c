"""The tree keeps its floors, and the checker can see: each line of the planted tree that says breach is reported, and no
other."""
import pathlib
import sys

import check_layers

HERE = pathlib.Path(__file__).parent


def planted(root):
    return {
        f"{path.relative_to(root).as_posix()}:{number}"
        for path in root.rglob("*")
        if path.is_file()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if "/* breach" in line
    }


def circles():
    """Rooms that may include one that does not stand before them."""
    rooms = list(check_layers.ROOMS)
    for place, room in enumerate(rooms):
        yield from (f"room {room} sees {other}" for other in check_layers.ROOMS[room] if other not in rooms[:place])


def crowded(root, limit=27):
    """Folders with more files than a newcomer reads at a glance."""
    for folder in ("bindings", "examples", "include", "shaders", "src", "tests", "tools"):
        for path in sorted((root / folder).rglob("*/")):
            count = sum(file.is_file() for file in path.iterdir())
            if count > limit:
                yield f"{path.relative_to(root)} has {count} files; make it rooms of {limit} at most"


def main():
    root = HERE / "breach"
    wanted = planted(root)
    seen = {line.split(": ")[0] for line in check_layers.breaches(root)}
    missed, invented = wanted - seen, seen - wanted
    for line in sorted(missed):
        print(f"the planted breach at {line} was not noticed")
    for line in sorted(invented):
        print(f"{line} is innocent and was reported")
    real = list(check_layers.breaches(HERE.parent.parent))
    real += circles()
    real += crowded(HERE.parent.parent)
    if not any(crowded(HERE.parent.parent, limit=12)):
        real.append("no folder has more than 12 files, says a count that cannot be right")
    print("\n".join(real))
    print(f"{len(wanted)} planted breaches, {len(seen & wanted)} noticed; {len(real)} in the tree")
    return 1 if missed or invented or real or len(wanted) < 10 else 0


if __name__ == "__main__":
    sys.exit(main())

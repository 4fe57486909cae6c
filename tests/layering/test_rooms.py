"""Every room of src/, bindings/ and tools/ has a README.md that says what enters, what leaves and who may call it, and holds at most
25 sources. Whoever includes a header of a room stands among its callers. Planted rooms are noticed."""
import fnmatch
import pathlib
import re
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES = (".c", ".h", ".cpp", ".hpp")
FLOORS = ("src", "bindings", "tools")
MOST = 25
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.M)


def sources(root):
    return sorted(p for floor in FLOORS for p in (root / floor).rglob("*") if p.suffix in SOURCES)


def users(root):
    """Room → the rooms that include a header of it."""
    found = {}
    for path in sources(root):
        for name in INCLUDE.findall(path.read_text(encoding="utf-8")):
            for floor in FLOORS:
                header = root / floor / name
                if header.is_file() and header.parent != path.parent:
                    found.setdefault(header.parent, set()).add(str(path.parent.relative_to(root)))
    return found


def breaches(root):
    rooms, found = {}, users(root)
    for path in sources(root):
        rooms[path.parent] = rooms.get(path.parent, 0) + 1
    for room, count in sorted(rooms.items()):
        name, page = room.relative_to(root), room / "README.md"
        if count > MOST:
            yield f"{name}: {count} sources"
        if not page.is_file():
            yield f"{name}: there is no README.md"
            continue
        text = page.read_text(encoding="utf-8")
        lines = dict(re.findall(r"^\* \*\*(In|Out|Callers):\*\* (.+)$", text, re.M))
        if len(lines) != 3 or not text.startswith(f"# {name}\n\n"):
            yield f"{name}: README.md does not say what enters, what leaves and who may call"
            continue
        if lines["Callers"].startswith("everyone"):
            continue
        allowed = re.findall(r"`([^`]+)`", lines["Callers"]) if not lines["Callers"].startswith("nobody") else []
        for user in sorted(found.get(room, ())):
            if not any(fnmatch.fnmatch(user, pattern) for pattern in allowed):
                yield f"{name}: {user} is no caller of it"


def plant(root, name, page, includes=""):
    (root / name).mkdir(parents=True, exist_ok=True)
    (root / name / f"{pathlib.Path(name).name}.h").write_text(includes, encoding="utf-8")
    if page:
        (root / name / "README.md").write_text(f"# {name}\n\nA room.\n\n{page}", encoding="utf-8")


def blind():
    """How many of the planted breaches are not noticed."""
    good = "* **In:** a\n* **Out:** b\n* **Callers:** `src/other`\n"
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        plant(root, "src/seen", good)
        plant(root, "src/other", "* **In:** a\n* **Out:** b\n* **Callers:** nobody\n", '#include "seen/seen.h"\n')
        if list(breaches(root)):
            return 1
        plant(root, "src/third", "* **In:** a\n", '#include "seen/seen.h"\n#include "other/other.h"\n')
        plant(root, "src/fourth", None)
        for i in range(MOST):
            (root / "src/other" / f"{i}.c").write_text("", encoding="utf-8")
        return 5 - len(list(breaches(root)))


def main():
    found = list(breaches(ROOT))
    print(*found, sep="\n")
    missed = blind()
    print(f"{len(found)} breaches; {missed} planted ones missed")
    return 1 if found or missed else 0


if __name__ == "__main__":
    sys.exit(main())

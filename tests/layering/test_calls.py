"""No room of the bindings calls a function of a room that stands behind it, so that there is no circle of calls.

    test_calls.py NM LIBRARY ROOT
"""
import pathlib
import re
import subprocess
import sys

import check_layers

# As `nm -A` prints: LIBRARY:OBJECT:address TYPE name.
SYMBOL = re.compile(r"^[^:]+:(?P<source>[^:]+)\.(o|obj): *[0-9a-f]* (?P<type>[A-Za-z]) (?P<name>\S+)$")

PLANTED_ROOMS = {"field.c": "declare", "vector.c": "lua", "api_actor.c": "api", "scene.c": "run"}
PLANTED = """
libsinew_bindings.a:field.c.o:0000000000000000 T field_same
libsinew_bindings.a:field.c.o:                 U api_actor_push
libsinew_bindings.a:api_actor.c.o:0000000000000000 T api_actor_push
libsinew_bindings.a:api_actor.c.o:                 U field_same
libsinew_bindings.a:api_actor.c.o:                 U scene_names
libsinew_bindings.a:vector.c.o:0000000000000000 T vector_push
libsinew_bindings.a:vector.c.o:                 U lua_pushnumber
libsinew_bindings.a:scene.c.o:0000000000000000 D scene_names
libsinew_bindings.a:scene.c.o:                 U vector_push
"""


def breaches(listing, rooms):
    """The calls of a room that stands behind, and how many calls from room to room there are."""
    defined, asked = {}, []
    for line in listing.splitlines():
        found = SYMBOL.match(line)
        if found and found["type"] == "U":
            asked.append((found["source"], found["name"]))
        elif found and found["type"] in "ABCDGRST":
            defined[found["name"]] = found["source"]
    calls = [(source, name, defined[name]) for source, name in asked
             if name in defined and rooms[source] != rooms[defined[name]]]
    order = check_layers.CALLS.index
    return [call for call in calls if order(rooms[call[0]]) < order(rooms[call[2]])], len(calls)


def rooms_of(root):
    """File → room; the files of systems have one name each, of which one is built."""
    rooms = {}
    for path in root.rglob("*.c"):
        room = path.relative_to(root).parts[0]
        if rooms.get(path.name, room) != room and room not in ("posix", "plain"):
            sys.exit(f"{path.name} is in two rooms, {rooms[path.name]} and {room}")
        rooms[path.name] = room
    return rooms


def main():
    planted, _ = breaches(PLANTED, PLANTED_ROOMS)
    if sorted(name for _, name, _ in planted) != ["api_actor_push", "scene_names"]:
        print(f"the planted calls were not told from the others: {planted}")
        return 1
    nm, library, root = sys.argv[1:]
    rooms = rooms_of(pathlib.Path(root) / "bindings")
    listing = subprocess.run([nm, "-A", library], check=True, capture_output=True, text=True).stdout
    found, count = breaches(listing, rooms)
    for source, name, target in found:
        print(f"{rooms[source]}/{source} calls {name} of {rooms[target]}/{target}, which stands behind it")
    print(f"{count} calls from room to room, {len(found)} backwards")
    return 1 if found or count < 300 else 0


if __name__ == "__main__":
    sys.exit(main())

"""No two objects of the floors' libraries define a global name twice: the linker takes whichever it meets first, or fails in
a program that needs both.

    test_symbols.py NM LIBRARY…
"""
import re
import subprocess
import sys

# As `nm -A` prints: LIBRARY:OBJECT:address TYPE name. Weak names (inline C++) may be many.
DEFINITION = re.compile(r"^(?P<object>.+?): ?[0-9a-f]* (?P<type>[ABCDGRST]) (?P<name>\S+)$")

PLANTED = """
libsinew_base.a:pool.c.o:0000000000000000 T pool_add
libsinew_base.a:pool.c.o:                 U mem_alloc
libsinew_actor.a:crowd.c.o:0000000000000010 t fill
libsinew_host.a:lines.c.o:0000000000000020 T pool_add
libsinew_host.a:ui.cpp.o:0000000000000000 W _ZN1A1fEv
libsinew_host.a:show.c.o:0000000000000000 t fill
libsinew_host.a:show.c.o:0000000000000008 D limit
libsinew_render.a:gpu_model.c.o:0000000000000000 R limit
libsinew_render.a:draw.cpp.o:0000000000000000 W _ZN1A1fEv
"""


def duplicates(listing):
    """name → the objects that define it, where there are several."""
    places = {}
    for line in listing.splitlines():
        found = DEFINITION.match(line)
        if found:
            places.setdefault(found["name"], []).append(found["object"])
    return {name: objects for name, objects in places.items() if len(objects) > 1}, len(places)


def main():
    noticed, _ = duplicates(PLANTED)
    if sorted(noticed) != ["limit", "pool_add"]:
        print(f"the planted names 'limit' and 'pool_add' were not told from the others: {noticed}")
        return 1
    nm, *libraries = sys.argv[1:]
    listing = subprocess.run([nm, "-A", "--defined-only", *libraries], check=True, capture_output=True, text=True).stdout
    found, count = duplicates(listing)
    for name, objects in sorted(found.items()):
        print(f"{name} is defined in {' and in '.join(objects)}")
    print(f"{count} global names in {len(libraries)} libraries")
    return 1 if found or count < 500 else 0


if __name__ == "__main__":
    sys.exit(main())

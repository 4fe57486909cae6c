"""No floor that takes part in a run calls what the C libraries compute differently (sines, powers, logarithms …): include/sinew/math.h
and src/math/elementary.h have them with the same bits everywhere.

    test_arithmetic.py NM LIBRARY…
"""
import re
import subprocess
import sys

INEXACT = (r"a?(sin|cos|tan)h?(pi)?|sincos|atan2|exp(2|10|m1)?|log(2|10|1p|b)?|powi?|hypot|cbrt|erfc?|[lt]gamma|j[01n]|y[01n]")
# As `nm -A` prints: LIBRARY:OBJECT: U name, with an underscore before it on macOS.
CALL = re.compile(rf"^(?P<object>.+?): +U _?(__)?(?P<name>({INEXACT})[fl]?(_finite)?)(@.*)?$")

PLANTED = """
libsinew_actor.a:warp.c.o:                 U sincos
libsinew_actor.a:warp.c.o:                 U sqrt
libsinew_actor.a:warp.c.o:                 U sinew_sin
libsinew_pose.a:spring.c.o:                 U expf
libsinew_pose.a:spring.c.o:                 U floor
libsinew_pose.a:spring.c.o:                 U expected_of
libsinew_math.a:elementary.c.o:0000000000000000 T sinew_log2
libsinew_math.a:quat.c.o:                 U _atan2f
libsinew_host.a:orbit.c.o:                 U powf@GLIBC_2.27
libsinew_host.a:orbit.c.o:                 U ldexp
"""


def calls(listing):
    return [(found["object"], found["name"]) for found in map(CALL.match, listing.splitlines()) if found]


def main():
    noticed = [name for _, name in calls(PLANTED)]
    if noticed != ["sincos", "expf", "atan2f", "powf"]:
        print(f"the planted calls were not told from the others: {noticed}")
        return 1
    nm, *libraries = sys.argv[1:]
    listing = subprocess.run([nm, "-A", *libraries], check=True, capture_output=True, text=True).stdout
    found = calls(listing)
    for place, name in found:
        print(f"{place} calls {name}, whose last bits differ between systems: use sinew/math.h or math/elementary.h")
    ours = len(re.findall(r" U _?sinew_(?:sin|cos|atan2|exp|pow|hypot)$", listing, re.M))
    print(f"{len(found)} calls of the C library's, {ours} of ours")
    return 1 if found or ours < 20 else 0


if __name__ == "__main__":
    sys.exit(main())

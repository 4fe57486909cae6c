"""Counts the instructions of evaluating one joint, which repeat where times do not.

Usage: instruction_count.py PROGRAM JOBS, as the build made them. Needs valgrind and AVX2; 77 means that one of them is not
here. JOBS is counted on ozz-animation's human with its own clips, where ../shared has them.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

FEW, MANY, TOLERANCE = 80, 240, 0.05
# Of instruction_count.c, sources and characters: instructions per joint (docs/performance.md). Eight have palettes.
EXPECTED = {(1, 1): 52.7, (3, 1): 84.6, (1, 8): 56.0, (3, 8): 87.4}
JOINTS = 67
# Of job_count.c.
REAL = {"one": 48.1, "three": 99.3, "stack": 209.0, "modified": 292.3, "plain actor": 135.5, "actor": 413.8}
HUMAN = pathlib.Path(__file__).resolve().parents[3] / "shared/models/real/bench/pab.glb"


def count(*command):
    """All instructions of a run."""
    said = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *map(str, command)],
                          capture_output=True, text=True, check=True, env={**os.environ, "SINEW_SIMD": "avx2"}).stderr
    return int(re.search(r"Collected : (\d+)", said).group(1))


def is_near(what, few, many, more, expected):
    each = (many - few) / more / JOINTS
    print(f"{what}: {each:.1f} instructions per joint, expected {expected}")
    return abs(each / expected - 1) <= TOLERANCE


def check_character(program):
    good = True
    for (sources, characters), expected in EXPECTED.items():
        few, many = (count(program, sources, characters, turns // characters) for turns in (FEW, MANY))
        good &= is_near(f"{sources} source(s), {characters} character(s)", few, many, MANY - FEW, expected)
    return good


def check_human(program):
    if not HUMAN.exists():
        print("the human is skipped: ../shared is not here")
        return True
    good = True
    with tempfile.TemporaryDirectory() as folder:
        cooked = f"{folder}/human.sinew"
        subprocess.run([os.environ["SINEW_PROGRAM"], "cook", HUMAN, "-o", cooked], check=True, capture_output=True)
        for work, expected in REAL.items():
            few, many = (count(program, cooked, work, turns) for turns in (FEW // 4, MANY // 4))
            good &= is_near(work, few, many, (MANY - FEW) // 4, expected)
    return good


def main():
    cpu = open("/proc/cpuinfo", encoding="ascii", errors="replace").read() if os.path.exists("/proc/cpuinfo") else ""
    if not shutil.which("valgrind") or "avx2" not in cpu:
        print("skipped: valgrind or AVX2 is not here")
        return 77
    return 0 if check_character(sys.argv[1]) & check_human(sys.argv[2]) else 1


if __name__ == "__main__":
    sys.exit(main())

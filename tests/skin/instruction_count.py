"""Counts the instructions of evaluating one joint, which repeat where times do not.

Usage: instruction_count.py PROGRAM. Needs valgrind and AVX2; 77 means that one of them is not here.
"""
import os
import re
import shutil
import subprocess
import sys

JOINTS, FEW, MANY, TOLERANCE = 67, 800, 2400, 0.05
# Sources and characters: instructions per joint (docs/performance.md). Eight characters have palettes.
EXPECTED = {(1, 1): 53.7, (3, 1): 81.4, (1, 8): 56.0, (3, 8): 83.1}


def count(program, sources, characters, turns):
    """All instructions of a run."""
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program, str(sources), str(characters),
               str(turns)]
    said = subprocess.run(command, capture_output=True, text=True, check=True,
                          env={**os.environ, "SINEW_SIMD": "avx2"}).stderr
    return int(re.search(r"Collected : (\d+)", said).group(1))


def main():
    cpu = open("/proc/cpuinfo", encoding="ascii", errors="replace").read() if os.path.exists("/proc/cpuinfo") else ""
    if not shutil.which("valgrind") or "avx2" not in cpu:
        print("skipped: valgrind or AVX2 is not here")
        return 77
    good = True
    for (sources, characters), expected in EXPECTED.items():
        few, many = (count(sys.argv[1], sources, characters, turns // characters) for turns in (FEW, MANY))
        each = (many - few) / (MANY - FEW) / JOINTS
        near = abs(each / expected - 1) <= TOLERANCE
        print(f"{sources} source(s), {characters} character(s): {each:.1f} instructions per joint, expected {expected}")
        good = good and near
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())

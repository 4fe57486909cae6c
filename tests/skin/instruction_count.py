"""Counts the instructions of evaluating one joint, which repeat where times do not.

Usage: instruction_count.py PROGRAM. Needs valgrind and AVX2; 77 means that one of them is not here.
"""
import os
import re
import shutil
import subprocess
import sys

JOINTS, FEW, MANY, TOLERANCE = 67, 500, 1500, 0.05
EXPECTED = {1: 54.6, 3: 84.4}  # sources: instructions per joint (docs/performance.md)


def count(program, sources, turns):
    """All instructions of a run."""
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program, str(sources), str(turns)]
    said = subprocess.run(command, capture_output=True, text=True, check=True,
                          env={**os.environ, "SINEW_SIMD": "avx2"}).stderr
    return int(re.search(r"Collected : (\d+)", said).group(1))


def main():
    cpu = open("/proc/cpuinfo", encoding="ascii", errors="replace").read() if os.path.exists("/proc/cpuinfo") else ""
    if not shutil.which("valgrind") or "avx2" not in cpu:
        print("skipped: valgrind or AVX2 is not here")
        return 77
    good = True
    for sources, expected in EXPECTED.items():
        each = (count(sys.argv[1], sources, MANY) - count(sys.argv[1], sources, FEW)) / (MANY - FEW) / JOINTS
        near = abs(each / expected - 1) <= TOLERANCE
        print(f"{sources} source(s): {each:.1f} instructions per joint, expected {expected}")
        good = good and near
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())

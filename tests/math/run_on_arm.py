"""Builds the core and its tests for a 64-bit Arm and runs them: NEON gives the golden number, too.

Needs a cross compiler and qemu's user emulation (Debian: gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user);
77 means that they are not here, and the test is skipped.
"""
import glob
import os
import shutil
import subprocess
import sys

SOURCE, BUILD = sys.argv[1:3]
COMPILER, EMULATOR = "aarch64-linux-gnu-gcc", "qemu-aarch64"
FLOORS = ("base", "math", "model", "pose", "skin")
TESTS = ("pose/test_backends", "pose/test_blend", "pose/test_definition", "pose/test_float_env", "pose/test_jobs",
         "skin/test_dual_quat", "skin/test_evaluate", "skin/test_golden", "skin/test_skin")
FLAGS = ["-std=c17", "-O1", "-ffp-contract=off", "-D_POSIX_C_SOURCE=200809L", "-D_DEFAULT_SOURCE", "-pthread",
         "-Wall", "-Wextra", "-Werror", '-DSINEW_VERSION="arm"', '-DSINEW_INSTALLED_HOME="/"']
INCLUDES = [f"-I{SOURCE}/{folder}" for folder in ("include", "src", "tests")]
KERNELS = {"neon": "LANES_NEON", "scalar": "LANES_SCALAR"}


def compile_all():
    """One static library of the floors, kernels once for each backend."""
    objects = []

    def compile_one(source, tag, *flags):
        name = os.path.relpath(source, SOURCE).replace("/", "_") + tag + ".o"
        objects.append(os.path.join(BUILD, name))
        subprocess.run([COMPILER, *FLAGS, *INCLUDES, *flags, "-c", source, "-o", objects[-1]], check=True)

    for floor in FLOORS:
        for source in sorted(glob.glob(f"{SOURCE}/src/{floor}/*.c")):
            compile_one(source, "")
        for source in sorted(glob.glob(f"{SOURCE}/src/{floor}/kernels/*.c")):
            for suffix, macro in KERNELS.items():
                compile_one(source, "_" + suffix, f"-D{macro}", f"-DLANES_SUFFIX={suffix}")
    library = os.path.join(BUILD, "libcore.a")
    subprocess.run(["aarch64-linux-gnu-ar", "rcs", library, *objects], check=True)
    return library


def main():
    if not shutil.which(COMPILER) or not shutil.which(EMULATOR):
        print(f"skipped: {COMPILER} or {EMULATOR} is not here")
        return 77
    os.makedirs(BUILD, exist_ok=True)
    library, failed = compile_all(), 0
    for test in TESTS:
        program = os.path.join(BUILD, test.replace("/", "_"))
        subprocess.run([COMPILER, *FLAGS, "-static", f"-I{SOURCE}/tests/support/cross", *INCLUDES,
                        f"{SOURCE}/tests/{test}.c", library, "-lm", "-o", program], check=True)
        result = subprocess.run([EMULATOR, program], capture_output=True, text=True)
        print(f"{test}: {'ok' if result.returncode == 0 else 'FAILED'}")
        if result.returncode != 0:
            failed += 1
            print(result.stdout[-2000:], result.stderr[-2000:])
        if "golden" in test:
            print(result.stdout)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

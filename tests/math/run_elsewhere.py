"""Builds the core and its tests for another kind of machine and runs them: they give the golden number there, too.

    run_elsewhere.py SOURCE BUILD arm        NEON. Debian: gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user
                                             (or qemu-user-static)
    run_elsewhere.py SOURCE BUILD windows    Debian: gcc-mingw-w64-x86-64-posix wine64

77 means that the compiler or the emulator is not here, and the test is skipped.
"""
import glob
import os
import shutil
import subprocess
import sys

SOURCE, BUILD, TARGET = sys.argv[1:4]
# The prefix of the tools' names, the emulator's names and the path in its package, the folder of base, kernels, flags.
PREFIX, EMULATORS, SYSTEM, KERNELS, OWN_FLAGS = {
    "arm": ("aarch64-linux-gnu-", ("qemu-aarch64", "qemu-aarch64-static"), "posix",
            {"neon": "LANES_NEON", "fused": "LANES_FUSED", "scalar": "LANES_SCALAR"}, []),
    # The compiler takes printf for the one of old Windows.
    "windows": ("x86_64-w64-mingw32-", ("/usr/lib/wine/wine64",), "windows",
                {"avx2": "LANES_AVX2", "sse2": "LANES_SSE2", "fused": "LANES_FUSED",
             "scalar": "LANES_SCALAR"},
                ["-D__USE_MINGW_ANSI_STDIO=1", "-Wno-format", "-include", f"{SOURCE}/src/base/windows/posix.h"]),
}[TARGET]
COMPILER = next(filter(shutil.which, [f"{PREFIX}gcc-posix", f"{PREFIX}gcc"]), None)
EMULATOR = next(filter(shutil.which, EMULATORS), None)
FLOORS = ("base", f"base/{SYSTEM}", "math", "model", "pose", "skin", "actor")
TESTS = ("math/test_elementary", "pose/test_backends", "pose/test_blend", "pose/test_definition", "pose/test_even_clips",
         "pose/test_float_env", "pose/test_jobs", "skin/test_bounds", "skin/test_dual_quat", "skin/test_evaluate",
         "skin/test_golden", "skin/test_skin")
FLAGS = ["-std=c17", "-O1", "-ffp-contract=off", "-D_POSIX_C_SOURCE=200809L", "-D_DEFAULT_SOURCE", "-pthread",
         "-Wall", "-Wextra", "-Werror", *OWN_FLAGS, '-DSINEW_VERSION="elsewhere"', '-DSINEW_INSTALLED_HOME="/"']
# Of wine: a folder of its own, and nothing said of windows that it does not open.
ENVIRONMENT = {**os.environ, "WINEPREFIX": os.path.abspath(f"{BUILD}/wine"), "WINEDEBUG": "-all"}
INCLUDES = [f"-I{SOURCE}/{folder}" for folder in ("include", "src", "tests")]


def compile_all():
    """One static library of the floors, kernels once for each backend."""
    objects = []

    def compile_one(source, tag, *flags):
        name = os.path.relpath(source, SOURCE).replace("/", "_") + tag + ".o"
        objects.append(os.path.join(BUILD, name))
        subprocess.run([COMPILER, *FLAGS, *INCLUDES, *flags, "-c", source, "-o", objects[-1]], check=True)

    for floor in FLOORS:
        for source in sorted(glob.glob(f"{SOURCE}/src/{floor}/**/*.c", recursive=True)):
            if not set(os.path.relpath(source, f"{SOURCE}/src/{floor}").split("/")) & {"posix", "windows", "kernels"}:
                compile_one(source, "")
        for source in sorted(glob.glob(f"{SOURCE}/src/{floor}/kernels/*.c")):
            for suffix, macro in KERNELS.items():
                compile_one(source, "_" + suffix, f"-D{macro}", f"-DLANES_SUFFIX={suffix}",
                            *(["-mavx2", "-mfma"] if suffix == "avx2" else []))
    library = os.path.join(BUILD, "libcore.a")
    subprocess.run([f"{PREFIX}ar", "rcs", library, *objects], check=True)
    return library


def main():
    if not COMPILER or not EMULATOR:
        print(f"skipped: {PREFIX}gcc or {EMULATORS[0]} is not here")
        return 77
    os.makedirs(BUILD, exist_ok=True)
    library, failed = compile_all(), 0
    for test in TESTS:
        program = os.path.join(BUILD, test.replace("/", "_") + ".exe")
        subprocess.run([COMPILER, *FLAGS, "-static", f"-I{SOURCE}/tests/support/cross", *INCLUDES,
                        f"{SOURCE}/tests/{test}.c", library, "-lm", "-o", program], check=True)
        result = subprocess.run([EMULATOR, program], capture_output=True, text=True, env=ENVIRONMENT)
        print(f"{test}: {'ok' if result.returncode == 0 else 'FAILED'}")
        if result.returncode != 0:
            failed += 1
            print(result.stdout[-2000:], result.stderr[-2000:])
        if "golden" in test:
            print(result.stdout)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

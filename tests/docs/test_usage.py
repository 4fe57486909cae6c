"""The usage at the top of sinew/sinew.h compiles without a warning, in C and in C++, and does what it says."""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import unittest

import program

HEADER = program.ROOT / "include/sinew/sinew.h"
BUILD = pathlib.Path(program.PROGRAM).parent
LIBRARY = next((BUILD / name for name in ("libsinew.so", "libsinew.dylib") if (BUILD / name).exists()), None)
WARNINGS = ["-Wall", "-Wextra", "-Werror", "-Wno-unused-variable"]


def usage():
    comment = re.match(r"/\*(.*?)\*/", HEADER.read_text(encoding="utf-8"), re.S)[1]
    return [line[7:] for line in comment.splitlines() if line.startswith(" *     ")]


def in_main(lines, end=""):
    return "#include <sinew/sinew.h>\n\nint main(void) {\n" + "\n".join(lines) + f"\n{end}\nreturn 0;\n}}\n"


def compiler(variable, *names):
    return shlex.split(os.environ.get(variable, "")) or [next((name for name in names if shutil.which(name)), names[0])]


class Usage(program.Case):
    def compile(self, command, name, text, *words):
        source = self.write(name, text)
        done = subprocess.run([*command, *WARNINGS, f"-I{program.ROOT / 'include'}", source, *words], capture_output=True, text=True,
                              check=False)
        self.assertEqual(done.returncode, 0, text + done.stderr)

    def test_it_is_short_and_has_each_step(self):
        lines = usage()
        self.assertTrue(8 <= len(lines) <= 12, lines)
        for step in ("load", "create", "play", "update", "palettes"):
            self.assertIn(step, " ".join(lines))

    def test_it_compiles_in_both_languages(self):
        text = in_main(usage(), "(void)palettes;")
        self.compile([*compiler("CC", "cc", "gcc", "clang"), "-std=c17", "-fsyntax-only"], "usage.c", text)
        self.compile([*compiler("CXX", "c++", "g++", "clang++"), "-std=c++17", "-fsyntax-only"], "usage.cpp", text)

    @unittest.skipUnless(LIBRARY, "the shared library is not built")
    def test_it_moves_the_character(self):
        """The palette differs from the one at rest, which an actor without a clip has."""
        end = """
          int others;
          sinew_actor rest = sinew_actor_create(stage, "rest", hero, &error);
          sinew_stage_update(stage, 0);
          const sinew_mat3x4 *both = sinew_stage_palettes(stage, &others);
          const float *a = both[sinew_actor_palette_offset(stage, actor)].m, *b = both[sinew_actor_palette_offset(stage, rest)].m;
          double apart = 0;
          for (int i = 0; i < 12 * count; i++) apart += (double)(a[i] - b[i]) * (double)(a[i] - b[i]);
          sinew_stage_destroy(stage);
          sinew_model_release(hero);
          if (!(apart > 0.01) || others != 2 * count) return 1;
        """
        binary = self.folder / "usage"
        self.compile([*compiler("CC", "cc", "gcc", "clang"), "-std=c17"], "usage.c", in_main(usage(), end), LIBRARY, f"-Wl,-rpath,{BUILD}",
                     "-o", binary)
        done = subprocess.run([binary], cwd=program.HERO.parent, env=program.environment(), capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()

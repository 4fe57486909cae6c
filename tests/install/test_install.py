"""What `cmake --install` leaves in an empty folder is whole: the program runs a scene from somewhere else, the library
has the names that its headers declare and no others, and the example for C, built by the CMake package and by pkg-config,
puts a joint where `sinew pose` does.

    test_install.py CMAKE BUILD CC NM --sanitize=LIST
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
CMAKE, BUILD, CC, NM, SANITIZE = sys.argv[1:6]
SANITIZE = SANITIZE.partition("=")[2].replace(";", ",")
FLAGS = [f"-fsanitize={SANITIZE}"] if SANITIZE else []


def run(*command, **options):
    """Its output, as text; fails the test where it fails."""
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)
    if done.returncode:
        raise AssertionError(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="sinew-install-")
        cls.work = pathlib.Path(cls.folder.name)
        cls.prefix = cls.work / "prefix"
        run(CMAKE, "--install", BUILD, "--prefix", cls.prefix)
        cls.library = next(cls.prefix.rglob("libsinew.*"))
        # Nothing of the checkout may help.
        cls.environment = {name: value for name, value in os.environ.items() if name not in ("SINEW_HOME", "SINEW_PROGRAM")}
        cls.environment["PKG_CONFIG_PATH"] = str(next(cls.prefix.rglob("sinew.pc")).parent)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def run_here(self, *command, **more):
        return run(*command, cwd=self.work, env={**self.environment, **more})

    def test_program_runs_a_scene_from_another_folder(self):
        share = self.prefix / "share/sinew"
        scene = self.work / "scene.lua"
        scene.write_text('local sinew = require "sinew"\n'
                         'local hero = sinew.actor("hero", sinew.model "hero.glb")\n'
                         'hero:play "Walk"\nprint(hero:joint "Head")\n')
        said = self.run_here(self.prefix / "bin/sinew", "run", scene, "--headless", "--frames", "3")
        self.assertIn("1.5", said)
        self.run_here(self.prefix / "bin/sinew", "run", share / "scripts/examples/01_hello.lua", "--headless", "--frames", "3")

    def test_library_has_the_names_of_its_headers_and_no_others(self):
        listing = run(NM, "-D", "--defined-only", self.library)
        exported = {line.split()[2] for line in listing.splitlines() if line.split()[1] in "TDBR"}
        declared = set()
        for header in (self.prefix / "include/sinew").glob("*.h"):
            declared |= set(re.findall(r"^SINEW_API [^;]*?\b(sinew_\w+)\(", header.read_text(encoding="utf-8"), re.M))
        self.assertGreater(len(declared), 200)
        exported = {name for name in exported if "aiAssertViolation" not in name}  # Assimp must find ours first
        self.assertEqual(exported, declared)

    def test_each_header_stands_by_itself(self):
        for header in sorted((self.prefix / "include/sinew").glob("*.h")):
            run(CC, "-std=c17", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", f"-I{self.prefix}/include", "-xc", "-",
                input=f"#include <sinew/{header.name}>\nint nothing;\n")

    def expected(self):
        """The head's place after 15 frames of a walk, as the program says it."""
        hero = self.prefix / "share/sinew/assets/hero.glb"
        answer = json.loads(self.run_here(self.prefix / "bin/sinew", "pose", hero, "--clip", "Walk", "--time", "0.25",
                                          "--json"))
        node = [each["name"] for each in answer["nodes"]].index("Head")
        return answer["clips"][0]["frames"][0]["world"][node][12:15]

    def check(self, program):
        hero = self.prefix / "share/sinew/assets/hero.glb"
        frames = self.run_here(program, hero, "Walk", "Head", LD_LIBRARY_PATH=str(self.library.parent)).splitlines()
        self.assertEqual(len(frames), 60)
        self.assertEqual(frames[14].split()[0], "15")
        for got, expected in zip(map(float, frames[14].split()[1:]), self.expected(), strict=True):
            self.assertAlmostEqual(got, expected, delta=2e-6)  # six decimals are printed

    def test_cmake_package(self):
        run(CMAKE, "-S", SOURCE / "examples/c", "-B", self.work / "by-cmake", f"-DCMAKE_PREFIX_PATH={self.prefix}",
            f"-DCMAKE_C_COMPILER={CC}", f"-DCMAKE_C_FLAGS={' '.join(FLAGS)}", env=self.environment)
        run(CMAKE, "--build", self.work / "by-cmake")
        self.check(self.work / "by-cmake/play")

    def test_pkg_config(self):
        flags = run("pkg-config", "--cflags", "--libs", "sinew", env=self.environment).split()
        program = self.work / "play"
        run(CC, "-std=c17", *FLAGS, SOURCE / "examples/c/play.c", "-o", program, *flags)
        self.check(program)

    @unittest.skipUnless(shutil.which("readelf"), "readelf is not there")
    def test_module_for_lua_needs_neither_window_nor_gpu(self):
        module = next(self.prefix.rglob("lua/5.4/sinew.*"))
        needed = re.findall(r"\(NEEDED\).*\[(.+)\]", run("readelf", "-d", module))
        self.assertTrue(any("assimp" in name for name in needed), needed)  # it can see
        self.assertFalse([name for name in needed if re.search("glfw|GL|X11|wayland|vulkan", name, re.I)], needed)

    @unittest.skipIf(FLAGS, "the interpreter is not built with the sanitizers")
    @unittest.skipUnless(shutil.which("lua5.4"), "lua5.4 is not there")
    def test_module_for_lua(self):
        hero = self.prefix / "share/sinew/assets/hero.glb"
        script = self.work / "program.lua"
        script.write_text(f"""
            local sinew = require "sinew"
            local hero = sinew.actor("hero", sinew.model "{hero}")
            hero:play("Walk", {{ fade = 0 }})
            require("sinew.tween").to(hero.morphs, "Smile", 1, 0.1)
            local frames = 0
            function sinew.update() frames = frames + 1 end
            sinew.simulate {{ frames = 15 }}
            assert(frames == 15 and math.abs(sinew.time - 0.25) < 1e-9)
            assert(hero.morphs.Smile == 1)
            local head = hero:joint "Head"
            print(("%.6f %.6f %.6f"):format(head.x, head.y, head.z))
            print(pcall(hero.play, hero, "Wlak"))
            local twig = sinew.build_model {{ joints = {{ {{ name = "Twig", position = {{ 1, 2, 3 }} }} }} }}
            assert(sinew.actor("twig", twig):joint("Twig").y == 2)
            local crowd = sinew.crowd(hero.model, 3, {{ graph = "Walk" }})
            crowd.x, crowd.phase = {{ 4, 5, 6 }}, 0.5
            sinew.simulate {{ frames = 2 }}
            local hips = crowd:joint(2, "Hips")
            assert(math.abs(hips.x - 5) < 0.2 and hips.y > 0.7 and crowd.phase[3] > 0.5)
            function sinew.update() error "broken" end
            print(pcall(sinew.simulate, {{ frames = 1 }}))
            print(select("#", io.stdout), load and loadstring)  -- the program keeps its own Lua
        """)
        lines = self.run_here("lua5.4", script, LUA_CPATH=f"{self.prefix}/lib/lua/5.4/?.so").splitlines()
        for got, expected in zip(map(float, lines[0].split()), self.expected(), strict=True):
            self.assertAlmostEqual(got, expected, delta=2e-6)
        self.assertIn("did you mean 'Walk'?", lines[1])
        self.assertIn("broken", lines[2])
        self.assertEqual(lines[-1], "1\tnil")

    def test_the_example_is_short(self):
        self.assertLessEqual(len((SOURCE / "examples/c/play.c").read_text(encoding="utf-8").splitlines()), 40)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])

"""`cmake --install` into an empty folder is complete: the program runs a scene from somewhere else, the libraries
have the names that their headers declare and no others, and the programs of docs/embedding.md, built by the CMake package
and by pkg-config, shared and static, do what the program itself does, in a host that speaks German.

    test_install.py CMAKE BUILD CC CXX NM --sanitize=LIST
"""
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
CMAKE, BUILD, CC, CXX, NM, SANITIZE = sys.argv[1:7]
SANITIZE = SANITIZE.partition("=")[2].replace(";", ",")
FLAGS = [f"-fsanitize={SANITIZE}"] if SANITIZE else []


def run(*command, **options):
    """Its output, as text; fails the test where it fails."""
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)
    if done.returncode:
        raise AssertionError(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


class Elf:
    """The parts of a 64-bit ELF file that say how it is loaded."""
    ANYWHERE, LOAD, DYNAMIC, STACK, READ_ONLY_AFTER_START, RUNS = 3, 1, 2, 0x6474E551, 0x6474E552, 1
    FLAGS, BINDS_NOW, FLAGS_1, IS_PROGRAM = 30, 8, 0x6FFFFFFB, 0x08000000

    def __init__(self, data):
        self.type, = struct.unpack_from("<H", data, 16)
        table, size, count = *struct.unpack_from("<Q", data, 32), *struct.unpack_from("<HH", data, 54)
        heads = [struct.unpack_from("<IIQQQQ", data, table + i * size) for i in range(count)]
        self.segments = {head[0]: head[1] for head in heads}
        begin, length = next((head[2], head[5]) for head in heads if head[0] == self.DYNAMIC)
        self.dynamic = dict(struct.iter_unpack("<QQ", data[begin:begin + length]))


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="sinew-install-")
        cls.work = pathlib.Path(cls.folder.name)
        cls.prefix = cls.work / "prefix"
        run(CMAKE, "--install", BUILD, "--prefix", cls.prefix)
        cls.library = next(cls.prefix.rglob("libsinew.so*"), None) or next(cls.prefix.rglob("libsinew.*"))
        # Nothing of the checkout may help.
        cls.environment = {name: value for name, value in os.environ.items() if name not in ("SINEW_HOME", "SINEW_PROGRAM")}
        cls.environment["PKG_CONFIG_PATH"] = str(next(cls.prefix.rglob("sinew.pc")).parent)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def run_here(self, *command, **more):
        return run(*command, cwd=self.work, env={**self.environment, **more})

    @unittest.skipIf(SANITIZE or not sys.platform.startswith("linux"), "of a plain build for Linux")
    def test_everything_is_hardened(self):
        """Checked stacks and buffers, addresses that cannot be changed after the start, programs at any address."""
        programs = [self.prefix / "bin" / name for name in ("sinew", "sinew-import", "sinew-import-assimp")]
        libraries = [self.library, self.prefix / "lib/lua/5.4/sinew.so"]
        for file in programs + libraries:
            with self.subTest(file.name):
                elf = Elf(file.read_bytes())
                self.assertEqual(elf.type, Elf.ANYWHERE)
                self.assertIn(Elf.READ_ONLY_AFTER_START, elf.segments)
                self.assertFalse(elf.segments[Elf.STACK] & Elf.RUNS)
                self.assertTrue(elf.dynamic.get(Elf.FLAGS, 0) & Elf.BINDS_NOW or elf.dynamic.get(Elf.FLAGS_1, 0) & 1)
                names = run(NM, "-D", "--undefined-only", file)
                self.assertIn("__stack_chk_fail", names)
                self.assertRegex(names, r"__(mem|str|f?printf|v?snprintf|read|f?gets)\w*_chk")
        for file in programs:
            self.assertTrue(Elf(file.read_bytes()).dynamic[Elf.FLAGS_1] & Elf.IS_PROGRAM)

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
        self.assertEqual(exported, declared)
        static = self.library.with_name("libsinew.a")
        if static.exists():
            listing = run(NM, "-g", "--defined-only", static)
            self.assertEqual({line.split()[2] for line in listing.splitlines() if len(line.split()) == 3}, declared)

    def test_each_header_stands_by_itself(self):
        for header in sorted((self.prefix / "include/sinew").glob("*.h")):
            run(CC, "-std=c17", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", f"-I{self.prefix}/include", "-xc", "-",
                input=f"#include <sinew/{header.name}>\nint nothing;\n")

    @unittest.skipUnless(shutil.which("readelf"), "readelf is not there")
    def test_only_the_importer_needs_assimp(self):
        def needs(file):
            return re.findall(r"\(NEEDED\).*\[(.+)\]", run("readelf", "-d", file))
        self.assertTrue(any("assimp" in name for name in needs(self.prefix / "bin/sinew-import-assimp")))  # it can see
        for file in (self.prefix / "bin/sinew", self.prefix / "bin/sinew-import", self.library, next(self.prefix.rglob("lua/5.4/sinew.*"))):
            self.assertFalse([name for name in needs(file) if "assimp" in name], file)

    def german(self):
        """The environment of a host with a decimal comma."""
        places = self.work / "locales"
        if not places.exists() and shutil.which("localedef"):
            places.mkdir()
            subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", places / "de_DE.UTF-8"], capture_output=True, check=False)
        return {"LOCPATH": str(places), "LC_ALL": "de_DE.UTF-8"}

    def speaks_german(self):
        said = subprocess.run(["printf", "%.1f", "1,5"], capture_output=True, text=True, env={**os.environ, **self.german()})
        return said.stdout == "1,5"

    def expected(self):
        """The head's position after 15 frames of a walk, as the program says it."""
        hero = self.prefix / "share/sinew/assets/hero.glb"
        answer = json.loads(self.run_here(self.prefix / "bin/sinew", "pose", hero, "--clip", "Walk", "--time", "0.25",
                                          "--json"))
        node = [each["name"] for each in answer["nodes"]].index("Head")
        return answer["clips"][0]["frames"][0]["world"][node][12:15]

    def check_tool(self, program, hero="hero.glb", delta=2e-6):  # six decimals are printed
        """In process, in a child, and with a decimal comma: the same numbers."""
        hero = self.prefix / "share/sinew/assets" / hero
        said = set()
        for more in ({}, self.german(), {**self.german(), "SINEW_IMPORT": "in-process"}):
            said.add(self.run_here(program, hero, "Walk", "Head", **more).replace(",", "."))
        self.assertEqual(len(said), 1)
        frames = said.pop().splitlines()
        self.assertEqual(len(frames), 60)
        self.assertEqual(frames[14].split()[0], "15")
        for got, expected in zip(map(float, frames[14].split()[1:]), self.expected(), strict=True):
            self.assertAlmostEqual(got, expected, delta=delta)

    def check_crowd(self, program):
        hero = self.prefix / "share/sinew/assets/hero.glb"
        said = {self.run_here(program, hero, "Walk", threads, **self.german()) for threads in (1, 2, 5)}
        self.assertEqual(len(said), 1, said)
        self.assertRegex(said.pop(), r"^\d{5,} matrices, mean -?0[.,]\d+$")

    def check_renderer(self, program):
        """The lowest and the highest vertex are where the program's own skinning has them."""
        hero = self.prefix / "share/sinew/assets/hero.glb"
        picture = self.work / "hero.pgm"
        said = self.run_here(program, hero, "Walk", "0.25", picture, **self.german()).replace(",", ".")
        scene = self.work / "box.lua"
        scene.write_text(f"""
            local sinew = require "sinew"
            local hero = sinew.actor("hero", sinew.model "hero.glb")
            hero:play("Walk", {{ fade = 0 }})
            function sinew.test()
              sinew.simulate {{ frames = 15 }}
              local low, high = hero:bounds()
              print(("box %.5f %.5f"):format(low.y, high.y))
            end
        """)
        box = re.search(r"box (\S+) (\S+)", self.run_here(self.prefix / "bin/sinew", "test", scene))
        for got, expected in zip(said.split(), box.groups(), strict=True):
            self.assertAlmostEqual(float(got), float(expected), delta=2e-5)
        head, pixels = picture.read_bytes().split(b" 255\n", 1)
        self.assertEqual((head, len(pixels)), (b"P5 256 256", 256 * 256))
        self.assertTrue(500 < pixels.count(255) < 20000, pixels.count(255))

    def test_cmake_package(self):
        built = self.work / "by-cmake"
        flags = " ".join(FLAGS)
        run(CMAKE, "-S", SOURCE / "examples/embedding", "-B", built, f"-DCMAKE_PREFIX_PATH={self.prefix}",
            f"-DCMAKE_C_COMPILER={CC}", f"-DCMAKE_CXX_COMPILER={CXX}", f"-DCMAKE_C_FLAGS={flags}",
            f"-DCMAKE_CXX_FLAGS={flags}", env=self.environment)
        run(CMAKE, "--build", built)
        self.check_tool(built / "tool")
        self.check_tool(built / "tool", "hero.fbx", 1e-4)
        self.check_crowd(built / "crowd")
        self.check_renderer(built / "renderer")
        if (built / "tool_static").exists():
            self.assertNotIn("libsinew", run("readelf", "-d", built / "tool_static"))
            self.check_tool(built / "tool_static")
        self.check_under_valgrind(built)

    def check_under_valgrind(self, built):
        if FLAGS or not shutil.which("valgrind"):
            print("valgrind: not here, or sanitizers in its place")
            return
        hero = self.prefix / "share/sinew/assets/hero.glb"
        for words in (("tool", hero, "Walk", "Head"), ("crowd", hero, "Walk", "2"),
                      ("renderer", hero, "Walk", "0.25", self.work / "valgrind.pgm")):
            self.run_here("valgrind", "-q", "--leak-check=full", "--error-exitcode=9", built / words[0], *words[1:],
                          **self.german())

    def test_pkg_config(self):
        """What it says is enough to link and to run."""
        for name, more in (("shared", ()), ("static", ("--static",))):
            if more and not self.library.with_name("libsinew.a").exists():
                continue
            words = run("pkg-config", *more, "--cflags", "--libs", "sinew", env=self.environment).split()
            if more:
                words = ["-l:libsinew.a" if word == "-lsinew" else word for word in words]
            program = self.work / f"tool-{name}"
            run(CC, "-std=c17", *FLAGS, SOURCE / "examples/embedding/tool.c", "-o", program, *words)
            self.check_tool(program)

    def test_the_examples_are_short_and_shown(self):
        page = (SOURCE / "docs/embedding.md").read_text(encoding="utf-8")
        for name in ("tool.c", "crowd.cpp", "renderer.c"):
            self.assertLessEqual(len((SOURCE / "examples/embedding" / name).read_text(encoding="utf-8").splitlines()), 60)
            self.assertIn(f"../examples/embedding/{name}", page)
        self.assertTrue(self.speaks_german() or not shutil.which("localedef"), "no German to test with")

    @unittest.skipUnless(shutil.which("readelf"), "readelf is not there")
    def test_module_for_lua_needs_neither_window_nor_gpu(self):
        module = next(self.prefix.rglob("lua/5.4/sinew.*"))
        needed = re.findall(r"\(NEEDED\).*\[(.+)\]", run("readelf", "-d", module))
        self.assertTrue(any("cjson" in name for name in needed), needed)  # it can see
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


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])

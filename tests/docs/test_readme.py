"""The README is true: its Lua runs, its commands work, its links and pictures exist."""
import os
import re
import shlex
import subprocess
import unittest

import program

README = program.ROOT / "README.md"
LINKED = [README, *sorted((program.ROOT / "docs").glob("*.md")), *(program.ROOT / name for name in ("CONVENTIONS.md", "CONTRIBUTING.md", "SECURITY.md"))]


def blocks(language):
    text = README.read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.M | re.S)


def commands():
    """The commands of the sh blocks, without comments."""
    for block in blocks("sh"):
        for line in block.splitlines():
            words = shlex.split(line, comments=True)
            if words:
                yield words


class Readme(program.Case):
    def test_the_lua_runs(self):
        found = blocks("lua")
        self.assertGreaterEqual(len(found), 1, "the README shows no Lua")
        for number, text in enumerate(found):
            with self.subTest(block=number):
                scene = self.write(f"block{number}.lua", text)
                words = ["test", scene] if "sinew.test" in text else [
                    "run", scene, "--headless", "--frames", "10", "--size", "64x64"]
                result = program.sinew(*words)
                self.assertEqual(result.status, 0, f"{text}\n{result}")

    def test_the_commands_work(self):
        ran = 0
        for words in commands():
            if words[0] != "sinew":
                continue
            with self.subTest(" ".join(words)):
                ran += 1
                self.run_command(words[1:])
        self.assertGreaterEqual(ran, 3)

    def run_command(self, words):
        """In a folder of its own, where assets/ and scripts/ are those of the project; never with a window."""
        for name in ("assets", "scripts"):
            if not (self.folder / name).exists():
                (self.folder / name).symlink_to(program.ROOT / name)
        if words[0] in ("run", "view") and "--headless" not in words:
            words = [*words, "--headless", "--frames", "3", "--size", "64x64"]
        here = os.getcwd()
        try:
            os.chdir(self.folder)
            result = program.sinew(*words)
        finally:
            os.chdir(here)
        self.assertEqual(result.status, 0, f"sinew {' '.join(words)}\n{result}")

    def test_dev_knows_its_commands(self):
        known = subprocess.run([program.ROOT / "dev", "help"], capture_output=True, encoding="utf-8", check=True).stdout
        named = set(re.findall(r"\./dev ([a-z]+)", README.read_text(encoding="utf-8")))
        self.assertIn("run", named)
        for name in named:
            self.assertRegex(known, rf"(?m)^  ([a-z]+, )*{name}\b", f"./dev {name}")

    def test_options_exist(self):
        for words in commands():
            if words[0] == "sinew":
                known = program.sinew("help", words[1]).out
                for word in words[2:]:
                    if word.startswith("--"):
                        self.assertIn(f"  {word.split('=')[0]} ", known + " ", " ".join(words))

    def test_links_lead_somewhere(self):
        for page in LINKED:
            for link in re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8")):
                if "://" not in link:
                    self.assertTrue((page.parent / link).exists(), f"{page.name} links to {link}")


if __name__ == "__main__":
    unittest.main(verbosity=2)

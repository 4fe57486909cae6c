"""Every file, folder and name in docs/architecture.md exists, each step from a clip's name to the palette names a function that
its file defines, and a newcomer finds concepts by the names of files. Planted mistakes are noticed."""
import pathlib
import re
import statistics
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ("include", "src", "bindings", "shaders", "cmake", "tests", "scripts", "docs", "examples", "tools")
SUFFIXES = (".c", ".h", ".cpp", ".hpp", ".py", ".lua", ".md", ".cmake", ".glsl", ".frag", ".vert", ".comp")
WORD = re.compile(r"\b[A-Za-z_]\w*\b")
PATH = re.compile(r"[\w./-]+(\.(c|h|cpp|hpp|py|lua|md|cmake|glsl|frag|vert|comp)|/)")
NAME = re.compile(r"[a-z]\w*_\w+")
SOURCES = (".c", ".h", ".cpp", ".hpp")
# What a newcomer would type after `find -name`.
CONCEPTS = ("crossfade", "reload_transaction", "fbx_pivot", "shadow_map", "inertialize", "blend_space", "two_bone", "clip_compress", "ring",
            "jail", "memory_limit", "state_machine", "condition", "foot_lock", "look_at", "retarget", "root_motion", "sync", "marker",
            "dual_quat", "budget", "undo", "replay|run_log", "gamepad", "gltf_accessor", "additive")


class Tree:
    def __init__(self):
        files = [p for folder in FOLDERS for p in (ROOT / folder).rglob("*") if p.suffix in SUFFIXES]
        files = [p for p in files if "breach" not in p.parts]
        self.texts = {p.relative_to(ROOT).as_posix(): p.read_text(encoding="utf-8") for p in files}
        self.paths = {f"/{name}" for name in self.texts}
        self.paths |= {f"/{parent.as_posix()}/" for name in self.texts for parent in pathlib.PurePosixPath(name).parents}
        self.words = {word for name, text in self.texts.items() if not name.startswith(("docs/", "tests/docs/")) for word in WORD.findall(text)}

    def has_path(self, path):
        return any(known.endswith(f"/{path}") for known in self.paths) or (ROOT / path).exists()

    def defines(self, path, function):
        texts = [text for name, text in self.texts.items() if f"/{name}".endswith(f"/{path}")]
        return any(re.search(rf"^\w[^;={{}}]*\b{function}\([^;]*\{{", text, re.M) for text in texts)


def quoted(page):
    """What stands in backquotes, outside of blocks of code."""
    return re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```", "", page, flags=re.M | re.S))


def mistakes(tree, page):
    for words in quoted(page):
        for word in words.split():
            word = word.rstrip(",")
            if PATH.fullmatch(word) and not tree.has_path(word):
                yield f"there is no {word}"
            elif NAME.fullmatch(word) and word not in tree.words:
                yield f"nothing is called {word}"
    for path, function in re.findall(r"^\d+\. `([\w./]+\.c)`, `(\w+)`", page, re.M):
        if not tree.defines(path, function):
            yield f"{path} does not define {function}"


def unfound(tree, page):
    """The concepts that no file is named after, or whose files the page does not name."""
    named = [word.rstrip(",") for words in quoted(page) for word in words.split()]
    for concept in CONCEPTS:
        files = [name for name in tree.texts if name.startswith(("src/", "bindings/")) and name.endswith(SOURCES)
                 and re.search(concept, pathlib.PurePosixPath(name).name)]
        folders = [word for word in named if word.endswith("/") and re.search(concept, word.split("/")[-2])]
        if not files or not (folders or any(f"/{file}".endswith(f"/{word}") for file in files for word in named)):
            yield concept


class Architecture(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.tree = Tree()
        cls.page = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")

    def test_every_name_exists(self):
        self.assertEqual(list(mistakes(self.tree, self.page)), [])

    def test_the_walk_has_ten_steps_with_a_function_each(self):
        self.assertGreaterEqual(len(re.findall(r"^\d+\. `[\w./]+\.c`, `\w+`", self.page, re.M)), 10)

    def test_concepts_are_found_by_their_names(self):
        self.assertEqual(list(unfound(self.tree, self.page)), [])
        self.assertEqual(list(unfound(self.tree, self.page.replace("look_at.c", "aim.c"))), ["look_at"])

    def test_the_figures_are_today_s(self):
        """Within a tenth, so that a new file need not change the page."""
        rooms = {}
        for name in self.tree.texts:
            if name.startswith("src/") and name.endswith(SOURCES):
                room = name.rpartition("/")[0]
                rooms[room] = rooms.get(room, 0) + 1
        declare = sum(text.count("\n") for name, text in self.tree.texts.items() if name.startswith("bindings/declare/") and name.endswith(SOURCES))
        said = re.search(r"`src/` has (\d+) folders, with (\w+) files at the median", self.page)
        self.assertAlmostEqual(int(said[1]), len(rooms), delta=len(rooms) / 10)
        median = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"].index(said[2]) + 1
        self.assertAlmostEqual(median, statistics.median(rooms.values()), delta=1)
        self.assertAlmostEqual(int(re.search(r"Of the ([\d,]+) lines of `declare/`", self.page)[1].replace(",", "")), declare, delta=declare / 10)
        most = int(re.search(r"No folder has more than (\d+) files", self.page)[1])
        self.assertLessEqual(max(rooms.values()), most)
        self.assertIn(f"MOST = {most}\n", self.tree.texts["tests/layering/test_rooms.py"])

    def test_mistakes_are_noticed(self):
        planted = "`src/actor/nowhere.c`, `nowhere/` and `no_such_function`\n1. `src/actor/advance.c`, `actor_evaluate`: no.\n"
        self.assertEqual(len(list(mistakes(self.tree, planted))), 4)


if __name__ == "__main__":
    sys.exit(unittest.main())

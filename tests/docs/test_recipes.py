"""The recipes in docs/architecture.md ("What to change where") name every file that the existing examples of a thing touch, and no
file that names none of them. Which files these are is derived from the code: from the members of a struct, or the values of an
enum, and who names them. Planted omissions are noticed."""
import collections
import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ("include", "src", "bindings", "tests/bindings/declare")
SOURCES = (".c", ".h", ".cpp", ".hpp")
PATH = re.compile(r"[\w./-]*\w\.(?:c|h|cpp|hpp|md)|[\w./-]+/")
RARE = 24  # a word that more files name says little about where a thing is handled
FILE, FOLDER, NAMES = 2 / 3, 0.8, 0.6  # of the examples, to be a place for all of them


def without_comments(text):
    return re.sub(r'("(?:\\.|[^"\\\n])*")|//[^\n]*|/\*.*?\*/', lambda found: found[1] or " ", text, flags=re.S)


class Code:
    def __init__(self):
        paths = [p for folder in FOLDERS for p in (ROOT / folder).rglob("*") if p.suffix in SOURCES]
        self.texts = {p.relative_to(ROOT).as_posix(): without_comments(p.read_text(encoding="utf-8")) for p in paths}
        self.words = {name: set(re.findall(r"\w+", text)) for name, text in self.texts.items()}
        self.joined = {name: "\n".join(words) for name, words in self.words.items()}
        self.used = collections.Counter(word for words in self.words.values() for word in words)

    def members(self, header, struct):
        body = re.search(rf"typedef struct {struct} \{{(.*?)\n\}} {struct};", self.texts[header], re.S)[1]
        declarators = [part for line in re.sub(r"\[.*?\]", "", body).split(";") for part in line.split(",") if part.strip()]
        return [re.findall(r"\w+", part)[-1] for part in declarators]

    def values(self, header, enum):
        body = re.search(rf"typedef enum {enum} \{{(.*?)\}}", self.texts[header], re.S)[1]
        return re.findall(r"^\s*([A-Z]\w+)", body.replace(",", "\n"), re.M)

    def strings(self, path, start, end):
        """What stands in quotes between the two."""
        return re.findall(r'"(\w+)"', re.search(re.escape(start) + "(.*?)" + re.escape(end), self.texts[path], re.S)[1])

    def sources(self):
        return [name for name in self.texts if not name.startswith("tests/")]


class Places:
    """needed: files and folders (with / at the end) that a recipe must name; known: those that it may name."""

    def __init__(self, needed, known):
        self.needed, self.known = needed, known | needed


def folder_of(name):
    return name.rpartition("/")[0] + "/"


def places_of_words(code, words):
    """A file is needed that names most of the rare words; a folder, if its other files together name nearly all of them: each word
    another file."""
    rare = [word for word in words if 0 < code.used[word] <= RARE]
    assert len(rare) >= 4, f"too few of {words} say where they are handled"
    named = {name: {word for word in rare if word in code.words[name]} for name in code.texts}
    needed = {name for name, found in named.items() if len(found) > FILE * len(rare)}
    together = collections.defaultdict(set)
    for name, found in named.items():
        if name not in needed:
            together[folder_of(name)] |= found
    folders = {folder for folder, found in together.items() if len(found) >= FOLDER * len(rare)}
    known = {name for name, found in named.items() if found or sum(word in code.words[name] for word in words) >= len(words) / 8}
    return Places(needed | folders, known | {folder_of(name) for name in known})


def places_of_values(code, values, lists, stem=""):
    """A file is needed that distinguishes values, which is to name two of them; or that has most of what a list calls them in
    scripts or in files; or whose identifiers are named after most of them."""
    def is_called(name, word):
        return re.search(rf'["."]{word}"', code.texts[name]) is not None
    def is_named_after(name, value):
        short = value[len(stem):].lower()
        return re.search(rf"_{short}(_|$)|^{short}_", code.joined[name], re.M) is not None
    def count(name):
        return sum(value in code.words[name] for value in values)
    def count_named_after(name):
        return sum(is_named_after(name, value) for value in values) if stem else 0
    sources = code.sources()
    needed = {name for name in sources if count(name) >= 2}
    needed |= {name for name in sources for names in lists if sum(is_called(name, word) for word in names) >= NAMES * len(names)}
    needed |= {name for name in sources if stem and count_named_after(name) >= NAMES * len(values)}
    known = {name for name in sources if count(name) or count_named_after(name) >= 2 or any(is_called(name, word) for word in sum(lists, []))}
    return Places(needed, known | {folder_of(name) for name in known | needed})


KINDS = "bindings/declare/kinds/kinds.c"


def recipes(code):
    """The beginning of a row of the table → its places."""
    loads = re.findall(r"FIELD\((\w+), LOAD", code.texts["src/import/load.c"])
    formats = code.strings("src/import/source/files.c", "raw_format raw_format_of", "\n}")
    return {
        "an option of `actor:play`": places_of_words(code, code.members("include/sinew/actor.h", "sinew_play_def")),
        "a value of a modifier": places_of_words(code, code.members("include/sinew/actor_modifiers.h", "sinew_modifier_def")),
        "a kind of modifier": places_of_values(code, code.values("include/sinew/actor_modifiers.h", "sinew_modifier_kind"),
                                               [code.strings(KINDS, "modifier_makers[] = {", "};")], "SINEW_MODIFIER_"),
        "a kind of node": places_of_values(code, code.values("include/sinew/graph.h", "sinew_node_kind"),
                                           [code.strings(KINDS, "node_makers[] = {", "};"),
                                            code.strings("bindings/run/controls.c", "sets[] = {", "};")]),
        "a value of a node": places_of_words(code, code.members("include/sinew/graph.h", "sinew_node_def")),
        "a value of a transition": places_of_words(code, code.members("include/sinew/graph.h", "sinew_transition_def")),
        "a model format": places_of_values(code, code.values("src/import/raw/raw.h", "raw_format"), [formats]),
        "an option of a load": places_of_words(code, loads),
    }


def cell_of(page, row):
    found = re.search(rf"^\| {re.escape(row)}[^|]*\| ([^|]*) \|", page, re.M)
    return found[1] if found else ""


def resolved(code, path):
    folders = {folder_of(name) for name in code.texts}
    return [known for known in [*code.texts, *folders] if f"/{known}".endswith(f"/{path}")]


def mistakes(code, page, row, places):
    cell = cell_of(page, row)
    if not cell:
        yield f"there is no row '{row}'"
    named = set()
    for path in [word for quoted in re.findall(r"`([^`\n]+)`", cell) for word in quoted.split() if PATH.fullmatch(word)]:
        found = resolved(code, path)
        if len(found) > 1:
            yield f"{row}: several files are called {path}: {', '.join(found)}"
        elif found and found[0] not in places.known:
            yield f"{row}: {path} names no example"
        named |= set(found)
    for place in sorted(places.needed - named):
        if not (place.endswith("/") and any(name.startswith(place) for name in named)):
            yield f"{row}: lacks {place}"


class Recipes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.code = Code()
        cls.page = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
        cls.recipes = recipes(cls.code)

    def test_each_recipe_is_complete_and_names_nothing_else(self):
        self.assertEqual([m for row, places in self.recipes.items() for m in mistakes(self.code, self.page, row, places)], [])

    def test_the_examples_lead_somewhere(self):
        """A public header, the table of fields or names, and a file that acts: whatever else is found."""
        for row, places in self.recipes.items():
            with self.subTest(row):
                rooms = {place.split("/")[0] for place in places.needed}
                self.assertGreaterEqual(len(places.needed), 3)
                self.assertIn("src", rooms)
                self.assertTrue("include" in rooms or row == "a model format", places.needed)

    def test_what_is_left_out_or_not_needed_is_noticed(self):
        for row, places in self.recipes.items():
            cell = cell_of(self.page, row)
            paths = [word for word in re.findall(r"`([^`\n ]+)`", cell) if PATH.fullmatch(word)]
            noticed = 0
            for path in paths:
                other = self.page.replace(cell, cell.replace(f"`{path}`", "a file"))
                noticed += bool(list(mistakes(self.code, other, row, places)))
            with self.subTest(row):
                self.assertGreaterEqual(noticed, len([p for p in places.needed if not p.endswith("/")]))
                useless = self.page.replace(cell, cell + " and `src/base/error.c`")
                self.assertEqual([m for m in mistakes(self.code, useless, row, places) if "error.c" in m],
                                 [f"{row}: src/base/error.c names no example"])


if __name__ == "__main__":
    sys.exit(unittest.main())

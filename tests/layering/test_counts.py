"""Notes of an import say "1 key is", not "1 keys are": each number of things goes through raw_note_count, whose format has a
form for one thing and a form for several."""
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CALL = re.compile(r"\braw_note(_count)?\(((?:[^;\"]|\"(?:[^\"\\]|\\.)*\")*?);")
TEXT = re.compile(r'"((?:[^"\\]|\\.)*)"')
CHOICE = re.compile(r"\{([^{}|]*)\|([^{}]*)\}")
# A number and a noun in the plural; "2 of 3 vertices" is right for every number of the two.
MANY = re.compile(r"(?<!of )(?<!number )%(?:d|u|zu|lld) (?:(?:more|mesh|audio|animated|layered|sheared|inverse|bind|morph) )*"
                  r"(?!is\b|was\b|has\b|its\b|influences\b|joints: identity)\w*s\b")
OUT_OF_PLACE = re.compile(r"\b(were|they|them|their|(?<!not )have|are(?! not there))\b")

# Numbers that are never 1, and why.
NEVER_ONE = {
    "the file has %d scenes: number %d is shown": "noted for two or more",
    "clip '%s': has %d weights in each key": "more than there are targets",
}


def formats(source):
    """(whether it is a count's, its format) of each note in a C source."""
    found = []
    for call in CALL.finditer(source):
        text = "".join(TEXT.findall(call.group(2).split("\n\n")[0]))
        if text:
            found.append((bool(call.group(1)), text))
    return found


def chosen(text, one):
    return CHOICE.sub(lambda m: m.group(1 if one else 2), text)


def mistake(is_count, text):
    if text.startswith(tuple(NEVER_ONE)):
        return None
    if not is_count:
        return "counts without a form for 1" if MANY.search(text) else None
    if chosen(text, True) == chosen(text, False):
        return "has one form"
    single = chosen(text, True)
    if MANY.search(single):
        return "is plural for 1: " + single
    counted = CHOICE.search(text)
    outside = CHOICE.sub("", text[counted.start():].split(":")[0].split("(")[0])
    return "is plural for 1: " + single if OUT_OF_PLACE.search(outside) else None


class Counts(unittest.TestCase):
    def test_every_note_of_the_import_has_a_form_for_one(self):
        count = 0
        for path in sorted((ROOT / "src" / "import").rglob("*.c")):
            for is_count, text in formats(path.read_text(encoding="utf-8")):
                count += 1
                self.assertIsNone(mistake(is_count, text), f"{path.name}: {text}")
        self.assertGreater(count, 60)

    def test_every_entry_of_the_table_of_fbx_has_one(self):
        source = (ROOT / "src/import/source/fbx/fbx.c").read_text(encoding="utf-8")
        table = source[source.index("notes[] = {"):source.index("};", source.index("notes[] = {"))]
        entries = ["".join(TEXT.findall(entry)) for entry in table.split("{count_")[1:]]
        self.assertGreater(len(entries), 10)
        for text in entries:
            self.assertIsNone(mistake(True, text), text)

    def test_planted_mistakes_are_found(self):
        planted = 'raw_note(raw, "clip: %d keys dropped", n); raw_note_count(raw, n, "%d {key|keys} are dropped", n);'
        self.assertEqual([bool(mistake(*f)) for f in formats(planted)], [True, True])
        self.assertTrue(mistake(True, "%d cameras {is|are} read"))
        self.assertIsNone(mistake(True, "%d {key is|keys are} dropped"))
        self.assertIsNone(mistake(False, "mesh '%s': %d of %d vertices had none"))


if __name__ == "__main__":
    unittest.main(verbosity=2)

"""The messages about a save come from the tables of fields and from fates (bindings/declare/tell.c). A sentence written
by hand can be false. Each one that is left describes something that no field holds, and is counted here with the reason."""
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CALL = re.compile(r"\bdeclarations_note\(\s*[^)]")

BY_HAND = {
    "bindings/declare/declared_memory.c": (1, "the function itself"),
    "bindings/declare/tell.c": (2, "fates and values"),
    "bindings/declare/kinds/declared_attach.c": (1, "an actor's name stands for the id that the field holds"),
    "bindings/declare/kinds/declared_commit_play.c": (1, "the name of a play, before its changes and what became of it"),
    "bindings/declare/kinds/declared_crowd_commit.c": (4, "parameters by name, and how many members changed"),
    "bindings/declare/kinds/declared_clip.c": (1, "keys of curves, which no table describes"),
    "bindings/declare/kinds/declared_graph.c": (1, "a graph on another layer"),
    "bindings/declare/kinds/declared_layer.c": (1, "order"),
    "bindings/declare/kinds/declared_modifier.c": (2, "another kind, and order"),
    "bindings/declare/declared_rename.c": (1, "another name"),
    "bindings/declare/declared_property.c": (1, "one value, printed by its field"),
    "bindings/declare/kinds/model_tell.c": (5, "a model is no value: it is another file, or has other clips"),
    "bindings/declare/kinds/graph_tell.c": (8, "nodes that became others or lie elsewhere, order, parameters and states by name"),
    "bindings/lua/plain_change.c": (2, "values of Lua, whose names are paths in tables"),
    "bindings/scene/held.c": (3, "values of Lua, which no table describes"),
    "bindings/scene/names.c": (4, "other names and places, of values of Lua"),
    "bindings/scene/old_code.c": (2, "tasks, which are code"),
    "bindings/scene/keep.c": (1, "values of Lua, which no table describes"),
}


def notes(root):
    """How many calls each source has."""
    counts = {}
    for path in sorted((root / "bindings").rglob("*.c")):
        count = len(CALL.findall(path.read_text(encoding="utf-8")))
        if count:
            counts[path.relative_to(root).as_posix()] = count
    return counts


class Notes(unittest.TestCase):
    def test_each_sentence_by_hand_has_a_reason(self):
        self.assertEqual(notes(ROOT), {name: count for name, (count, _) in BY_HAND.items()})

    def test_a_planted_one_is_found(self):
        self.assertEqual(len(CALL.findall('f();\n  declarations_note(all, "%s moves", name);\n')), 1)


if __name__ == "__main__":
    unittest.main(verbosity=2)

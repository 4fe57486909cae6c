"""Clips of our fox on foxes of other proportions: what has no body that is known still moves as its source does."""
import unittest

from imported import Case, inverse, product, program, read_glb, write_glb

FOX = program.ROOT / "assets/fox.glb"
CLIP, TIMES = "Walk", [0, 0.11, 0.37]


def columns(world):
    """16 numbers, a column after the other, as rows of rows."""
    return [[world[4 * c + r] for c in range(4)] for r in range(4)]


def turn_of(world):
    """The 3×3 part without its scale."""
    m = columns(world)
    lengths = [sum(m[r][c] ** 2 for r in range(3)) ** 0.5 for c in range(3)]
    return [[m[r][c] / lengths[c] for c in range(3)] + [0] for r in range(3)] + [[0, 0, 0, 1]]


class Proportions(Case):
    def other_fox(self, change):
        """Ours, but that `change` was called with each node of its own."""
        told, rest = read_glb(FOX)
        for node in told["nodes"]:
            change(node)
        del told["animations"]
        return write_glb(self.folder / "other.glb", told, rest)

    def moved(self, other):
        """Both foxes in the fox's clip: (rest of the other, its frames, the same of ours), by node."""
        found = []
        for path, words in ((other, ["--clips", str(FOX)]), (FOX, ["--unit", "1"])):
            dump = self.pose(path, CLIP, TIMES, *words)
            names = [node["name"] for node in dump["nodes"]]
            found.append([dict(zip(names, worlds)) for worlds in
                          [dump["rest"]["world"]] + [frame["world"] for frame in dump["clips"][0]["frames"]]])
        return found

    def assert_turns_alike(self, others, ours):
        """Every joint turns from its rest pose as its partner does, in the model's space."""
        for frame in range(1, len(ours)):
            for name in ours[0]:
                turns = [product(turn_of(fox[frame][name]), inverse(turn_of(fox[0][name]))) for fox in (others, ours)]
                for r in range(3):
                    self.assert_near(turns[0][r], turns[1][r], 5e-3, f"{name} in frame {frame}")

    def test_longer_legs_keep_their_length_and_turn_alike(self):
        def lengthen(node):
            if any(word in node.get("name", "").lower() for word in ("upper", "lower", "pastern")):
                node["translation"] = [1.4 * x for x in node["translation"]]
        others, ours = self.moved(self.other_fox(lengthen))
        self.assert_turns_alike(others, ours)

    def test_another_rest_pose_and_other_bones_turn_alike(self):
        def bend(node):
            if node.get("name", "").startswith("Tail"):
                node["rotation"] = [0.2588190451, 0, 0, 0.9659258263]
                node["translation"] = [1.5 * x for x in node["translation"]]
        others, ours = self.moved(self.other_fox(bend))
        self.assertGreater(max(abs(a - b) for a, b in zip(others[0]["Tail2"], ours[0]["Tail2"])), 0.1)
        self.assert_turns_alike(others, ours)

    def test_the_same_bones_in_another_rest_pose_are_the_same_rig(self):
        def bend(node):
            if node.get("name", "").startswith("Tail"):
                node["rotation"] = [0.2588190451, 0, 0, 0.9659258263]
        others, ours = self.moved(self.other_fox(bend))
        for frame in range(1, len(ours)):
            for name in ours[0]:
                self.assert_near(others[frame][name], ours[frame][name], 1e-3, f"{name} in frame {frame}")


if __name__ == "__main__":
    unittest.main()

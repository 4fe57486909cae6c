"""The figures of each clip in a folder, compared with the motion that the test wrote into the files."""
import json
import math
import struct
import unittest

from imported import Case, program, read_glb, write_glb

HERO = program.ROOT / "assets/hero.glb"


def add_floats(told, blob, values, kind):
    """An accessor on floats behind the others; the new bytes."""
    data = struct.pack(f"<{len(values)}f", *values)
    width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[kind]
    told["bufferViews"].append({"buffer": 0, "byteOffset": len(blob), "byteLength": len(data)})
    accessor = {"bufferView": len(told["bufferViews"]) - 1, "componentType": 5126, "count": len(values) // width,
                "type": kind}
    if kind == "SCALAR":
        accessor.update(min=[min(values)], max=[max(values)])
    told["accessors"].append(accessor)
    return blob + data, len(told["accessors"]) - 1


class Folder(Case):
    def clip(self, path, clip, travel=(0, 0, 0), turn=0.0, seconds=None, meshes=False):
        """A file with one clip of the hero's, carried over the ground by a node above all: so many metres and degrees in
        its whole length, evenly."""
        told, rest = read_glb(HERO)
        blob = rest[8:8 + told["buffers"][0]["byteLength"]]
        if not meshes:
            for node in told["nodes"]:
                node.pop("mesh", None), node.pop("skin", None)
            for key in ("meshes", "skins", "materials", "textures", "images", "samplers"):
                told.pop(key, None)
        told["animations"] = [a for a in told["animations"] if a["name"] == clip]
        animation = told["animations"][0]
        animation["channels"] = [c for c in animation["channels"] if c["target"]["path"] != "weights"]
        end = max(told["accessors"][s["input"]]["max"][0] for s in animation["samplers"])
        steps = 17
        times, places, turns = [], [], []
        for i in range(steps):
            share = i / (steps - 1)
            angle = math.radians(turn) * share / 2
            times.append(end * share)
            places += [share * x for x in travel]
            turns += [0, math.sin(angle), 0, math.cos(angle)]
        blob, at = add_floats(told, blob, times, "SCALAR")
        blob, way = add_floats(told, blob, places, "VEC3")
        blob, yaw = add_floats(told, blob, turns, "VEC4")
        roots = told["scenes"][0]["nodes"]
        told["nodes"].append({"name": "Carrier", "children": roots})
        told["scenes"][0]["nodes"] = [len(told["nodes"]) - 1]
        for output, kind in ((way, "translation"), (yaw, "rotation")):
            animation["samplers"].append({"input": at, "output": output})
            animation["channels"].append({"sampler": len(animation["samplers"]) - 1,
                                          "target": {"node": len(told["nodes"]) - 1, "path": kind}})
        told["buffers"][0] = {"byteLength": len(blob)}
        chunk = blob + b"\0" * (-len(blob) % 4)
        (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
        write_glb(self.folder / path, told, struct.pack("<II", len(chunk), 0x004E4942) + chunk)
        return end

    def told(self, *words):
        result = program.sinew("info", self.folder / "pack", "--json", *words, SINEW_CACHE="off")
        self.assertEqual(result.status, 0, result)
        told = json.loads(result.out)
        return told, {clip["name"]: clip for clip in told["clips"]}

    def test_a_row_says_how_a_clip_moves(self):
        """Travel and turn that the test put in come out, whatever the hero does within."""
        end = self.clip("pack/body.glb", "Idle", meshes=True)
        self.clip("pack/ahead.glb", "Idle", travel=(0, 0, 2))
        self.clip("pack/aside.glb", "Idle", travel=(1.5, 0, 0))
        self.clip("pack/turn.glb", "Idle", turn=-150)
        told, clips = self.told()
        self.assertTrue(told["model"].endswith("pack/body.glb"), told["model"])
        self.assertEqual(sorted(clips), ["Idle", "ahead", "aside", "turn"])
        still = clips["Idle"]
        for name, x, z in (("Idle", 0, 0), ("ahead", 0, 2), ("aside", 1.5, 0), ("turn", 0, 0)):
            clip = clips[name]
            self.assertAlmostEqual(clip["duration"], end, 3)
            self.assert_near(clip["velocity"], [x / end, 0, z / end], 0.02, name)
            self.assertAlmostEqual(clip["speed"], math.hypot(x, z) / end, delta=0.02, msg=name)
            self.assertAlmostEqual(math.degrees(clip["turn"]), -150 if name == "turn" else 0, delta=1, msg=name)
            self.assertAlmostEqual(clip["seam"], still["seam"], delta=0.002, msg=f"{name}: its way is no gap")
        self.assertLess(still["slide"], 0.02)
        self.assertAlmostEqual(clips["ahead"]["slide"], 2 / end, delta=0.03, msg="feet that stand are dragged along")
        self.assertEqual(still["verdict"], "its own")
        self.assertTrue(clips["ahead"]["verdict"].startswith("copied"), clips["ahead"])

    def test_hips_that_swing_do_not_go_sideways(self):
        """A clip goes where its hips are at its end, as blend spaces have it."""
        self.clip("pack/run.glb", "RunRoot", meshes=True)
        clip = self.told()[1]["RunRoot"]
        dump = self.pose(self.folder / "pack/run.glb", "RunRoot", [0, clip["duration"]])
        hips = [node["name"] for node in dump["nodes"]].index("Hips")
        begin, end = (frame["world"][hips][12:15] for frame in dump["clips"][0]["frames"])
        self.assert_near(clip["velocity"], [(b - a) / clip["duration"] * (k != 1) for k, (a, b) in enumerate(zip(begin, end))], 0.01)

    def test_a_seam_is_the_gap_between_the_ends(self):
        """Half a walk ends on the other foot: the gap is what the poses of the two ends say."""
        self.clip("pack/walk.glb", "Walk", meshes=True)
        half = self.clip("half.glb", "Walk") / 2
        edit = ["--edit", f"Walk,0..{half}"]
        dump = self.pose(self.folder / "half.glb", "Walk", [0, half], "--unit", "1")
        names = [node["name"] for node in dump["nodes"]]
        begin, end = (dict(zip(names, frame["world"])) for frame in dump["clips"][0]["frames"])
        hips = [[w["Hips"][12], w["Hips"][14]] for w in (begin, end)]
        heading = [math.atan2(w["Hips"][8], w["Hips"][10]) for w in (begin, end)]
        turn = heading[1] - heading[0]
        gap = 0
        parents = [node["parent"] for node in dump["nodes"]]
        for i, name in enumerate(names):
            above = i
            while above >= 0 and names[above] != "Hips":
                above = parents[above]
            if above < 0:
                continue
            x, y, z = (end[name][12] - hips[1][0], end[name][13], end[name][14] - hips[1][1])
            x, z = x * math.cos(turn) - z * math.sin(turn), x * math.sin(turn) + z * math.cos(turn)
            gap = max(gap, math.dist((x, y, z), (begin[name][12] - hips[0][0], begin[name][13],
                                                 begin[name][14] - hips[0][1])))
        self.assertGreater(gap, 0.2)
        _, clips = self.told(*edit)
        self.assertAlmostEqual(clips["Walk"]["seam"], gap, delta=0.01)
        _, clips = self.told()
        self.assertLess(clips["Walk"]["seam"], 0.005, "a whole walk closes")

    def test_a_walk_on_the_spot_has_the_speed_of_its_feet(self):
        self.clip("pack/walk.glb", "Walk", meshes=True)
        end = self.clip("pack/carried.glb", "Walk", travel=(0, 0, 1.3))
        _, clips = self.told()
        spot, carried = clips["Walk"], clips["carried"]
        self.assertTrue(spot["on_the_spot"] and not carried["on_the_spot"], clips)
        self.assertAlmostEqual(carried["speed"], 1.3 / end, delta=0.05)
        self.assertGreater(spot["speed"], 0.8)
        self.assertLess(spot["slide"], 0.3)

    def test_paws_on_the_spot_go_as_fast_as_those_that_travel(self):
        (self.folder / "pack").mkdir()
        (self.folder / "pack/fox.glb").write_bytes((program.HERO.parent / "fox.glb").read_bytes())
        _, clips = self.told()
        for gait in ("Walk", "Trot", "Gallop"):
            spot, carried = clips[gait], clips[gait + "Root"]
            self.assertTrue(spot["on_the_spot"] and not carried["on_the_spot"], gait)
            self.assertAlmostEqual(spot["speed"], carried["speed"], delta=0.02 * carried["speed"], msg=gait)
        self.assertEqual(clips["Idle"]["speed"], 0)

    def test_rows_are_sorted(self):
        self.clip("pack/body.glb", "Idle", meshes=True)
        self.clip("pack/b.glb", "Walk", travel=(0, 0, 1))
        self.clip("pack/a.glb", "Walk", travel=(0, 0, 3))
        order = {"clip": ["Idle", "a", "b"], "-clip": ["b", "a", "Idle"], "-speed": ["a", "b", "Idle"],
                 "speed": ["Idle", "b", "a"], "file": ["a", "b", "Idle"]}
        for word, names in order.items():
            told, _ = self.told("--sort", word)
            self.assertEqual([c["name"] for c in told["clips"]], names, word)
        self.assert_says(program.sinew("info", self.folder / "pack", "--sort", "sped"), 2, "speed")

    def test_people_read_a_table(self):
        self.clip("pack/body.glb", "Idle", meshes=True)
        self.clip("pack/deep/go.glb", "Walk", travel=(0, 0, 2))
        self.write("pack/broken.glb", "no model")
        result = program.sinew("info", self.folder / "pack", SINEW_CACHE="off")
        self.assertEqual(result.status, 0, result)
        for word in ("2 clips on", "clip", "length", "speed", "seam", "slide", "its own", "copied", "go.glb", "Refused (1)",
                     "broken.glb"):
            self.assertIn(word, result.out)

    def test_another_model_can_carry_them(self):
        self.clip("pack/go.glb", "Walk", travel=(0, 0, 2))
        told, clips = self.told("--model", HERO)
        self.assertEqual(told["model"], str(HERO))
        self.assertIn("go", clips)
        self.assertIn("Wave", clips)
        told, clips = self.told()
        self.assertEqual(list(clips), ["Walk"], "without a skin the first file with clips carries them")

    def test_a_folder_without_clips_is_an_empty_table(self):
        self.clip("pack/body.glb", "Idle", meshes=True)
        told, rest = read_glb(self.folder / "pack/body.glb")
        del told["animations"]
        write_glb(self.folder / "pack/body.glb", told, rest)
        _, clips = self.told()
        self.assertEqual(clips, {})
        result = program.sinew("view", self.folder / "pack", "--headless", "--frames", "2", "--size", "96x64")
        self.assertEqual(result.status, 0, result)

    def test_a_folder_of_still_meshes_says_how_to_see_one(self):
        (self.folder / "still").mkdir()
        for i in range(3):
            self.write(f"still/{i}.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
        self.assert_says(program.sinew("info", self.folder / "still"), 1, "no file in it has a skin or clips",
                         "one of its 3", f"sinew view {self.folder}/still/0.obj")

    def test_a_folder_without_models_is_said(self):
        (self.folder / "pack").mkdir()
        self.assert_says(program.sinew("info", self.folder / "pack"), 1, "holds no model file")
        self.write("pack/broken.glb", "no model")
        self.assert_says(program.sinew("info", self.folder / "pack"), 1, "broken.glb")


if __name__ == "__main__":
    unittest.main()

"""Clip files that rest in mid-stride: of our hero, and by others where ../shared has them."""
import json
import math
import struct
import unittest

from imported import Case, inverse, product, program, read_glb, write_glb

HERO = program.ROOT / "assets/hero.glb"
REAL = program.ROOT.parent / "shared/models/real"
TIMES = [0, 0.13, 0.31, 0.5]


def rows(world):
    return [[world[4 * c + r] for c in range(4)] for r in range(4)]


def quaternion(m):
    """x, y, z, w of a rotation (Shepperd 1978)."""
    trace = m[0][0] + m[1][1] + m[2][2]
    values = [m[0][0], m[1][1], m[2][2], trace]
    k = values.index(max(values))
    if k == 3:
        q = [m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1], 1 + trace]
    else:
        i, j, n = k, (k + 1) % 3, (k + 2) % 3
        q = [0, 0, 0, m[n][j] - m[j][n]]
        q[i], q[j], q[n] = 1 + m[i][i] - m[j][j] - m[n][n], m[i][j] + m[j][i], m[i][n] + m[n][i]
    length = math.sqrt(sum(v * v for v in q))
    return [v / length for v in q]


class SameRig(Case):
    def clip_file(self, clip, change):
        """A file with one clip of the hero's and no meshes, whose nodes rest as `change` says."""
        told, rest = read_glb(HERO)
        for node in told["nodes"]:
            change(node["name"], node)
            node.pop("mesh", None), node.pop("skin", None)
        for key in ("meshes", "skins", "materials", "textures", "images", "samplers"):
            told.pop(key, None)
        told["animations"] = [a for a in told["animations"] if a["name"] == clip]
        for animation in told["animations"]:
            animation["channels"] = [c for c in animation["channels"] if c["target"]["path"] != "weights"]
        return write_glb(self.folder / f"stride {clip}.glb", told, rest)

    def mid_stride(self, clip, time, change=lambda name, node: None):
        """Its nodes rest as they stand in the clip at that moment."""
        dump = self.pose(HERO, clip, [time], "--raw")
        worlds = {node["name"]: rows(w) for node, w in zip(dump["nodes"], dump["clips"][0]["frames"][0]["world"])}
        above = {told["nodes"][child]["name"]: node["name"] for told in [read_glb(HERO)[0]]
                 for node in told["nodes"] for child in node.get("children", [])}
        def stand(name, node):
            local = product(inverse(worlds[above[name]]), worlds[name]) if name in above else worlds[name]
            node["translation"], node["rotation"] = [local[r][3] for r in range(3)], quaternion(local)
            change(name, node)
        return self.clip_file(clip, stand)

    def frames(self, model, clip, *words):
        dump = self.pose(model, clip, TIMES, *(words or ["--unit", "1"]))
        names = [node["name"] for node in dump["nodes"]]
        return [dict(zip(names, frame["world"])) for frame in dump["clips"][0]["frames"]]

    def told_of(self, model, clips):
        result = program.sinew("info", model, "--clips", clips, "--json", SINEW_CACHE="off")
        self.assertEqual(result.status, 0, result)
        return json.loads(result.out)

    def bare_hero(self, change=lambda name, node: None):
        """The hero without clips."""
        told, rest = read_glb(HERO)
        for node in told["nodes"]:
            change(node["name"], node)
        del told["animations"]
        return write_glb(self.folder / "bare.glb", told, rest)

    def assert_plays_alike(self, model, clips, clip):
        found, wanted = self.frames(model, clip, "--clips", str(clips)), self.frames(HERO, clip)
        for frame, (other, ours) in enumerate(zip(found, wanted)):
            for name in ours:
                self.assert_near(other[name], ours[name], 2e-3, f"{name} in frame {frame} of {clip}")
        self.assert_not_noted(self.told_of(model, clips), "does not fit")

    def test_a_rest_pose_in_mid_stride_is_no_other_rig(self):
        bare = self.bare_hero()
        for clip, time in (("Run", 0.2), ("Jump", 0.4), ("Wave", 1.0)):
            self.assert_plays_alike(bare, self.mid_stride(clip, time), clip)

    def test_a_clip_that_begins_late_begins_no_sooner(self):
        """Blender's clips begin with frame 1. A joint that they leave alone stands as in their file, from then on."""
        path = self.mid_stride("Walk", 0.31)
        told, rest = read_glb(path)
        arm = next(i for i, node in enumerate(told["nodes"]) if node["name"] == "LeftArm")
        chunk = bytearray(rest)
        animation, = told["animations"]
        animation["channels"] = [c for c in animation["channels"] if c["target"]["node"] != arm]
        for index in {animation["samplers"][c["sampler"]]["input"] for c in animation["channels"]}:
            accessor = told["accessors"][index]
            view = told["bufferViews"][accessor["bufferView"]]
            at = 8 + view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
            times = struct.unpack_from(f"<{accessor['count']}f", chunk, at)
            struct.pack_into(f"<{accessor['count']}f", chunk, at, *(t + 0.5 for t in times))
            for end in ("min", "max"):
                accessor[end] = [t + 0.5 for t in accessor[end]]
        late = write_glb(self.folder / "late.glb", told, bytes(chunk))
        own = self.told_of(HERO, path)["clips"][-1]
        clip = self.told_of(HERO, late)["clips"][-1]
        self.assertAlmostEqual(clip["start"], 0.5, delta=1e-5)
        self.assertAlmostEqual(clip["duration"], own["duration"], delta=1e-5)

    def translations(self, moved):
        """A file with one clip that only translates joints (name: moment to metres), and that rests as it begins."""
        told, rest = read_glb(HERO)  # the rest begins with 8 bytes of its own
        nodes = told["nodes"]
        times, channels, samplers = [0, 0.5], [], []
        rest += b"\0" * (-len(rest) % 4)

        def accessor(numbers, kind, **bounds):
            nonlocal rest
            told["bufferViews"].append({"buffer": 0, "byteOffset": len(rest) - 8, "byteLength": 4 * len(numbers)})
            rest += struct.pack(f"<{len(numbers)}f", *numbers)
            told["accessors"].append({"bufferView": len(told["bufferViews"]) - 1, "componentType": 5126, "type": kind,
                                      "count": len(times), **bounds})
            return len(told["accessors"]) - 1
        input_times = accessor(times, "SCALAR", min=[0], max=[0.5])
        for i, node in enumerate(nodes):
            if node.get("name") not in moved:
                continue
            keys = [[a + b for a, b in zip(node["translation"], moved[node["name"]](t))] for t in times]
            samplers.append({"input": input_times, "output": accessor([v for key in keys for v in key], "VEC3")})
            channels.append({"sampler": len(samplers) - 1, "target": {"node": i, "path": "translation"}})
            node["translation"] = keys[0]
        told["animations"] = [{"name": "Stretch", "channels": channels, "samplers": samplers}]
        told["buffers"][0]["byteLength"] = len(rest) - 8
        rest = struct.pack("<I", len(rest) - 8) + rest[4:]
        for node in nodes:
            node.pop("mesh", None), node.pop("skin", None)
        for key in ("meshes", "skins", "materials", "textures", "images"):
            told.pop(key, None)
        return write_glb(self.folder / "stretch.glb", told, rest)

    def test_a_clip_of_translations_that_rests_in_its_first_frame_is_no_other_rig(self):
        """The lengths of bones in such a file are those of one moment of the clip."""
        moved = {"Hips": lambda t: (0, 0.1 - 0.4 * t, 0), "Head": lambda t: (0, 0.03 - 0.12 * t, 0),
                 "Spine": lambda t: (0, 0.04 - 0.16 * t, 0), "LeftHand": lambda t: (0, 0.04 - 0.16 * t, 0),
                 "Neck": lambda t: (0, 0.03 - 0.12 * t, 0)}
        clips = self.translations(moved)
        told = self.told_of(self.bare_hero(), clips)
        self.assertFalse(told["clip_files"][0]["corrected"], told["clip_files"])
        found, own = (self.frames(*files) for files in ((self.bare_hero(), "#0", "--clips", str(clips)), (clips, "#0")))
        for frame, (ours, theirs) in enumerate(zip(found, own)):
            for name in ("Hips", "Head", "LeftHand", "LeftFoot"):
                self.assert_near(ours[name][12:15], theirs[name][12:15], 2e-3, f"{name} in frame {frame}")

    def test_an_offset_that_the_program_turned_is_no_other_rig(self):
        def turn_collar(name, node):
            if name == "LeftShoulder":
                x, y, z = node["translation"]
                node["translation"] = [0.94 * x - 0.342 * y, 0.342 * x + 0.94 * y, z]
        told = self.told_of(self.bare_hero(), self.mid_stride("Run", 0.2, turn_collar))
        self.assertFalse(told["clip_files"][0]["corrected"], told["clip_files"])

    def test_another_body_of_the_same_names_is_corrected_and_keeps_its_bones(self):
        def lengthen(name, node):
            if name in ("LeftArm", "LeftForeArm", "LeftHand", "RightArm", "RightForeArm", "RightHand",
                        "LeftLeg", "LeftFoot", "RightLeg", "RightFoot"):
                node["translation"] = [1.2 * x for x in node["translation"]]
            if name == "Hips":  # so that the feet stand on the ground
                node["translation"][1] += 0.2 * leg
        rest = self.pose(HERO, None, (), "--unit", "1")
        hip, foot = (rest["rest"]["world"][self.node(rest, name)][13] for name in ("LeftUpLeg", "LeftFoot"))
        leg = hip - foot
        model, clips = self.bare_hero(lengthen), self.mid_stride("Run", 0.2)
        told = self.told_of(model, clips)
        self.assertTrue(told["clip_files"][0]["corrected"], told["clip_files"])
        self.assert_not_noted(told, "does not fit")
        rest = self.pose(model, None, (), "--unit", "1")
        names = [node["name"] for node in rest["nodes"]]
        worlds = dict(zip(names, rest["rest"]["world"]))
        for frame in self.frames(model, "Run", "--clips", str(clips)):
            for a, b in (("LeftUpLeg", "LeftLeg"), ("LeftLeg", "LeftFoot"), ("LeftForeArm", "LeftHand")):
                self.assertAlmostEqual(math.dist(frame[a][12:15], frame[b][12:15]),
                                       math.dist(worlds[a][12:15], worlds[b][12:15]), 3)
            lowest = min(frame[name][13] for name in ("LeftToeBase", "RightToeBase", "LeftFoot", "RightFoot"))
            self.assertGreater(lowest, -0.05)

    def test_hips_whose_height_is_in_the_curves_stand_on_other_legs(self):
        """Motion capture may rest around the origin. On longer legs, feet are on the ground as they were on the others."""
        hero = self.pose(HERO, None, (), "--unit", "1")
        hip, foot = (hero["rest"]["world"][self.node(hero, name)][13] for name in ("LeftUpLeg", "LeftFoot"))
        def lengthen(name, node):
            if name in ("LeftLeg", "LeftFoot", "RightLeg", "RightFoot"):
                node["translation"] = [1.2 * x for x in node["translation"]]
            if name == "Hips":
                node["translation"][1] += 0.2 * (hip - foot)
        def sink(name, node):
            if name == "Hips":
                node["translation"] = [0, 0, 0]
        def lowest(frames):
            return min(frame[name][13] for frame in frames for name in ("LeftFoot", "RightFoot"))
        model, clips = self.bare_hero(lengthen), self.clip_file("Walk", sink)
        found = self.frames(model, "Walk", "--clips", str(clips))
        self.assertAlmostEqual(lowest(found), lowest(self.frames(HERO, "Walk")), delta=0.03)

    def test_what_does_not_fit_is_said(self):
        """The map exchanges thighs and shins: limbs point elsewhere."""
        result = program.sinew("info", self.bare_hero(), "--clips", HERO, "--json", "--map", "LeftArm=RightForeArm",
                               "--map", "RightForeArm=LeftArm", SINEW_CACHE="off")
        self.assertEqual(result.status, 0, result)
        self.assert_noted(json.loads(result.out), "does not fit this model well", "its limbs point")


class Armatures(Case):
    """The hero's clip from files whose armature another program has turned, grown and animated by what it is."""

    def clip_file(self, above, hero):
        """`above`: nodes over the hero, the outermost first, and `hero`: what its own node has; a member "still" is a
        constant curve of that property."""
        told, rest = read_glb(HERO)
        top = told["scenes"][0]["nodes"][0]
        told["animations"] = [a for a in told["animations"] if a["name"] == "Walk"]
        curves, nodes = told["animations"][0], told["nodes"]
        extra = b""
        start = told["buffers"][0]["byteLength"]
        def accessor(shape, numbers):
            nonlocal extra
            told["bufferViews"].append({"buffer": 0, "byteOffset": start + len(extra), "byteLength": 4 * len(numbers)})
            told["accessors"].append({"bufferView": len(told["bufferViews"]) - 1, "componentType": 5126, "type": shape,
                                      "count": len(numbers) // {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[shape]})
            extra += struct.pack(f"<{len(numbers)}f", *numbers)
            return len(told["accessors"]) - 1
        def place(index, how):
            still = how.pop("still", None)
            nodes[index].update(how)
            if not still:
                return
            curves["samplers"].append({"input": accessor("SCALAR", [0, 1]),
                                       "output": accessor("VEC4" if still == "rotation" else "VEC3", how[still] * 2)})
            curves["channels"].append({"sampler": len(curves["samplers"]) - 1,
                                       "target": {"node": index, "path": still}})
        place(top, hero)
        for number, how in enumerate(reversed(above)):
            nodes.append({"name": f"Armature {number}", "children": [top]})
            top = len(nodes) - 1
            place(top, how)
        told["scenes"][0]["nodes"] = [top]
        told["buffers"][0]["byteLength"] = start + len(extra)
        rest = rest[8:8 + start] + extra
        rest += bytes(-len(rest) % 4)
        path = self.folder / "clips.glb"
        return write_glb(path, told, struct.pack("<I4s", len(rest), b"BIN\0") + rest)

    def check(self, above, hero):
        path = self.clip_file(above, hero)
        own = len(self.info(HERO)["clips"])
        told = json.loads(program.sinew("info", HERO, "--clips", path, "--json", SINEW_CACHE="off").out)
        self.assertTrue(told["clips"][own]["fits"], told["notes"])
        wanted = self.pose(HERO, "Walk", TIMES, "--raw")["clips"][0]["frames"]
        found = self.pose(HERO, f"#{own}", TIMES, "--raw", "--clips", str(path))["clips"][0]["frames"]
        for a, b in zip(wanted, found, strict=True):
            for x, y in zip(a["world"], b["world"], strict=True):
                self.assertLess(math.dist(x[12:15], y[12:15]), 1e-3)
                self.assertLess(max(abs(p - q) for p, q in zip(x[:12], y[:12])), 1e-2)

    def test_turned_and_grown(self):
        half = 0.5 ** 0.5
        tall, left = [half, 0, 0, half], [0, half, 0, half]
        for above, hero in (([{"scale": [0.01] * 3}], {"scale": [100] * 3}),
                            ([{"scale": [0.01] * 3}], {"scale": [100] * 3, "still": "scale"}),
                            ([{"scale": [2] * 3, "rotation": left}], {}),
                            ([{"rotation": left, "still": "rotation"}], {}),
                            ([{"rotation": tall}, {"rotation": [-half, 0, 0, half], "still": "rotation"}], {}),
                            ([{"scale": [100] * 3, "still": "scale"}], {}),
                            ([], {"scale": [100] * 3, "still": "scale"})):
            with self.subTest(above=above, hero=hero):
                self.check([dict(how) for how in above], dict(hero))


@unittest.skipUnless((REAL / "clips_across.json").exists(), "../shared is absent")
class Across(Case):
    """Files by others, with the poses that their joints have in the clip's own file."""

    def check(self, pair):
        times = [frame["t"] for frame in pair["frames"]]
        model, clips = REAL / "files" / pair["model"], REAL / "files" / pair["clip_file"]
        names = [c["file_name"] for c in self.told(model, clips)["clips"]]
        clip = next(i for i, name in reversed(list(enumerate(names))) if name.startswith(pair["clip"]))
        dump = self.pose(model, f"#{clip}", times, "--clips", str(clips))
        index = {node["name"]: i for i, node in enumerate(dump["nodes"])}
        worst = 0
        for wanted, frame in zip(pair["frames"], dump["clips"][0]["frames"]):
            for role, place in wanted["at"].items():
                found = frame["world"][index[pair["joints_in_model"][role]]][12:15]
                worst = max(worst, math.dist(found, place))
        return worst

    def told(self, model, clips):
        return json.loads(program.sinew("info", model, "--clips", clips, "--json").out)

    def test_the_same_rig_plays_as_in_its_own_file(self):
        for pair in json.loads((REAL / "clips_across.json").read_text())["same_rig"]:
            with self.subTest(f"{pair['clip_file']} {pair['clip']} on {pair['model']}"):
                self.assertLess(self.check(pair), pair["tolerance_m"])


if __name__ == "__main__":
    unittest.main()

"""sinew pose: the JSON by which other programs check this one. The model is made here, its poses are computed here."""
import json
import math
import struct
import unittest

import program

POSITIONS = [(0, 0, 0), (1, 0, 0), (1, 1, 0)]
TIMES = (0.5, 1.0)


def gltf():
    """A triangle on two joints; the second is turned 90° about z, from 0.5 s to 1 s, and stands one metre along x."""
    half = math.sqrt(0.5)
    parts = [b"".join(struct.pack("<3f", *p) for p in POSITIONS), bytes([0, 1, 0, 0] * 3),
             struct.pack("<12f", 1, 0, 0, 0, 0.5, 0.5, 0, 0, 0, 1, 0, 0), struct.pack("<2f", *TIMES),
             struct.pack("<8f", 0, 0, 0, 1, 0, 0, half, half), struct.pack("<4H", 0, 1, 2, 0),
             struct.pack("<32f", *([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1] +
                                   [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -1, 0, 0, 1]))]
    shapes = [(5126, 3, "VEC3"), (5121, 3, "VEC4"), (5126, 3, "VEC4"), (5126, 2, "SCALAR"), (5126, 2, "VEC4"),
              (5123, 3, "SCALAR"), (5126, 2, "MAT4")]
    views, data = [], b""
    for part in parts:
        views.append({"buffer": 0, "byteOffset": len(data), "byteLength": len(part)})
        data += part
    accessors = [{"bufferView": i, "componentType": c, "count": n, "type": t} for i, (c, n, t) in enumerate(shapes)]
    accessors[0].update(min=[0, 0, 0], max=[1, 1, 0])
    return {
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 2]}],
        "nodes": [{"name": "a", "children": [1]}, {"name": 'b "quoted"', "translation": [1, 0, 0]},
                  {"name": "body", "mesh": 0, "skin": 0}],
        "skins": [{"joints": [0, 1], "inverseBindMatrices": 6}],
        "meshes": [{"name": "tri", "primitives": [
            {"attributes": {"POSITION": 0, "JOINTS_0": 1, "WEIGHTS_0": 2}, "indices": 5}]}],
        "animations": [{"name": "turn", "samplers": [{"input": 3, "output": 4}],
                        "channels": [{"sampler": 0, "target": {"node": 1, "path": "rotation"}}]}],
        "accessors": accessors, "bufferViews": views,
        "buffers": [{"uri": "tri.bin", "byteLength": len(data)}]}, data


def turned(angle, point):
    """The point, turned about z at (1, 0, 0)."""
    x, y = point[0] - 1, point[1]
    return (1 + x * math.cos(angle) - y * math.sin(angle), x * math.sin(angle) + y * math.cos(angle), point[2])


def nearly(point):
    """An order that rounding does not change."""
    return [round(x, 3) for x in point]


class Pose(program.Case):
    def setUp(self):
        super().setUp()
        model, data = gltf()
        self.write("tri.bin", data)
        self.model = self.write("tri.gltf", json.dumps(model))

    def pose(self, *words):
        result = program.sinew("pose", self.model, *words, "--json")
        self.assertEqual(result.status, 0, result)
        return json.loads(result.out)

    def assert_points(self, values, points):
        points = sorted(points, key=nearly)
        found = sorted((tuple(values[i:i + 3]) for i in range(0, len(values), 3)), key=nearly)
        self.assertEqual(len(found), len(points))
        for is_at, should in zip(found, points):
            for a, b in zip(is_at, should):
                self.assertAlmostEqual(a, b, delta=1e-4)

    def test_nodes_are_the_files(self):
        dump = self.pose("--raw")
        self.assertEqual(dump["nodes"], [{"name": "a", "parent": -1}, {"name": 'b "quoted"', "parent": 0},
                                         {"name": "body", "parent": -1}])
        self.assertEqual(dump["meshes"], [{"name": "tri", "node": 2}])
        self.assertEqual(dump["rest"]["world"][1], [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1])
        self.assertEqual(dump["rest"]["pos"], [])
        self.assertEqual(dump["clips"], [])

    def check_vertices(self, *words):
        dump = self.pose("--raw", "--vertices", "--clip", "turn", "--time", "0,0.5,0.6,0.75,1,9", *words)
        self.assert_points(dump["rest"]["pos"][0], POSITIONS)
        frames = dump["clips"][0]["frames"]
        self.assertEqual([frame["t"] for frame in frames], [0, 0.5, 0.6, 0.75, 1, 9])
        for frame in frames:
            share = min(max((frame["t"] - 0.5) / 0.5, 0), 1)
            angle = share * math.pi / 2
            half = [(a + b) / 2 for a, b in zip(POSITIONS[1], turned(angle, POSITIONS[1]))]
            self.assert_points(frame["pos"][0], [POSITIONS[0], tuple(half), turned(angle, POSITIONS[2])])
            self.assertAlmostEqual(frame["world"][1][0], math.cos(angle), delta=1e-4)
            self.assertAlmostEqual(frame["world"][1][1], math.sin(angle), delta=1e-4)

    def test_vertices_follow_the_joints(self):
        self.check_vertices()

    def test_the_gpu_agrees(self):
        probe = program.sinew("pose", self.model, "--vertices", "--gpu", "--json")
        if probe.status == 1 and "OpenGL" in probe.err:
            self.skipTest(probe.err.strip())
        self.check_vertices("--gpu")

    def test_clip_time_begins_at_the_clip(self):
        dump = self.pose("--clip", "#0", "--time=0.25", "--clip", "turn", "--time", "0")
        self.assertEqual([clip["index"] for clip in dump["clips"]], [0, 0])
        self.assertAlmostEqual(dump["clips"][0]["frames"][0]["world"][1][1], math.sin(math.pi / 4), delta=1e-4)
        self.assertAlmostEqual(dump["clips"][1]["frames"][0]["world"][1][1], 0, delta=1e-4)

    def test_the_command_line(self):
        self.assert_says(program.sinew("pose", self.model, "--clip", "trun", "--time", "0"), 1, "trun", "turn")
        self.assert_says(program.sinew("pose", self.model, "--clip", "#7", "--time", "0"), 1, "#7")
        self.assert_says(program.sinew("pose", self.model, "--clip", "turn"), 2, "--time")
        self.assert_says(program.sinew("pose", self.model, "--time", "0"), 2, "--clip")
        for times in ("", "x", "1,", "nan", "inf", "1;2"):
            self.assert_says(program.sinew("pose", self.model, "--clip", "turn", "--time", times), 2, "--time")


if __name__ == "__main__":
    unittest.main(verbosity=2)

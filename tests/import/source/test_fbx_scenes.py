"""Scenes at random, with everything that moves nodes: compared with fbx_truth.py at random moments, in every container.

    PYTHONPATH=tests/support python3 tests/import/source/test_fbx_scenes.py SEED …   says how far those scenes are off"""
import bisect
import itertools
import math
import random
import struct
import sys
import unittest

import fbx_truth as truth
from fbx_binary import binary
from fbx_truth import AUTO, BREAK, CLAMP, CONSTANT, CUBIC, INDEPENDENT, LINEAR, NEXT, PROGRESSIVE, TCB, USER
from imported import Case, IDENTITY, at, moved, product, scaled
from program import SANITIZED
from write_fbx import Fbx, TICKS, array

NAMES = {"T": "Lcl_Translation", "R": "Lcl_Rotation", "S": "Lcl_Scaling"}
RANGES = {"T": (-5, 5), "R": (-120, 120), "S": (0.5, 2)}
KINDS = {"linear": LINEAR, "constant": CONSTANT, "next": NEXT, "auto": CUBIC | AUTO, "spline": CUBIC | AUTO | INDEPENDENT,
         "progressive": CUBIC | AUTO | INDEPENDENT | PROGRESSIVE, "clamped": CUBIC | AUTO | CLAMP, "user": CUBIC | USER,
         "broken": CUBIC | USER | BREAK, "tcb": CUBIC | TCB}
AXES = [{}, {"UpAxis": 2, "UpAxisSign": 1, "FrontAxis": 1, "FrontAxisSign": -1, "CoordAxis": 0, "CoordAxisSign": 1},
        {"UpAxis": 0, "UpAxisSign": 1, "FrontAxis": 2, "FrontAxisSign": 1, "CoordAxis": 1, "CoordAxisSign": -1}]
CONTAINERS = [str.encode, lambda text: binary(text, 7400), lambda text: binary(text, 7500, deflated=True),
              lambda text: binary(text, 7400, big=True), lambda text: binary(text, 7500, big=True, deflated=True)]
PART = 4 if SANITIZED else 1  # of the scenes
# Of the scene's size, and of the largest scale for directions.
NEAR = 1e-3


def distance(keys, time):
    """From a time to the nearest of the keys, which are in order."""
    behind = bisect.bisect(keys, time)
    return min(abs(time - key) for key in keys[max(behind - 1, 0):behind + 1])


def single(number):
    return struct.unpack("f", struct.pack("f", number))[0]


class Scene:
    def __init__(self, seed, kinds=tuple(KINDS), most_layers=3):
        self.seed, self.random, self.kinds = seed, random.Random(seed), kinds
        self.nodes = []
        for _ in range(self.random.randint(2, 6)):
            self.nodes.append(self.node())
        self.begin = self.random.choice([0, 0.25, -0.5, 0.333])
        self.end = self.begin + self.random.choice([1, 1.7, 2.01])
        self.layers = [self.layer(i) for i in range(min(self.random.choice([1, 1, 2, 3]), most_layers))]

    def chance(self, part):
        return self.random.random() < part

    def vector(self, most):
        return tuple(round(self.random.uniform(-most, most), 3) for _ in range(3))

    def node(self):
        told = {"T": self.vector(5)}
        if self.chance(0.8):
            told["R"] = self.vector(170)
        if self.chance(0.6):
            uneven = tuple(round(self.random.uniform(0.5, 2) * self.random.choice([1, 1, 1, -1]), 3) for _ in range(3))
            told["S"] = uneven if self.chance(0.7) else (1.5, 1.5, 1.5)
        for name, part, value in (("RotationActive", 0.5, lambda: self.random.choice([0, 1])),
                                  ("RotationOrder", 0.5, lambda: self.random.randint(0, 5)),
                                  ("PreRotation", 0.5, lambda: self.vector(170)), ("PostRotation", 0.4, lambda: self.vector(170)),
                                  ("InheritType", 0.8, lambda: self.random.choice([0, 1, 2])),
                                  *((name, 0.3, lambda: self.vector(3)) for name in (
                                      "RotationOffset", "RotationPivot", "ScalingOffset", "ScalingPivot"))):
            if self.chance(part):
                told[name] = value()
        parent = self.random.randrange(len(self.nodes)) if self.nodes and self.chance(0.9) else None
        return truth.Node(parent, **told)

    def key(self, time, value, span):
        flags, data, weights = KINDS[self.random.choice(self.kinds)], (0, 0, 0), (1 / 3, 1 / 3)
        if flags & TCB and flags & CUBIC:
            data = tuple(single(self.random.uniform(-0.9, 0.9)) for _ in range(3))
        elif flags & USER:
            data = (single(self.random.uniform(-span, span)), single(self.random.uniform(-span, span)), 0)
            if self.chance(0.5):
                flags |= self.random.choice([0x1000000, 0x2000000, 0x3000000])
                weights = tuple(round(self.random.uniform(0.05, 0.99), 4) for _ in range(2))
        return truth.Key(round(time / 100 * TICKS), value, flags, data, weights)

    def curve(self, low, high):
        times = range(round(self.begin * 100) - 30, round(self.end * 100) + 30)
        keys = []
        for time in sorted(self.random.sample(times, self.random.choice([1, 2, 3, 5]))):
            value = keys[-1].value if keys and self.chance(0.2) else single(self.random.uniform(low, high))
            keys.append(self.key(time, value, high - low))
        for key, following in zip(keys, keys[1:]):
            if following.flags & AUTO and not key.is_tcb:
                key.data = (key.data[0], 0, key.data[2])  # it would be a bias
        ends = [(self.random.choice("CCKRMA"), self.random.choice([-1, -1, 1, 2, 0])) for _ in range(2)]
        return truth.Curve(keys, TICKS, *ends)

    def layer(self, index):
        curves = {(i, name): [self.curve(*RANGES[name]) for _ in range(3)]
                  for i in range(len(self.nodes)) for name in "TRS" if self.chance(0.4)}
        curves = curves or {(0, "T"): [self.curve(*RANGES["T"]) for _ in range(3)]}
        if index == 0:
            return truth.Layer(curves)
        weight = self.random.choice([100, 50, 30, self.curve(0, 120)])
        return truth.Layer(curves, weight, self.random.choice([0, 1, 2]), self.chance(0.5), self.chance(0.5))

    def text(self, more=lambda fbx, models, layers: None):
        fbx = Fbx(UnitScaleFactor=self.random.choice([1.0, 100.0, 2.54]), **self.random.choice(AXES))
        models = []
        for i, node in enumerate(self.nodes):
            told = {NAMES.get(name, name): value for name, value in node.told.items()}
            models.append(fbx.model(f"n{i}", 0 if node.parent is None else models[node.parent], **told))
        layers = fbx.layered("Wave", self.begin, self.end, [
            {"BlendMode": layer.mode, "RotationAccumulationMode": int(layer.by_channel),
             "ScaleAccumulationMode": int(layer.adds_scale), "Weight": truth.read(layer.weight, 0)} for layer in self.layers])
        for layer, made in zip(self.layers, layers):
            for (i, name), curves in layer.curves.items():
                fbx.keyed(made, models[i], NAMES[name].replace("_", " "), curves)
            if isinstance(layer.weight, truth.Curve):
                fbx.keyed(made, made, "Weight", [layer.weight])
        more(fbx, models, layers)
        return fbx.text()

    def older_text(self):
        """In version 6.1, which has takes, letters for keys, and no layers."""
        models, takes, ties = [], [], []
        for i, node in enumerate(self.nodes):
            told = "\n".join(older_property(name, value) for name, value in node.told.items())
            models.append(f'Model: "Model::n{i}", "LimbNode" {{\nProperties60: {{\n{told}\n}}\n}}')
            ties.append(f'Connect: "OO", "Model::n{i}", "Model::{"Scene" if node.parent is None else f"n{node.parent}"}"')
            channels = "\n".join(older_channel(name, [
                older_channel(axis, older_curve(curve)) for axis, curve in zip("XYZ", self.layers[0].curves[i, name])])
                for name in "TRS" if (i, name) in self.layers[0].curves)
            takes.append(f'Model: "Model::n{i}" {{\n{older_channel("Transform", [channels])}\n}}')
        span = f"{round(self.begin * TICKS)},{round(self.end * TICKS)}"
        return "\n".join(["; FBX 6.1.0 project file", "FBXHeaderExtension: {", "FBXVersion: 6100", "}", "Objects: {", *models,
                          "}", "Connections: {", *ties, "}", 'Takes: {', 'Take: "Wave" {', f"LocalTime: {span}", *takes, "}",
                          "}", ""])

    def has_scales(self, time):
        """Children are divided by their parents' scales, and none can be by what passes through zero."""
        scales = [truth.blended(self.layers, i, "S", node.get("S", (1, 1, 1)), time) for i, node in enumerate(self.nodes)]
        return min(abs(s) for scale in scales for s in scale) > 0.1

    def moments(self, more=()):
        """Not where something may jump."""
        curves = [*more] + [curve for layer in self.layers for curves in (*layer.curves.values(), [layer.weight]) for curve in curves
                  if isinstance(curve, truth.Curve)]
        keys = set()
        for times in (curve.times for curve in curves):
            for n in range(-40, 41):
                keys |= {time + n * (times[-1] - times[0]) for time in times}
                keys |= {times[0] + times[-1] - time + n * (times[-1] - times[0]) for time in times}
        keys = sorted(keys)
        drawn = [round(self.random.uniform(self.begin, self.end) * TICKS) for _ in range(200)]
        found = (time for time in drawn if distance(keys, time) > 2e-4 * TICKS and self.has_scales(time))
        return list(itertools.islice(found, 9)) or [round(self.begin * TICKS)]

    def size(self):
        at = [[m[k][3] for k in range(3)] for m in truth.place(self.nodes)]
        return max(max(p[k] for p in at) - min(p[k] for p in at) for k in range(3)) or 1


class Body:
    """A triangle that the joints of a scene move: a skin with every number of influences, shapes in between, a geometric
    transform."""

    def __init__(self, scene):
        self.scene = scene
        self.points = [scene.vector(4) for _ in range(3)]
        self.geometric = {name: scene.vector(most) for name, most in (("GeometricTranslation", 3), ("GeometricRotation", 90))}
        self.geometric["GeometricScaling"] = (1.5, 0.75, 2)
        self.clusters = [(i, {v: round(scene.random.uniform(0.1, 1), 3) for v in range(3) if scene.chance(0.6)}, self.rigid())
                         for i in range(min(len(scene.nodes), 4))]
        self.shapes = [({v: scene.vector(2) for v in range(3)}, full) for full in scene.random.choice([[100], [40, 100]])]
        self.percent = scene.curve(0, 100)
        self.percent.before = self.percent.after = ("C", -1)
        for key in self.percent.keys:
            key.flags, key.data = LINEAR, (0, 0, 0)

    def rigid(self):
        return product(moved(*self.scene.vector(3)), truth.rotation(self.scene.vector(90)))

    def write(self, fbx, models, layers):
        model = fbx.model("body", 0, "Mesh", Lcl_Translation=(1, 2, 3), **self.geometric)
        geometry = fbx.mesh(model, self.points)
        fbx.skin(geometry, [(models[i], weights, IDENTITY, bind) for i, weights, bind in self.clusters])
        (moves, _), *more = self.shapes
        channel = fbx.shape(geometry, moves, 0)
        for moves, _ in more:
            fbx.connect(fbx.add("Geometry", "Geometry::More", "Shape", "\n".join([
                array("Indexes", list(moves)), array("Vertices", [v for move in moves.values() for v in move])])), channel)
        fbx.objects = [text.replace(array("FullWeights", [100]), array("FullWeights", [full for _, full in self.shapes]))
                       for text in fbx.objects]
        fbx.keyed(layers[0], channel, "DeformPercent", [self.percent])

    def shifts(self, percent):
        """Of each shape: lines from none to the first, and from each to the next, and on behind the last."""
        if len(self.shapes) == 1:
            return [percent / self.shapes[0][1]]
        first, second = (full for _, full in self.shapes)
        part = (percent - first) / (second - first)
        return [percent / first, 0] if percent < first else [1 - part, part]

    def at(self, time):
        worlds = truth.place(self.scene.nodes, self.scene.layers, time)
        geometric = product(moved(*self.geometric["GeometricTranslation"]), truth.rotation(self.geometric["GeometricRotation"]),
                            scaled(*self.geometric["GeometricScaling"]))
        found = []
        for v, point in enumerate(self.points):
            parts = self.shifts(self.percent.value(time))
            point = at(geometric, [p + sum(part * moves[v][k] for part, (moves, _) in zip(parts, self.shapes))
                                   for k, p in enumerate(point)])
            weights = [(weights[v], product(worlds[i], bind)) for i, weights, bind in self.clusters if v in weights]
            whole = sum(weight for weight, _ in weights)
            seen = [(weight / whole, at(m, point)) for weight, m in weights] or [(1, at(moved(1, 2, 3), point))]
            found.append([sum(weight * p[k] for weight, p in seen) for k in range(3)])
        return found


def older_property(name, value):
    name = NAMES.get(name, name).replace("_", " ")
    kind = name if name.startswith("Lcl") else "Vector3D" if isinstance(value, tuple) else "enum"
    return f'Property: "{name}", "{kind}", "A+",{",".join(map(repr, value)) if isinstance(value, tuple) else value}'


def older_channel(name, lines):
    return "\n".join([f'Channel: "{name}" {{', *lines, "}"])


def older_key(key):
    words = [str(key.time), repr(key.value)]
    if not key.is_cubic:
        return words + (["L"] if key.flags == LINEAR else ["C", "n" if key.flags == NEXT else "s"])
    if key.flags & AUTO:
        return words + ["U", "a", "n"]
    right, left = bool(key.flags & truth.WEIGHTED_RIGHT), bool(key.flags & truth.WEIGHTED_NEXT_LEFT)
    told = [repr(w) for w, given in zip(key.weights, (right, left)) if given]
    return words + ["U", "b" if key.flags & BREAK else "s", repr(key.data[0]), repr(key.data[1]),
                    "a" if right and left else "r" if right else "l" if left else "n", *told]


def older_curve(curve):
    return ["Default: 0", "KeyVer: 4005", f"KeyCount: {len(curve.keys)}",
            "Key: " + ",".join(word for key in curve.keys for word in older_key(key)),
            *(f"{side}-Extrapolation: {{\nType: {kind}\nRepetition: {count}\n}}"
              for side, (kind, count) in (("Pre", curve.before), ("Post", curve.after)))]


class FbxScenes(Case):
    def error(self, scene, text=None):
        path = self.write("model.fbx", text or CONTAINERS[scene.seed % len(CONTAINERS)](scene.text()))
        moments, size, worst = scene.moments(), scene.size(), 0
        dump = self.pose(path, "Wave", [(time / TICKS - scene.begin) for time in moments])
        frames = [(dump["rest"], truth.place(scene.nodes))] + [
            (frame, truth.place(scene.nodes, scene.layers, time)) for frame, time in zip(dump["clips"][0]["frames"], moments)]
        for frame, expected in frames:
            for i, m in enumerate(expected):
                found = frame["world"][self.node(dump, f"n{i}")]
                scale = max(math.hypot(*(m[r][c] for r in range(3))) for c in range(3))
                off = [abs(found[4 * c + r] - m[r][c]) / (size if c == 3 else scale) for r in range(3) for c in range(4)]
                worst = max(worst, *off)
        return worst

    def test_scenes_at_random(self):
        for seed in range(24 // PART):
            with self.subTest(seed=seed):
                self.assertLess(self.error(Scene(seed)), NEAR)

    def test_skins_and_shapes_at_random(self):
        for seed in range(2000, 2000 + 16 // PART):
            with self.subTest(seed=seed):
                scene = Scene(seed, ("linear", "constant", "progressive", "user"), 1)
                body = Body(scene)
                path = self.write("model.fbx", CONTAINERS[seed % len(CONTAINERS)](scene.text(body.write)))
                moments = scene.moments([body.percent])
                dump = self.pose(path, "Wave", [time / TICKS - scene.begin for time in moments])
                for frame, time in zip(dump["clips"][0]["frames"], moments):
                    points = body.at(time)
                    size = max(abs(v) for point in points for v in point)
                    self.assert_points(frame["pos"][0], points, NEAR * max(size, scene.size()))

    def test_older_scenes_at_random(self):
        kinds = ["linear", "constant", "next", "progressive", "user", "broken"]
        for seed in range(12 // PART):
            with self.subTest(seed=seed):
                scene = Scene(1000 + seed, kinds, 1)
                self.assertLess(self.error(scene, scene.older_text()), NEAR)


if __name__ == "__main__":
    if len(sys.argv) > 1 and sys.argv[1].isdigit():
        case = FbxScenes()
        case.setUp()
        for number in map(int, sys.argv[1:]):
            print(number, case.error(Scene(number)))
    else:
        unittest.main()

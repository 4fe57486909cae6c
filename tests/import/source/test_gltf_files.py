"""glTF files of our own, each with one thing in it that importers get wrong; values are computed from the specification."""
import json
import math
import struct
import unittest

from imported import Case, moved, program
from write_gltf import Gltf

POINTS = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
HALF = math.sqrt(0.5)


def hermite(p0, m0, p1, m1, u, length):
    return [(2 * u**3 - 3 * u**2 + 1) * a + (u**3 - 2 * u**2 + u) * length * b + (3 * u**2 - 2 * u**3) * c +
            (u**3 - u**2) * length * d for a, b, c, d in zip(p0, m0, p1, m1)]


def matrix(move=(0, 0, 0), turn=(0, 0, 0, 1), scale=(1, 1, 1)):
    length = math.sqrt(sum(v * v for v in turn))
    x, y, z, w = (v / length for v in turn)
    rows = [[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]]
    return [[row[c] * scale[c] for c in range(3)] + [move[r]] for r, row in enumerate(rows)] + [[0, 0, 0, 1]]


class GltfFiles(Case):
    def save(self, gltf):
        return self.write("model.gltf", gltf.text())

    def cooked_size(self, path):
        self.assertEqual(program.sinew("cook", path, "-o", path.with_suffix(".sinew")).status, 0)
        return path.with_suffix(".sinew").stat().st_size

    # ---- curves ----

    KEYS = {"translation": ("move", [0, 0, 0], [4, 2, 0]), "rotation": ("turn", [0, 0, 0, 1], [0, 0, HALF, HALF]),
            "scale": ("scale", [1, 1, 1], [2, 3, 4])}

    def test_every_mode_on_every_path(self):
        """(6)"""
        for path, (word, first, last) in self.KEYS.items():
            slope = [0.5 * (i + 1) for i in range(len(first))]
            for mode in ("STEP", "LINEAR", "CUBICSPLINE"):
                gltf = Gltf()
                gltf.node(name="a")
                zeros = [0] * len(first)
                numbers = zeros + first + slope + slope + last + zeros if mode == "CUBICSPLINE" else first + last
                gltf.animation("clip", [(0, path, [1, 3], numbers, mode)])
                dump = self.pose(self.save(gltf), "clip", [0, 1, 1.5, 2.75, 3, 9])
                for frame, u in enumerate((0, 0, 0.25, 0.875, 1, 1)):
                    value = hermite(first, slope, last, slope, u, 2)
                    if mode == "STEP":
                        value = last if u == 1 else first
                    if mode == "LINEAR" and path == "rotation":
                        value = [0, 0, math.sin(u * math.pi / 4), math.cos(u * math.pi / 4)]
                    elif mode == "LINEAR":
                        value = [a + u * (b - a) for a, b in zip(first, last)]
                    with self.subTest(path=path, mode=mode, u=u):
                        self.assert_world(dump, frame, "a", matrix(**{word: value}), 2e-3)

    def test_cubic_weights_of_two_targets(self):
        """A key holds all in-tangents, then all values, then all out-tangents; below 0 and above 1 too. (11)"""
        gltf = Gltf()
        moves = [gltf.positions([(0, 0, k), (0, 0, 0), (0, 0, 0)]) for k in (1, 10)]
        gltf.mesh({"POSITION": gltf.positions()}, targets=[{"POSITION": m} for m in moves])
        gltf.node(name="a", mesh=0, weights=[0.5, 0])
        gltf.animation("clip", [(0, "weights", [0, 1], [0, 0, -1, 0, 0, 4, 0, 0, 2, 1, 0, 0], "CUBICSPLINE")])
        dump = self.pose(self.save(gltf), "clip", [0, 0.5, 1])
        self.assert_points(dump["rest"]["pos"][0], [(0, 0, 0.5), POINTS[1], POINTS[2]])
        for frame, u in enumerate((0, 0.5, 1)):
            first, second = hermite([-1, 0], [0, 4], [2, 1], [0, 0], u, 1)
            self.assert_points(dump["clips"][0]["frames"][frame]["pos"][0],
                               [(0, 0, first + 10 * second), POINTS[1], POINTS[2]], 2e-3)

    def test_keys_with_more_weights_than_targets(self):
        """Each key's first weights are the target's; keys of unequal numbers fit nothing."""
        for numbers, expected, note in (([0, 7, 7, 1, 7, 7], 0.5, "3 weights"), ([0, 7, 7, 1, 7], 0, "do not fit")):
            gltf = Gltf()
            gltf.mesh({"POSITION": gltf.positions()}, targets=[{"POSITION": gltf.positions([(0, 0, 1), (0, 0, 0), (0, 0, 0)])}])
            gltf.node(name="a", mesh=0)
            gltf.animation("clip", [(0, "weights", [0, 1], numbers, "LINEAR")])
            path = self.save(gltf)
            self.assert_noted(self.info(path), "1 target", note)
            frame = self.pose(path, "clip", [0.5])["clips"][0]["frames"][0]
            self.assert_points(frame["pos"][0], [(0, 0, expected), POINTS[1], POINTS[2]], 1e-3)

    def test_a_weight_that_a_clip_holds_at_zero(self):
        """It is not the weight at rest: that one counts where no curve says another."""
        gltf = Gltf()
        moves = [gltf.positions([(0, 0, k), (0, 0, 0), (0, 0, 0)]) for k in (1, 10, 100)]
        gltf.mesh({"POSITION": gltf.positions()}, targets=[{"POSITION": m} for m in moves])
        for name in "ab":
            gltf.node(name=name, mesh=0, weights=[0.5, 0.25, 0.125])
        gltf.animation("none", [(0, "weights", [0, 1], [0] * 6, "LINEAR")])
        gltf.animation("some", [(0, "weights", [0, 1], [0, 2, 0, 0, 3, 0], "LINEAR")])
        path, rest = self.save(gltf), 0.5 + 2.5 + 12.5
        for clip, heights in (("none", (0, 0)), ("some", (20, 30))):
            frames = self.pose(path, clip, [0, 1])["clips"][0]["frames"]
            for frame, height in zip(frames, heights):
                self.assert_points(frame["pos"][0], [(0, 0, height), POINTS[1], POINTS[2]])
                self.assert_points(frame["pos"][1], [(0, 0, rest), POINTS[1], POINTS[2]])

    def test_a_curve_for_one_property_leaves_the_others_at_rest(self):
        gltf = Gltf()
        gltf.node(name="a", translation=[1, 2, 3], scale=[2, 2, 2])
        gltf.animation("clip", [(0, "rotation", [0, 1], [0, 0, 0, 1, 0, 0, HALF, HALF], "LINEAR")])
        dump = self.pose(self.save(gltf), "clip", [1])
        self.assert_world(dump, 0, "a", matrix((1, 2, 3), (0, 0, HALF, HALF), (2, 2, 2)))

    def test_clips_of_one_name_and_without_one(self):
        """(5)"""
        gltf = Gltf()
        gltf.node(name="a")
        for name, x in (("go", 1), ("go", 2), (None, 3), (None, 4)):
            gltf.animation(name, [(0, "translation", [0], [x, 0, 0], "LINEAR")])
        path = self.save(gltf)
        self.assertEqual([clip["name"] for clip in self.info(path)["clips"]], ["go", "go 2", "model", "model 2"])
        for index in range(4):
            self.assert_world(self.pose(path, f"#{index}", [0]), 0, "a", moved(index + 1, 0, 0))
        self.assert_world(self.pose(path, "model 2", [0]), 0, "a", moved(4, 0, 0))

    def test_a_clip_in_which_nothing_moves_has_a_length(self):
        gltf = Gltf()
        gltf.node(name="a")
        gltf.animation("still", [(0, "translation", [0, 2], [1, 2, 3] * 2, "LINEAR")])
        path = self.save(gltf)
        clip, = self.info(path)["clips"]
        self.assertEqual((clip["duration"], clip["rate"]), (2, 0))
        self.assert_world(self.pose(path, "still", [1]), 0, "a", moved(1, 2, 3))

    # ---- data ----

    def test_quantised_positions(self):
        """(7)"""
        gltf = Gltf()
        numbers = [32767 * v for p in POINTS for v in p]
        gltf.mesh({"POSITION": gltf.accessor("VEC3", numbers, 5122, normalized=True, min=[0] * 3, max=[32767] * 3)})
        gltf.node(mesh=0)
        self.assert_points(self.pose(self.save(gltf))["rest"]["pos"][0], POINTS)

    def test_the_lowest_of_signed_integers_is_minus_one(self):
        """−32768 and −32767 both mean −1."""
        for component, low in ((5122, -32768), (5120, -128)):
            for place in (low, low + 1):
                gltf = Gltf()
                numbers = [0, 0, 0, -low - 1, 0, 0, place, -low - 1, 0]
                if component == 5120:
                    numbers = [v for i in range(3) for v in [*numbers[3 * i:3 * i + 3], 0]]  # elements begin at multiples of 4
                view = gltf.view(struct.pack(f"<{len(numbers)}{'h' if component == 5122 else 'b'}", *numbers))
                if component == 5120:
                    gltf.views[view]["byteStride"] = 4
                gltf.accessors.append({"bufferView": view, "componentType": component, "type": "VEC3", "count": 3,
                                       "normalized": True})
                gltf.mesh({"POSITION": 0})
                gltf.node(mesh=0, scale=[100] * 3)
                self.assert_points(self.pose(self.save(gltf))["rest"]["pos"][0], [(0, 0, 0), (100, 0, 0), (-100, 100, 0)])

    def test_elements_that_are_not_in_the_file_are_not_read(self):
        """Of each kind, the last one that fits, and one that is an element too far."""
        def shifted(gltf, by):
            view = gltf.view(struct.pack("<12f", 9, 9, 9, *(v for p in POINTS for v in p)))
            gltf.accessors.append({"bufferView": view, "componentType": 5126, "type": "VEC3", "count": 3, "byteOffset": by})
        def counted(gltf, by):
            gltf.positions()
            gltf.accessors[0]["count"] = by
        def sparse(gltf, indices, values):
            gltf.positions()
            places = gltf.view(struct.pack(f"<{len(indices)}H", *indices))
            found = gltf.view(struct.pack(f"<{len(values)}f", *values))
            gltf.accessors[0]["sparse"] = {"count": len(indices), "indices": {"bufferView": places, "componentType": 5123},
                                           "values": {"bufferView": found}}
        cases = {"offset": (lambda g: shifted(g, 12), lambda g: shifted(g, 16)),
                 "count": (lambda g: counted(g, 3), lambda g: counted(g, 4)),
                 "sparse index": (lambda g: sparse(g, [2], [0, 1, 0]), lambda g: sparse(g, [3], [0, 1, 0])),
                 "sparse values": (lambda g: sparse(g, [1, 2], [1, 0, 0, 0, 1, 0]), lambda g: sparse(g, [1, 2], [1, 0, 0, 0, 1])),
                 "sparse count": (lambda g: sparse(g, [0, 1, 2], [0, 0, 0, 1, 0, 0, 0, 1, 0]),
                                  lambda g: sparse(g, [0, 1, 2, 2], [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0]))}
        for name, ways in cases.items():
            for wrong, way in enumerate(ways):
                with self.subTest(name=name, wrong=wrong):
                    gltf = Gltf()
                    way(gltf)
                    gltf.mesh({"POSITION": 0})
                    gltf.node(mesh=0)
                    told = program.sinew("info", self.save(gltf), "--json", SINEW_CACHE="off")
                    self.assertEqual(told.status, 0, told)
                    meshes = json.loads(told.out)["meshes"]
                    self.assertEqual(sum(mesh["triangles"] for mesh in meshes), 0 if wrong else 1, told)

    def test_sparse_positions(self):
        gltf = Gltf()
        positions = gltf.positions()
        places, values = gltf.accessor("SCALAR", [2], 5123), gltf.accessor("VEC3", [0, 5, 0])
        gltf.accessors[positions]["sparse"] = {
            "count": 1, "indices": {"bufferView": gltf.accessors[places]["bufferView"], "componentType": 5123},
            "values": {"bufferView": gltf.accessors[values]["bufferView"]}}
        gltf.mesh({"POSITION": positions})
        gltf.node(mesh=0)
        self.assert_points(self.pose(self.save(gltf))["rest"]["pos"][0], [POINTS[0], POINTS[1], (0, 5, 0)])

    def test_sparse_parts_at_a_stride(self):
        """Indices and values may lie apart in their views, with other bytes between them, and begin at an offset."""
        gltf = Gltf()
        positions = gltf.positions()
        places = gltf.view(struct.pack("<4H", 9, 2, 9, 0))
        values = gltf.view(struct.pack("<11f", 99, 0, 5, 0, 99, 99, 7, 0, 1, 99, 99))
        gltf.views[places]["byteStride"], gltf.views[values]["byteStride"] = 4, 20
        gltf.accessors[positions]["sparse"] = {
            "count": 2, "indices": {"bufferView": places, "componentType": 5123, "byteOffset": 2},
            "values": {"bufferView": values, "byteOffset": 4}}
        gltf.mesh({"POSITION": positions})
        gltf.node(mesh=0)
        self.assert_points(self.pose(self.save(gltf))["rest"]["pos"][0], [(7, 0, 1), POINTS[1], (0, 5, 0)])

    def test_many_sparse_morph_targets(self):
        """Target k moves the first point by k + 1, and stores nothing else."""
        gltf = Gltf()
        place, targets = gltf.accessor("SCALAR", [0], 5123), []
        for k in range(70):
            value = gltf.accessor("VEC3", [0, 0, k + 1])
            gltf.accessors.append({"componentType": 5126, "type": "VEC3", "count": 3, "sparse": {
                "count": 1, "indices": {"bufferView": gltf.accessors[place]["bufferView"], "componentType": 5123},
                "values": {"bufferView": gltf.accessors[value]["bufferView"]}}})
            targets.append({"POSITION": len(gltf.accessors) - 1})
        gltf.mesh({"POSITION": gltf.positions()}, targets=targets)
        gltf.node(mesh=0, weights=[{3: -1, 69: 0.5}.get(k, 0) for k in range(70)])
        self.assert_points(self.pose(self.save(gltf))["rest"]["pos"][0], [(0, 0, 70 / 2 - 4), POINTS[1], POINTS[2]])

    def test_points_and_lines_are_left_out(self):
        """(3)"""
        gltf = Gltf()
        positions = gltf.positions()
        gltf.mesh({"POSITION": positions})
        gltf.meshes[0]["primitives"] += [{"attributes": {"POSITION": positions}, "mode": mode} for mode in (0, 1, 3)]
        gltf.node(mesh=0)
        self.assertEqual([mesh["triangles"] for mesh in self.info(self.save(gltf))["meshes"]], [1])

    def test_strips_and_fans(self):
        """Six points of two rows as a strip and of a half circle as a fan, with and without indices; each shows its area."""
        strip = [(x, y, 0) for x in range(3) for y in (1, 0)]
        fan = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (-1, 1, 0), (-1, 0, 0)]
        for mode, points in ((5, strip), (6, fan)):
            for indexed in (False, True):
                gltf = Gltf()
                indices = {"indices": gltf.accessor("SCALAR", range(6), 5121)} if indexed else {}
                gltf.mesh({"POSITION": gltf.positions(points)}, mode=mode, **indices)
                gltf.node(mesh=0)
                path = self.save(gltf)
                with self.subTest(mode=mode, indexed=indexed):
                    self.assertEqual([mesh["triangles"] for mesh in self.info(path)["meshes"]], [4])
                    self.assert_points(self.pose(path)["rest"]["pos"][0], points)

    def test_a_part_keeps_the_vertices_that_it_uses(self):
        """Two primitives that share one array of six points."""
        gltf = Gltf()
        points = [(x, y, z) for z in (0, 5) for x, y, _ in POINTS]
        positions, normals = gltf.positions(points), gltf.accessor("VEC3", [0, 0, 1] * 6)
        for first in (0, 3):
            gltf.mesh({"POSITION": positions, "NORMAL": normals}, indices=gltf.accessor("SCALAR", [first, first + 1, first + 2], 5121))
        gltf.meshes[0]["primitives"] += gltf.meshes.pop()["primitives"]
        gltf.node(mesh=0)
        found = self.pose(self.save(gltf))["rest"]["pos"]
        self.assert_points(found[0], points[:3])
        self.assert_points(found[1], points[3:])

    def test_a_mesh_that_many_nodes_show_is_kept_once(self):
        """300 points at forty nodes, each with a weight of its own for the target that lifts the first point."""
        gltf = Gltf()
        points = [(i, j, 0) for i in range(10) for j in range(30)]
        lift = gltf.positions([(0, 0, 1)] + [(0, 0, 0)] * 299)
        normals = gltf.accessor("VEC3", [0, 0, 1] * 300)
        gltf.mesh({"POSITION": gltf.positions(points), "NORMAL": normals}, targets=[{"POSITION": lift}],
                  indices=gltf.accessor("SCALAR", range(300), 5123))
        gltf.node(mesh=0, weights=[0])
        one = self.cooked_size(self.save(gltf))
        for i in range(1, 40):
            gltf.node(mesh=0, translation=[0, 100 * i, 0], weights=[i])
        path = self.save(gltf)
        self.assertLess(self.cooked_size(path) - one, 40 * 600)
        for file in (path, path.with_suffix(".sinew")):
            self.assertEqual([mesh["vertices"] for mesh in self.info(file)["meshes"]], [300] * 40)
            for i, found in enumerate(self.pose(file, None, (), "--vertices")["rest"]["pos"]):
                self.assert_points(found, [(x, y + 100 * i, i if (x, y) == (0, 0) else 0) for x, y, _ in points])

    def test_a_mirrored_node_keeps_its_scale_in_a_clip(self):
        """A clip that moves one property leaves the file's own two others, not those of a matrix."""
        gltf = Gltf()
        gltf.node(name="a", rotation=[0, 0, HALF, HALF], scale=[-1, 1, 1])
        gltf.animation("clip", [(0, "rotation", [0, 1], [0, 0, HALF, HALF, HALF, 0, 0, HALF], "LINEAR")])
        dump = self.pose(self.save(gltf), "clip", [0, 1])
        self.assert_world(dump, 0, "a", matrix((0, 0, 0), (0, 0, HALF, HALF), (-1, 1, 1)))
        self.assert_world(dump, 1, "a", matrix((0, 0, 0), (HALF, 0, 0, HALF), (-1, 1, 1)))

    def test_an_extension_that_is_required_and_unknown_is_refused(self):
        gltf = Gltf()
        gltf.node(name="a")
        gltf.more["extensionsUsed"] = ["EXT_of_ours", "KHR_mesh_quantization"]
        self.assert_noted(self.info(self.save(gltf)), "EXT_of_ours")
        gltf.more["extensionsRequired"] = gltf.more["extensionsUsed"]
        self.refused(self.save(gltf), "EXT_of_ours")

    def test_of_several_scenes_one_is_shown(self):
        gltf = Gltf()
        for name in "abc":
            gltf.node(name=name)
        gltf.more = {"scene": 1, "scenes": [{"nodes": [0]}, {"nodes": [2], "name": "third"}]}
        told = self.info(self.save(gltf))
        self.assert_noted(told, "2 scenes", "third")
        self.assertEqual([node["name"] for node in self.pose(self.save(gltf))["nodes"]], ["c"])

    # ---- skins ----

    def skinned(self, sets, joints):
        """A triangle at the joints' own origin; `sets` are (joints, weights) of all three vertices, each four."""
        gltf = Gltf()
        attributes = {"POSITION": gltf.positions()}
        for k, (which, weights) in enumerate(sets):
            attributes[f"JOINTS_{k}"] = gltf.accessor("VEC4", which * 3, 5123)
            attributes[f"WEIGHTS_{k}"] = gltf.accessor("VEC4", weights * 3)
        gltf.mesh(attributes)
        gltf.skins.append({"joints": joints})
        return gltf

    def test_the_strongest_of_twelve_influences(self):
        """Joint k stands at x = k with weight (k + 1) / 78; the eight strongest stay, in proportion. (3, 5)"""
        weights = [(k + 1) / 78 for k in range(12)]
        gltf = self.skinned([(list(range(k, k + 4)), weights[k:k + 4]) for k in (0, 4, 8)], list(range(12)))
        for k in range(12):
            gltf.node(name=f"j{k}", translation=[k, 0, 0])
        gltf.node(mesh=0, skin=0)
        path = self.save(gltf)
        x = sum(k * (k + 1) for k in range(4, 12)) / sum(k + 1 for k in range(4, 12))
        self.assert_points(self.pose(path)["rest"]["pos"][0], [(x, 0, 0), (x + 1, 0, 0), (x, 1, 0)])
        self.assert_noted(self.info(path), "more than 8 influences", "12.8 %")

    def test_weights_are_normalised(self):
        """(5)"""
        for total in (0.18, 2):
            gltf = self.skinned([([0, 1, 0, 0], [total / 4, total * 3 / 4, 0, 0])], [0, 1])
            gltf.node(name="a")
            gltf.node(name="b", translation=[4, 0, 0])
            gltf.node(mesh=0, skin=0)
            self.assert_points(self.pose(self.save(gltf))["rest"]["pos"][0], [(3, 0, 0), (4, 0, 0), (3, 1, 0)])

    def test_a_mesh_named_like_a_joint_does_not_take_its_place(self):
        """(4)"""
        gltf = self.skinned([([0, 0, 0, 0], [1, 0, 0, 0])], [1])
        gltf.node(name="arm", mesh=0, skin=0, translation=[50, 0, 0])
        gltf.node(name="arm")
        gltf.animation("clip", [(1, "translation", [0, 1], [0, 0, 0, 0, 6, 0], "LINEAR")])
        dump = self.pose(self.save(gltf), "clip", [1])
        self.assert_points(dump["clips"][0]["frames"][0]["pos"][0], [(0, 6, 0), (1, 6, 0), (0, 7, 0)])

    def test_joints_without_weights_carry_their_children(self):
        gltf = self.skinned([([0, 0, 0, 0], [1, 0, 0, 0])], [2])
        gltf.node(name="root", children=[1])
        gltf.node(name="twist", children=[2])
        gltf.node(name="arm")
        gltf.node(mesh=0, skin=0)
        gltf.animation("clip", [(1, "translation", [0, 1], [0, 0, 0, 0, 6, 0], "LINEAR")])
        dump = self.pose(self.save(gltf), "clip", [1])
        self.assert_points(dump["clips"][0]["frames"][0]["pos"][0], [(0, 6, 0), (1, 6, 0), (0, 7, 0)])

    def test_skins_share_a_joint_with_binds_of_their_own(self):
        gltf = self.skinned([([0, 0, 0, 0], [1, 0, 0, 0])], [0])
        gltf.mesh(gltf.meshes[0]["primitives"][0]["attributes"], name="other")
        bind = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, -3, 1]  # by columns
        gltf.skins.append({"joints": [0], "inverseBindMatrices": gltf.accessor("MAT4", bind)})
        gltf.node(name="arm", translation=[2, 0, 0])
        gltf.node(mesh=0, skin=0)
        gltf.node(mesh=1, skin=1)
        found = self.pose(self.save(gltf))["rest"]["pos"]
        self.assert_points(found[0], [(2, 0, 0), (3, 0, 0), (2, 1, 0)])
        self.assert_points(found[1], [(2, 0, -3), (3, 0, -3), (2, 1, -3)])

    def test_several_roots_and_nodes_without_a_name(self):
        gltf = Gltf()
        gltf.mesh({"POSITION": gltf.positions()})
        gltf.node(name="", children=[2])
        gltf.node(name="b", translation=[0, 0, 7], mesh=0)
        gltf.node(translation=[1, 0, 0], mesh=0)
        gltf.animation("clip", [(0, "translation", [0, 1], [0, 0, 0, 0, 6, 0], "LINEAR")])
        dump = self.pose(self.save(gltf), "clip", [1])
        self.assertEqual(sorted(node["name"] for node in dump["nodes"]), ["", "", "b"])
        points = [tuple(mesh[i:i + 3]) for mesh in dump["clips"][0]["frames"][0]["pos"] for i in range(0, 9, 3)]
        self.assert_points([v for p in points for v in p],
                           [(0, 0, 7), (1, 0, 7), (0, 1, 7), (1, 6, 0), (2, 6, 0), (1, 7, 0)])

    def test_a_mesh_without_a_skin_rides_on_a_joint(self):
        gltf = Gltf()
        gltf.mesh({"POSITION": gltf.positions()})
        gltf.node(name="hand", children=[1])
        gltf.node(name="sword", mesh=0, translation=[1, 0, 0])
        gltf.animation("clip", [(0, "translation", [0, 1], [0, 0, 0, 0, 6, 0], "LINEAR")])
        dump = self.pose(self.save(gltf), "clip", [1])
        self.assert_points(dump["clips"][0]["frames"][0]["pos"][0], [(1, 6, 0), (2, 6, 0), (1, 7, 0)])

    def test_a_thousand_joints(self):
        """(5)"""
        gltf = self.skinned([([999, 0, 0, 0], [1, 0, 0, 0])], list(range(1000)))
        for k in range(1000):
            gltf.node(name=f"j{k}", translation=[0.01, 0, 0], **({"children": [k + 1]} if k < 999 else {}))
        gltf.node(mesh=0, skin=0)
        gltf.animation("clip", [(0, "translation", [0, 1], [0, 0, 0, 0, 6, 0], "LINEAR")])
        dump = self.pose(self.save(gltf), "clip", [1])
        self.assert_points(dump["clips"][0]["frames"][0]["pos"][0], [(9.99, 6, 0), (10.99, 6, 0), (9.99, 7, 0)], 1e-3)


if __name__ == "__main__":
    unittest.main()

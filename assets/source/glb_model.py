"""Reads a .glb with the standard library alone and poses its skeleton.

A transform is a pair: nine numbers of a 3x3 matrix by rows, and three of a translation.
"""

import bisect
import json
import math
import struct

FORMATS = {5121: "B", 5123: "H", 5125: "I", 5126: "f"}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}


def times_point(m, p):
    a, t = m
    x, y, z = p
    return (a[0] * x + a[1] * y + a[2] * z + t[0],
            a[3] * x + a[4] * y + a[5] * z + t[1],
            a[6] * x + a[7] * y + a[8] * z + t[2])


def times(m, n):
    a, b = m[0], n[0]
    rows = tuple(a[r] * b[c] + a[r + 1] * b[c + 3] + a[r + 2] * b[c + 6]
                 for r in (0, 3, 6) for c in (0, 1, 2))
    return rows, times_point(m, n[1])


def from_trs(translation, rotation, scale):
    x, y, z, w = rotation
    r = (1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w),
         2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w),
         2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y))
    return tuple(v * scale[k % 3] for k, v in enumerate(r)), tuple(translation)


def slerp(a, b, t):
    d = sum(x * y for x, y in zip(a, b))
    b = b if d >= 0 else tuple(-x for x in b)
    angle = math.acos(min(1.0, abs(d)))
    if angle < 1e-4:
        mixed = [x + (y - x) * t for x, y in zip(a, b)]
    else:
        u, v = math.sin((1 - t) * angle), math.sin(t * angle)
        mixed = [u * x + v * y for x, y in zip(a, b)]
    length = math.sqrt(sum(x * x for x in mixed))
    return tuple(x / length for x in mixed)


class Glb:
    def __init__(self, path):
        with open(path, "rb") as file:
            data = file.read()
        length = struct.unpack_from("<I", data, 12)[0]
        self.tree = json.loads(data[20:20 + length])
        self.binary = data[28 + length:]

    def rows(self, index):
        accessor = self.tree["accessors"][index]
        view = self.tree["bufferViews"][accessor["bufferView"]]
        width = WIDTHS[accessor["type"]]
        start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        layout = "<%d%s" % (width * accessor["count"], FORMATS[accessor["componentType"]])
        flat = struct.unpack_from(layout, self.binary, start)
        return flat if width == 1 else list(zip(*[iter(flat)] * width))


class Clip:
    """Tracks by joint name: {"rotation": (times, values), "translation": ...}."""

    def __init__(self, name, tracks):
        self.name, self.tracks = name, tracks
        ends = [times[-1] for joint in tracks.values() for times, _ in joint.values()]
        self.seconds = max(ends)

    def value(self, joint, path, time):
        track = self.tracks.get(joint, {}).get(path)
        if not track:
            return None
        moments, values = track
        i = min(max(bisect.bisect_right(moments, time) - 1, 0), len(moments) - 1)
        if i + 1 == len(moments) or time <= moments[0]:
            return values[i]
        t = (time - moments[i]) / (moments[i + 1] - moments[i])
        if path == "rotation":
            return slerp(values[i], values[i + 1], t)
        return tuple(a + (b - a) * t for a, b in zip(values[i], values[i + 1]))


def read_clips(glb):
    names = [node.get("name") for node in glb.tree["nodes"]]
    clips = {}
    for animation in glb.tree.get("animations", []):
        tracks = {}
        for channel in animation["channels"]:
            target = channel["target"]
            if target["path"] == "weights":
                continue
            sampler = animation["samplers"][channel["sampler"]]
            track = glb.rows(sampler["input"]), list(glb.rows(sampler["output"]))
            tracks.setdefault(names[target["node"]], {})[target["path"]] = track
        clips[animation["name"]] = Clip(animation["name"], tracks)
    return clips


class Skeleton:
    def __init__(self, glb):
        nodes = glb.tree["nodes"]
        self.rest, self.parent, self.order = {}, {}, []
        names = [node.get("name", str(k)) for k, node in enumerate(nodes)]
        children = {names[c]: names[k] for k, n in enumerate(nodes) for c in n.get("children", [])}
        for name, node in zip(names, nodes):
            self.rest[name] = (node.get("translation", (0, 0, 0)),
                               node.get("rotation", (0, 0, 0, 1)), node.get("scale", (1, 1, 1)))
            self.parent[name] = children.get(name)
        for name in names:
            self.visit(name)
        self.bind = self.pose(None, 0.0)

    def visit(self, name):
        if name and name not in self.order:
            self.visit(self.parent[name])
            self.order.append(name)

    def pose(self, clip, time, only=None):
        """Model-space transforms of all joints, or of the named ones and their parents."""
        placed = {}
        for name in self.order:
            if only is not None and name not in only:
                continue
            t, r, s = self.rest[name]
            if clip and name in clip.tracks:
                t = clip.value(name, "translation", time) or t
                r = clip.value(name, "rotation", time) or r
                s = clip.value(name, "scale", time) or s
            local = from_trs(t, r, s)
            up = self.parent[name]
            placed[name] = times(placed[up], local) if up else local
        return placed

    def line(self, name):
        """A joint and its ancestors."""
        found = set()
        while name:
            found.add(name)
            name = self.parent[name]
        return found


class Skin:
    """All skinned vertices of a file in one list: bind position and influences."""

    def __init__(self, glb, skeleton):
        self.points, self.influences, self.triangles = [], [], []
        self.inverse = {}
        self.skeleton = skeleton
        for node in glb.tree["nodes"]:
            if "skin" in node:
                mesh, skin = glb.tree["meshes"][node["mesh"]], glb.tree["skins"][node["skin"]]
                self.add_mesh(glb, mesh, skin)

    def add_mesh(self, glb, mesh, skin):
        names = [glb.tree["nodes"][k]["name"] for k in skin["joints"]]
        for name, m in zip(names, glb.rows(skin["inverseBindMatrices"])):
            self.inverse[name] = ((m[0], m[4], m[8], m[1], m[5], m[9], m[2], m[6], m[10]),
                                  (m[12], m[13], m[14]))
        for primitive in mesh["primitives"]:
            self.add_primitive(glb, primitive, names)

    def add_primitive(self, glb, primitive, names):
        base, attributes = len(self.points), primitive["attributes"]
        self.points += glb.rows(attributes["POSITION"])
        pairs = [[] for _ in range(len(self.points) - base)]
        number = 0
        while "JOINTS_%d" % number in attributes:
            joints = glb.rows(attributes["JOINTS_%d" % number])
            weights = glb.rows(attributes["WEIGHTS_%d" % number])
            for own, js, ws in zip(pairs, joints, weights):
                own += [(names[j], w) for j, w in zip(js, ws) if w > 0]
            number += 1
        self.influences += pairs
        indices = glb.rows(primitive["indices"])
        self.triangles += [tuple(base + i for i in t) for t in zip(*[iter(indices)] * 3)]

    def matrices(self, pose):
        return {name: times(pose[name], inverse) for name, inverse in self.inverse.items()
                if name in pose}

    def place(self, matrices, vertex):
        p = self.points[vertex]
        x = y = z = total = 0.0
        for name, weight in self.influences[vertex]:
            q = times_point(matrices[name], p)
            x, y, z = x + weight * q[0], y + weight * q[1], z + weight * q[2]
            total += weight
        return x / total, y / total, z / total

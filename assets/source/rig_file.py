"""Writes a rigged character as .glb: meshes with one skin, a picture, clips of thirty keys a second."""

import os
import struct
import zlib

import numpy as np

import hero_tidy

FPS = 30
TYPES = {np.dtype("f4"): 5126, np.dtype("u1"): 5121, np.dtype("u2"): 5123}


class File:
    def __init__(self, rig, name):
        self.rig, self.binary = rig, bytearray()
        self.tree = {"asset": {"version": "2.0"}, "scene": 0, "accessors": [], "bufferViews": [],
                     "nodes": [], "meshes": [], "materials": [], "animations": [], "skins": [],
                     "scenes": [{"name": name, "nodes": [0]}]}
        self.moments = {}
        self.add_joints()

    def view(self, data, **more):
        self.binary += b"\0" * (-len(self.binary) % 4)
        self.tree["bufferViews"].append({"buffer": 0, "byteOffset": len(self.binary), "byteLength": len(data), **more})
        self.binary += data
        return len(self.tree["bufferViews"]) - 1

    def accessor(self, rows, kind, shape, target=None, bounds=False, normalized=False):
        rows = np.ascontiguousarray(rows, kind)
        view = self.view(rows.tobytes(), **({"target": target} if target else {}))
        made = {"bufferView": view, "componentType": TYPES[rows.dtype], "count": len(rows), "type": shape}
        if bounds:
            flat = rows.reshape(len(rows), -1)
            made["min"], made["max"] = flat.min(axis=0).tolist(), flat.max(axis=0).tolist()
        if normalized:
            made["normalized"] = True
        self.tree["accessors"].append(made)
        return len(self.tree["accessors"]) - 1

    def add_joints(self):
        rig, index = self.rig, {name: k for k, name in enumerate(self.rig.names)}
        inverse = []
        for name in rig.names:
            up = rig.parent[name]
            axes = rig.axes[name]
            over = rig.axes[up] if up else np.eye(3)
            offset = over.T @ (rig.place[name] - (rig.place[up] if up else 0))
            node = {"name": name, "translation": tidy(offset), "rotation": tidy(quaternion(over.T @ axes))}
            children = [index[n] for n in rig.names if rig.parent[n] == name]
            self.tree["nodes"].append({**node, "children": children} if children else node)
            back = np.eye(4)
            back[:3, :3], back[:3, 3] = axes.T, -axes.T @ rig.place[name]
            inverse.append(back.T.ravel())
        self.tree["skins"].append({"joints": list(range(len(index))), "skeleton": 0,
                                   "inverseBindMatrices": self.accessor(inverse, "f4", "MAT4")})

    def picture(self, pixels):
        """`pixels`: rows from the top, three bytes each. Gives the texture's number."""
        high, wide = pixels.shape[:2]
        rows = b"".join(b"\0" + row.tobytes() for row in pixels.astype(np.uint8))
        parts = ((b"IHDR", struct.pack(">IIBBBBB", wide, high, 8, 2, 0, 0, 0)), (b"IDAT", zlib.compress(rows, 9)),
                 (b"IEND", b""))
        data = b"\x89PNG\r\n\x1a\n" + b"".join(
            struct.pack(">I", len(d)) + t + d + struct.pack(">I", zlib.crc32(t + d)) for t, d in parts)
        self.tree["images"] = [{"bufferView": self.view(data), "mimeType": "image/png", "name": "colors"}]
        self.tree["samplers"] = [{"wrapS": 33071, "wrapT": 33071}]
        self.tree["textures"] = [{"source": 0, "sampler": 0}]

    def material(self, name, color, roughness):
        """`color`: red, green, blue of 0..255, or None for the picture."""
        look = {"metallicFactor": 0, "roughnessFactor": roughness}
        if color is None:
            look["baseColorTexture"] = {"index": 0}
        else:
            look["baseColorFactor"] = [*tidy(linear(color)), 1.0]
        self.tree["materials"].append({"name": name, "pbrMetallicRoughness": look})
        return len(self.tree["materials"]) - 1

    def mesh(self, name, primitives):
        """`primitives`: (material, points, normals, triangles, uvs or None, weights) each."""
        made = []
        for material, points, normals, triangles, uvs, weights in primitives:
            order = np.argsort(-weights, axis=1, kind="stable")[:, :4]
            shares = np.take_along_axis(weights, order, axis=1)
            names = {"POSITION": self.accessor(points, "f4", "VEC3", 34962, bounds=True),
                     "NORMAL": self.accessor(normals, "f4", "VEC3", 34962),
                     "JOINTS_0": self.accessor(np.where(shares > 0, order, 0), "u1", "VEC4", 34962),
                     "WEIGHTS_0": self.accessor(in_bytes(shares), "u1", "VEC4", 34962, normalized=True)}
            if uvs is not None:
                names["TEXCOORD_0"] = self.accessor(uvs, "f4", "VEC2", 34962)
            made.append({"attributes": names, "material": material,
                         "indices": self.accessor(triangles.ravel(), "u2", "SCALAR", 34963)})
        self.tree["meshes"].append({"name": name, "primitives": made})
        self.tree["nodes"].append({"name": name, "mesh": len(self.tree["meshes"]) - 1, "skin": 0})
        self.tree["scenes"][0]["nodes"].append(len(self.tree["nodes"]) - 1)

    def clip(self, name, poses, travellers):
        """Joints that stay as in the bind pose get no track."""
        times, channels, samplers = self.times(len(poses)), [], []

        def add(joint, path, rows, shape):
            samplers.append({"input": times, "output": self.accessor(rows, "f4", shape)})
            channels.append({"sampler": len(samplers) - 1,
                             "target": {"node": self.rig.names.index(joint), "path": path}})

        for joint in self.rig.names:
            turns, rest = self.local_turns(joint, poses)
            if max(abs(t - rest).max() for t in turns) > 1e-6:
                add(joint, "rotation", continuous([quaternion(t) for t in turns]), "VEC4")
            if joint in travellers:
                add(joint, "translation", self.local_places(joint, poses), "VEC3")
        self.tree["animations"].append({"name": name, "channels": channels, "samplers": samplers})

    def times(self, count):
        if count not in self.moments:
            self.moments[count] = self.accessor(np.arange(count) / FPS, "f4", "SCALAR", bounds=True)
        return self.moments[count]

    def local_turns(self, joint, poses):
        up, axes = self.rig.parent[joint], self.rig.axes
        over = axes[up] if up else np.eye(3)
        turns = [over.T @ (p.turn[up].T if up else np.eye(3)) @ p.turn[joint] @ axes[joint] for p in poses]
        return turns, over.T @ axes[joint]

    def local_places(self, joint, poses):
        up = self.rig.parent[joint]
        if not up:
            return [p.place[joint] for p in poses]
        return [self.rig.axes[up].T @ p.turn[up].T @ (p.place[joint] - p.place[up]) for p in poses]

    def finish(self, name, parts, clips, travellers, file):
        """One mesh of all parts, and the clips, beside this folder."""
        print("points:", sum(len(part[1]) for part in parts))
        self.mesh(name, parts)
        for clip, poses in clips.items():
            self.clip(clip, poses, travellers)
        self.save(os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), file))

    def save(self, path):
        self.tree["buffers"] = [{"byteLength": len(self.binary)}]
        self.binary = hero_tidy.repack(self.tree, bytes(self.binary))
        hero_tidy.write(path, {k: v for k, v in self.tree.items() if v != []}, self.binary)


def tidy(values):
    return [round(float(v), 7) + 0.0 for v in values]


def linear(color):
    c = np.array(color) / 255
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)


def in_bytes(shares):
    """Rounded so that each row sums to 255."""
    whole = np.round(shares * 255)
    whole[:, 0] += 255 - whole.sum(axis=1)
    return whole


def quaternion(m):
    """x, y, z, w of a rotation matrix, by its largest component."""
    trace = np.trace(m)
    squares = [1 + 2 * m[0, 0] - trace, 1 + 2 * m[1, 1] - trace, 1 + 2 * m[2, 2] - trace, 1 + trace]
    k = int(np.argmax(squares))
    rows = ((squares[0], m[0, 1] + m[1, 0], m[2, 0] + m[0, 2], m[2, 1] - m[1, 2]),
            (m[0, 1] + m[1, 0], squares[1], m[1, 2] + m[2, 1], m[0, 2] - m[2, 0]),
            (m[2, 0] + m[0, 2], m[1, 2] + m[2, 1], squares[2], m[1, 0] - m[0, 1]),
            (m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1], squares[3]))
    q = np.array(rows[k])
    return q / np.linalg.norm(q)


def continuous(rows):
    for k in range(1, len(rows)):
        if rows[k] @ rows[k - 1] < 0:
            rows[k] = -rows[k]
    return rows

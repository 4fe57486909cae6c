"""Writes hero.md5mesh and hero_palette.png: meshes and skins; and apart from them hero.md5anim and hero_run.md5anim: the
clips Walk and Run, a file for each.

    blender -b -t 1 --python assets/source/write_md5.py

Blender only leaves out triangles. MD5 has z up by tradition, no normals and no colours: the materials
without a picture take theirs from squares of the palette. The unit stays the metre.
"""

import os
import struct
import sys
import zlib

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True

import glb_model                        # noqa: E402
import hero_decimate                    # noqa: E402
import hero_export as hero              # noqa: E402

CLIPS = {"hero.md5anim": "Walk", "hero_run.md5anim": "Run"}
PALETTE, CELL = "hero_palette.png", 4
HEAD = ["MD5Version 10", 'commandline ""', ""]


def turn(m):
    """x y z of the quaternion whose w, which readers find out, is not above zero."""
    q = hero.quaternion(m)
    return q[:3] if q[3] <= 0 else tuple(-v for v in q[:3])


def vector(values, digits):
    return "( %s )" % hero.numbers(values, digits)


def header(**values):
    return ["%s %d" % item for item in values.items()] + [""]


# ---- the palette ----

def on_screen(v):
    return round(255 * (12.92 * v if v <= 0.0031308 else 1.055 * v ** (1 / 2.4) - 0.055))


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def write_palette(colors):
    row = b"\0" + b"".join(bytes(on_screen(v) for v in color[:3]) * CELL for color in colors)
    header = struct.pack(">IIBBBBB", CELL * len(colors), CELL, 8, 2, 0, 0, 0)
    with open(hero.path(PALETTE), "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(row * CELL, 9)) +
                   chunk(b"IEND", b""))


# ---- meshes ----

class Mesh:
    """Vertices of one picture, those of equal place joined; vertices at one point share their weights."""

    def __init__(self, picture):
        self.picture, self.vertices, self.triangles, self.weights = picture, {}, [], []
        self.runs = {}

    def add(self, part, place_of, joints, inverse):
        own = [self.vertex(part.points[k], place_of(part.places[k]), part.influences[k], joints, inverse)
               for k in range(len(part.points))]
        self.triangles += [tuple(own[k] for k in t) for t in part.triangles]

    def vertex(self, point, place, influences, joints, inverse):
        spot = vector(point, 4) + str([(name, round(w, 3)) for name, w in influences])
        if spot not in self.runs:
            self.runs[spot] = len(self.weights), len(influences)
            total = sum(w for _, w in influences)
            for name, w in influences:
                position = glb_model.times_point(inverse[name], hero.z_up_point(point))
                self.weights.append("%d %s %s" % (joints.index(name), hero.number(w / total, 4), vector(position, 4)))
        start, count = self.runs[spot]
        return self.vertices.setdefault("%s %d %d" % (vector(place, 4), start, count), len(self.vertices))

    def lines(self):
        out = ["mesh {", 'shader "%s"' % self.picture, "numverts %d" % len(self.vertices)]
        out += ["vert %d %s" % (k, text) for k, text in enumerate(self.vertices)]
        out.append("numtris %d" % len(self.triangles))
        out += ["tri %d %d %d %d" % (k, a, c, b) for k, (a, b, c) in enumerate(self.triangles)]
        out.append("numweights %d" % len(self.weights))
        return out + ["weight %d %s" % (k, text) for k, text in enumerate(self.weights)] + ["}", ""]


def make_meshes(joints, bind):
    parts = hero.parts(hero_decimate.decimated())
    plain = list({part.material["name"]: part.color() for part in parts if not part.is_painted()}.items())
    write_palette([color for _, color in plain])
    cells = {name: ((k + 0.5) / len(plain), 0.5) for k, (name, _) in enumerate(plain)}
    inverse = {name: hero.inverse(m) for name, m in bind.items()}
    meshes = [Mesh(hero.PICTURE), Mesh(PALETTE)]
    for part in parts:
        if part.is_painted():
            meshes[0].add(part, lambda place: place, joints, inverse)
        else:
            cell = cells[part.material["name"]]
            meshes[1].add(part, lambda place, cell=cell: cell, joints, inverse)
    return meshes


def write_mesh(joints, parents, bind):
    meshes = make_meshes(joints, bind)
    lines = HEAD + header(numJoints=len(joints), numMeshes=len(meshes)) + ["joints {"]
    for name, parent in zip(joints, parents):
        lines.append('"%s" %d %s %s' % (name, parent, vector(bind[name][1], 6), vector(turn(bind[name]), 9)))
    lines += ["}", ""]
    for mesh in meshes:
        lines += mesh.lines()
    hero.save_text("hero.md5mesh", lines)


# ---- the clips ----

def bounds(placed):
    """A box about the joints, 10 cm wider on each side."""
    columns = list(zip(*(m[1] for m in placed.values())))
    return "%s %s" % (vector([min(c) - 0.1 for c in columns], 3), vector([max(c) + 0.1 for c in columns], 3))


def write_animation(file, joints, parents, poses, parent_names, bind):
    lines = HEAD + header(numFrames=len(poses), numJoints=len(joints), frameRate=hero.FPS,
                          numAnimatedComponents=6 * len(joints)) + ["hierarchy {"]
    lines += ['"%s" %d 63 %d' % (name, parent, 6 * k) for k, (name, parent) in enumerate(zip(joints, parents))]
    lines += ["}", "", "bounds {"] + [bounds(pose) for pose in poses] + ["}", "", "baseframe {"]
    for name in joints:
        local = hero.local(bind, parent_names, name)
        lines.append("%s %s" % (vector(local[1], 6), vector(turn(local), 9)))
    lines.append("}")
    for k, pose in enumerate(poses):
        lines += ["", "frame %d {" % k]
        for name in joints:
            local = hero.local(pose, parent_names, name)
            lines.append("%s %s" % (hero.numbers(local[1], 6), hero.numbers(turn(local), 8)))
        lines.append("}")
    hero.save_text(file, lines)


def main():
    glb = hero.load()
    skeleton, clips = glb_model.Skeleton(glb), glb_model.read_clips(glb)
    joints = hero.joint_names(glb, skeleton)
    parents = [joints.index(skeleton.parent[n]) if skeleton.parent[n] in joints else -1 for n in joints]

    def turned(pose):
        return {name: hero.z_up(pose[name]) for name in joints}

    bind = turned(skeleton.bind)
    write_mesh(joints, parents, bind)
    for file, name in CLIPS.items():
        poses = [turned(skeleton.pose(clips[name], time)) for time in hero.moments(clips[name])]
        write_animation(file, joints, parents, poses, skeleton.parent, bind)


if __name__ == "__main__":
    main()

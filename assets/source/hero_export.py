"""What the writers of further formats share: hero.glb as plain lists, and a little rigid mathematics.

Transforms are those of glb_model: nine numbers of a 3x3 matrix by rows, and three of a translation.
"""

import math
import os
import sys

sys.dont_write_bytecode = True

import glb_model                        # noqa: E402

FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PICTURE = "hero_colors.png"             # written by write_gltf.py, named by the other formats
FPS = 30


def path(name):
    return os.path.join(FOLDER, name)


def load():
    return glb_model.Glb(path("hero.glb"))


def save_text(name, lines):
    with open(path(name), "w", encoding="ascii", newline="\n") as file:
        file.write("\n".join(lines) + "\n")


def number(value, digits):
    """As short as it goes: no zeros at the end and no minus zero."""
    text = "%.*f" % (digits, value)
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text


def numbers(values, digits):
    return " ".join(number(v, digits) for v in values)


# ---- the skeleton ----

def joint_names(glb, skeleton):
    """The skin's joints, parents first."""
    used = {glb.tree["nodes"][k]["name"] for k in glb.tree["skins"][0]["joints"]}
    return [name for name in skeleton.order if name in used]


def moments(clip):
    return [k / FPS for k in range(round(clip.seconds * FPS) + 1)]


def inverse(m):
    """Of a rotation and a translation."""
    a, t = m
    back = (a[0], a[3], a[6], a[1], a[4], a[7], a[2], a[5], a[8])
    x, y, z = glb_model.times_point((back, (0, 0, 0)), t)
    return back, (-x, -y, -z)


def z_up_point(p):
    return p[0], -p[2], p[1]


def z_up(m):
    """A transform between y-up spaces as the same transform between z-up spaces."""
    a, t = m
    return (a[0], -a[2], a[1], -a[6], a[8], -a[7], a[3], -a[5], a[4]), z_up_point(t)


def local(placed, parent, name):
    """A joint's transform in its parent joint; `placed` holds the model-space transforms of joints."""
    up = parent.get(name)
    return glb_model.times(inverse(placed[up]), placed[name]) if up in placed else placed[name]


def quaternion(m):
    a = m[0]
    trace = a[0] + a[4] + a[8]
    squares = [1 + 2 * a[0] - trace, 1 + 2 * a[4] - trace, 1 + 2 * a[8] - trace, 1 + trace]
    k = squares.index(max(squares))
    rows = ((squares[0], a[1] + a[3], a[2] + a[6], a[7] - a[5]),
            (a[1] + a[3], squares[1], a[5] + a[7], a[2] - a[6]),
            (a[2] + a[6], a[5] + a[7], squares[2], a[3] - a[1]),
            (a[7] - a[5], a[2] - a[6], a[3] - a[1], squares[3]))
    length = math.sqrt(sum(v * v for v in rows[k]))
    return tuple(v / length for v in rows[k])


# ---- the meshes ----

class Part:
    """A primitive: triangles of one material."""

    def __init__(self, glb, mesh, primitive, joints):
        names = primitive["attributes"]
        self.mesh = mesh["name"]
        self.material = glb.tree["materials"][primitive["material"]]
        self.points = glb.rows(names["POSITION"])
        self.normals = glb.rows(names["NORMAL"])
        self.places = glb.rows(names["TEXCOORD_0"])
        self.triangles = list(zip(*[iter(glb.rows(primitive["indices"]))] * 3))
        self.influences = [[] for _ in self.points]
        for k in range(2):
            if "JOINTS_%d" % k in names:
                rows = zip(self.influences, glb.rows(names["JOINTS_%d" % k]), glb.rows(names["WEIGHTS_%d" % k]))
                for own, js, ws in rows:
                    own += [(joints[j], w) for j, w in zip(js, ws) if w > 0]

    def is_painted(self):
        return "baseColorTexture" in self.material["pbrMetallicRoughness"]

    def color(self):
        return self.material["pbrMetallicRoughness"].get("baseColorFactor", (1, 1, 1, 1))


def parts(glb):
    joints = [glb.tree["nodes"][k]["name"] for k in glb.tree["skins"][0]["joints"]]
    return [Part(glb, mesh, primitive, joints) for mesh in glb.tree["meshes"] for primitive in mesh["primitives"]]

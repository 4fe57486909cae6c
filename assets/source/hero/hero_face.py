"""Eyes, lids, brows and mouth: thin patches that lie on the face, with their morphs.

Each patch returns a mesh and its `Smile` and `Blink` offsets. Texture coordinates of
the eyes and of the mouth come from the patch's own square, so they are returned too.
"""

import numpy as np

from hero_head import EYE, EYE_SIZE, MOUTH
from hero_mesh import Mesh

EYE_RINGS, EYE_COLUMNS = 5, 20


class Patch:
    """A mesh in the plane of the face, with a place for each morph and a texture square."""

    def __init__(self):
        self.mesh = Mesh()
        self.smile, self.blink, self.uv = [], [], []

    def add(self, point, smile, blink, uv=(0.5, 0.5)):
        self.smile.append(smile - point)
        self.blink.append(blink - point)
        self.uv.append(uv)
        return self.mesh.add(point)


def eye_outline(u, v):
    """A rounded eye: flatter below, full above."""
    return u, v * (0.90 if v > 0 else 0.88)


def lid_line(u):
    """Height of the closed lids across the eye, in units of the eye's half height."""
    return -0.42 - 0.20 * (1 - u * u)


def eye(front, sign):
    patch = Patch()

    def place(u, v, lift):
        x, y = EYE + EYE_SIZE * eye_outline(u, v)
        return front.point(sign * x, y, lift)

    def vertex(u, v):
        dome = 0.0022 + 0.0016 * max(0.0, 1 - u * u - v * v)
        happy = v if v > 0 else v * 0.74
        return patch.add(place(u, v, dome), place(u, happy * 0.96, dome),
                         place(u, lid_line(u) + 0.05 * v, 0.0012),
                         (0.5 + 0.5 * u * sign, 0.5 + 0.5 * v))

    previous = None
    for r in range(EYE_RINGS, 0, -1):
        angles = 2 * np.pi * np.arange(EYE_COLUMNS) / EYE_COLUMNS
        radius = r / EYE_RINGS
        ring = [vertex(radius * np.cos(a), radius * np.sin(a)) for a in angles]
        if previous:
            patch.mesh.bridge(previous, ring, "Eyes")
        previous = ring
    patch.mesh.fan(previous, vertex(0.0, 0.0), "Eyes")
    orient(patch.mesh)
    return patch


def orient(mesh):
    """Turns every face towards +z."""
    mesh.agree()
    p = mesh.positions()
    total = sum(np.cross(p[f[1]] - p[f[0]], p[f[2]] - p[f[0]])[2] for f in mesh.faces)
    return mesh if total > 0 else mesh.flipped()


def strip(front, line, material, lift, rows=3):
    """A raised band along a line of (rest, smile, blink) rows of x, y and half height."""
    patch, previous = Patch(), None
    for states in line:
        ring = []
        for k in range(rows + 2):
            t = np.clip((k - 0.5) / rows, 0, 1) if 0 < k < rows + 1 else (0.0 if k == 0 else 1.0)
            height = 0.0 if k in (0, rows + 1) else lift
            ring.append(patch.add(*[front.point(x, y + half * (2 * t - 1), height)
                                    for x, y, half in states]))
        if previous:
            patch.mesh.bridge(previous, ring, material, closed=False)
        previous = ring
    orient(patch.mesh)
    return patch


def lash(front, sign):
    """The upper lash line: it comes down with the lid."""
    line = []
    for u in np.linspace(-1.08, 1.20, 15):
        inside = np.sqrt(max(0.0, 1 - min(abs(u), 0.995) ** 2))
        thick = 0.0031 * (0.35 + 0.65 * np.clip((u + 1.08) / 1.2, 0, 1))
        thick *= np.clip((1.22 - u) / 0.25, 0.12, 1)
        x = sign * (EYE[0] + EYE_SIZE[0] * u)
        wing = 0.0035 * max(0.0, u - 0.75) / 0.45
        top = EYE[1] + EYE_SIZE[1] * inside * 0.88 + wing
        shut = EYE[1] + EYE_SIZE[1] * lid_line(np.clip(u, -1, 1)) + 0.4 * wing
        line.append([(x, top, thick), (x, top - 0.0006, thick), (x, shut, thick * 0.85)])
    return strip(front, line, "Lashes", 0.0050)


def brow(front, sign):
    line = []
    for u in np.linspace(-1, 1, 11):
        x = sign * (EYE[0] + 0.002 + 0.0225 * u)
        y = EYE[1] + 0.0365 + 0.0045 * (1 - u * u) - 0.0008 * u
        thick = 0.0032 * (1 - 0.65 * max(0.0, u)) * (0.55 if u < -0.95 else 1)
        line.append([(x, y, thick), (x, y + 0.0035, thick), (x, y - 0.0015, thick)])
    return strip(front, line, "Brows", 0.0032)


def mouth(front):
    """A line that opens into a grin. The texture has teeth above and a tongue below."""
    patch, previous = Patch(), None
    for u in np.linspace(-1, 1, 17):
        ring = []
        for v in np.linspace(-1, 1, 6):
            edge = np.sqrt(max(0.0, 1 - u ** 2))
            rest = (0.0205 * u, MOUTH[1] + 0.0030 * u * u + 0.0024 * v * (0.30 + 0.70 * edge))
            grin_mid = MOUTH[1] + 0.0030 + 0.0075 * u * u
            open_by = (0.0030 if v > 0 else 0.0105) * edge
            grin = (0.0315 * u, grin_mid + open_by * v)
            a = front.point(*rest, 0.0016)
            ring.append(patch.add(a, front.point(*grin, 0.0022), a,
                                  (0.5 + 0.5 * u, 0.5 + 0.5 * v)))
        if previous:
            patch.mesh.bridge(previous, ring, "Mouth", closed=False)
        previous = ring
    orient(patch.mesh)
    return patch


def face_patches(front):
    patches = [mouth(front)]
    for sign in (1, -1):
        patches += [eye(front, sign), lash(front, sign), brow(front, sign)]
    return patches

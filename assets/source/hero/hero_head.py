"""Head and neck as a stack of tilted rings, the face upon it, and its two morphs."""

import numpy as np

from hero_mesh import Mesh, smooth_curve

COLUMNS = 36
# front height, front z, back height, back z, half width, pointedness of the front
RINGS = [
    (1.405, 0.032, 1.415, -0.058, 0.056, 2.0),
    (1.432, 0.033, 1.455, -0.056, 0.053, 2.0),
    (1.462, 0.034, 1.490, -0.060, 0.052, 2.0),
    (1.478, 0.056, 1.515, -0.070, 0.058, 2.0),
    (1.482, 0.083, 1.532, -0.080, 0.064, 1.85),
    (1.494, 0.099, 1.548, -0.089, 0.071, 1.85),
    (1.515, 0.104, 1.566, -0.097, 0.079, 1.95),
    (1.538, 0.1045, 1.584, -0.103, 0.085, 2.05),
    (1.562, 0.105, 1.602, -0.108, 0.0895, 2.15),
    (1.588, 0.105, 1.620, -0.111, 0.092, 2.2),
    (1.615, 0.106, 1.638, -0.112, 0.0935, 2.25),
    (1.643, 0.1055, 1.656, -0.111, 0.0930, 2.2),
    (1.672, 0.098, 1.676, -0.105, 0.0885, 2.1),
    (1.702, 0.082, 1.704, -0.090, 0.0785, 2.0),
    (1.728, 0.056, 1.730, -0.064, 0.0585, 2.0),
    (1.742, 0.022, 1.743, -0.032, 0.0280, 2.0),
]
SAMPLES = 42
TOP = (0.0, 1.7450, -0.005)

EYE = np.array([0.0360, 1.592])         # x and y of the left eye's centre
EYE_SIZE = np.array([0.0182, 0.0232])
MOUTH = np.array([0.0, 1.5215])
NOSE = np.array([0.0, 1.551])


def column_angles():
    """Columns lie denser at the front, where the face is."""
    u = np.arange(COLUMNS) / COLUMNS * 2 * np.pi
    return u - 0.45 * np.sin(u)


def bump(x, y, centre, width, height):
    return np.exp(-((x - centre[0]) / width) ** 2 - ((y - centre[1]) / height) ** 2)


def features(point, angle):
    """How far the face stands out from the plain rings, along z and sideways."""
    x, y, z = point
    front = np.clip(np.cos(angle) * 1.6, 0, 1)
    side = abs(x)
    out = 0.0155 * bump(x, y, NOSE, 0.0105, 0.0120)            # tip of the nose
    out += 0.0065 * bump(x, y, NOSE + (0, 0.022), 0.0080, 0.020)
    out += 0.0030 * bump(side, y, NOSE + (0.011, -0.004), 0.007, 0.008)
    out -= 0.0065 * bump(side, y, EYE + (0, 0.002), 0.024, 0.020)      # eye sockets
    out += 0.0035 * bump(side, y, EYE + (-0.004, 0.034), 0.030, 0.010)     # brow ridge
    out += 0.0040 * bump(side, y, (0.046, 1.545), 0.024, 0.020)            # cheeks
    out += 0.0045 * bump(x, y, MOUTH + (0, 0.006), 0.020, 0.0065)          # lips
    out += 0.0040 * bump(x, y, MOUTH + (0, -0.009), 0.016, 0.0060)
    out -= 0.0022 * bump(x, y, MOUTH + (0, -0.0200), 0.022, 0.007)
    out += 0.0050 * bump(x, y, (0, 1.490), 0.024, 0.012)                   # chin
    return out * front


def ring_point(row, angle):
    front_y, front_z, back_y, back_z, width, pointed = row
    s, c = np.sin(angle), np.cos(angle)
    power = pointed if c > 0 else 2.0
    s = np.sign(s) * abs(s) ** (2 / power)
    c = np.sign(c) * abs(c) ** (2 / power)
    mix = (1 + c) / 2
    # The widest part lies a little behind the middle of the ring.
    middle_z = back_z * 0.54 + front_z * 0.46
    z = middle_z + c * ((front_z - middle_z) if c > 0 else (middle_z - back_z))
    return np.array([width * s, back_y + (front_y - back_y) * mix, z])


def surface(row, angle):
    point = ring_point(row, angle)
    return point + np.array([0, 0, features(point, angle)])


ROWS = smooth_curve(RINGS, SAMPLES)


def skull():
    mesh, previous = Mesh(), None
    for number, row in enumerate(ROWS):
        ring = mesh.ring([surface(row, a) for a in column_angles()], number / (SAMPLES - 1))
        if previous:
            mesh.bridge(previous, ring, "Skin")
        previous = ring
    mesh.fan(previous, mesh.add(TOP, 1.0), "Skin")
    for sign in (1, -1):
        ear(mesh, sign)
    return mesh.outward()


def ear(mesh, sign):
    """A flattened, slightly cupped bud."""
    centre = np.array([0.0905 * sign, 1.578, -0.010])
    rings = []
    for u, out in ((1.0, 0.0), (1.0, 0.010), (0.85, 0.016), (0.5, 0.0135)):
        ring = []
        for k in range(12):
            angle = 2 * np.pi * k / 12
            high, deep = 0.030 * np.cos(angle), 0.0165 * np.sin(angle) * sign
            deep *= 1.0 + 0.25 * np.cos(angle)
            ring.append(centre + (sign * (out + 0.12 * deep * -sign), high * u,
                                  deep * u - 0.005 - 0.010 * np.cos(angle) * 0.4 - out * 0.5))
        rings.append(mesh.ring(ring, 0.6))
    for a, b in zip(rings, rings[1:]):
        mesh.bridge(a, b, "Skin")
    mesh.fan(rings[-1], mesh.add(centre + (sign * 0.010, 0, -0.011), 0.6), "Skin")


class Front:
    """Finds the face's z and normal at an x and y, by looking from the front."""

    def __init__(self, mesh):
        points, triangles = mesh.positions(), []
        for face in mesh.faces:
            for k in range(1, len(face) - 1):
                triangles.append((face[0], face[k], face[k + 1]))
        self.corners = points[np.array(triangles)]
        self.corners = self.corners[self.corners[:, :, 2].min(axis=1) > 0.0]

    def z(self, x, y):
        a, b, c = (self.corners[:, k] for k in range(3))
        area = cross2(b - a, c - a)
        area[abs(area) < 1e-12] = 1e-12
        p = np.array([x, y, 0.0])
        u = cross2(p - a, c - a) / area
        v = cross2(b - a, p - a) / area
        inside = (u >= -1e-6) & (v >= -1e-6) & (u + v <= 1 + 1e-6)
        depth = a[:, 2] + u * (b - a)[:, 2] + v * (c - a)[:, 2]
        return depth[inside].max() if inside.any() else 0.05

    def point(self, x, y, lift):
        step = 0.003
        slope_x = (self.z(x + step, y) - self.z(x - step, y)) / (2 * step)
        slope_y = (self.z(x, y + step) - self.z(x, y - step)) / (2 * step)
        normal = np.array([-slope_x, -slope_y, 1.0])
        normal /= np.linalg.norm(normal)
        return np.array([x, y, self.z(x, y)]) + normal * lift


def cross2(a, b):
    return a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]


def smile_skin(points):
    """The smile's offsets of the skin: cheeks up and out, corners of the mouth back."""
    moves = np.zeros_like(points)
    for i, (x, y, z) in enumerate(points):
        if z < 0.02:
            continue
        side = abs(x)
        cheek = bump(side, y, (0.045, 1.545), 0.022, 0.020)
        corner = bump(side, y, (0.030, 1.524), 0.014, 0.014)
        jaw = bump(x, y, (0, 1.490), 0.030, 0.014)
        moves[i] = (np.sign(x) * (0.003 * cheek + 0.003 * corner),
                    0.005 * cheek + 0.005 * corner - 0.003 * jaw,
                    0.0045 * cheek - 0.003 * corner)
    return moves

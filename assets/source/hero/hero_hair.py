"""Hair: a cap that follows the skull, locks over the forehead, and the ponytail."""

import numpy as np

from hero_head import ROWS, TOP, ring_point
from hero_mesh import Mesh, smooth_curve
from hero_skeleton import PONYTAIL

CAP_COLUMNS, CAP_RINGS = 40, 12
TIE = np.array(PONYTAIL[0])

# angle from the front in degrees, row of the head's rings where the hair begins (of 15)
HAIRLINE = [(0, 12.35), (22, 12.2), (42, 11.7), (58, 10.6), (72, 9.6), (84, 8.7), (98, 8.6),
            (112, 7.6), (135, 5.6), (158, 4.6), (180, 4.3)]


def hairline(angle):
    degrees = abs(np.degrees((angle + np.pi) % (2 * np.pi) - np.pi))
    table = np.array(HAIRLINE)
    return np.interp(degrees, table[:, 0], table[:, 1]) / 15


def row_at(t):
    place = np.clip(t, 0, 1) * (len(ROWS) - 1)
    i = min(int(place), len(ROWS) - 2)
    return ROWS[i] + (ROWS[i + 1] - ROWS[i]) * (place - i)


def strands(point):
    """Shallow grooves that run towards the tie at the back."""
    d = point - TIE
    angle = np.arctan2(d[0], d[1])
    return 0.0016 * np.cos(angle * 18) * np.clip(np.hypot(d[0], d[1]) / 0.06, 0, 1)


def cap_point(angle, u):
    """u runs from 0 under the hairline to 1 at the crown."""
    start = hairline(angle)
    t = start + (1 - start) * max(0.0, u)
    base = ring_point(row_at(t), angle)
    centre = np.array([0.0, 1.60, -0.01])
    out = base - centre
    out /= np.linalg.norm(out)
    thickness = -0.006 if u < 0 else 0.0055 + 0.0125 * min(1.0, (u / 0.45)) ** 0.7
    calm = np.clip((1 - u) * 4, 0, 1)               # no grooves where the columns meet
    return base + out * (thickness + (strands(base) * calm if u > 0 else 0))


def cap(mesh):
    previous = None
    for u in np.concatenate([[-0.05, 0.0], np.linspace(0.05, 0.965, CAP_RINGS)]):
        angles = 2 * np.pi * np.arange(CAP_COLUMNS) / CAP_COLUMNS
        ring = mesh.ring([cap_point(a, u) for a in angles])
        if previous:
            mesh.bridge(previous, ring, "Hair")
        previous = ring
    mesh.fan(previous, mesh.add(np.array(TOP) + (0, 0.0190, 0)), "Hair")


# root and two more control points (angle in degrees, head row, lift), half width
LOCKS = [
    ((-14, 13.3, 0.016), (14, 12.0, 0.024), (40, 10.9, 0.017), (62, 9.3, 0.010), 0.026),
    ((-10, 13.4, 0.018), (24, 12.5, 0.023), (58, 11.0, 0.017), (80, 8.0, 0.007), 0.026),
    ((-16, 13.1, 0.014), (4, 11.8, 0.024), (20, 11.0, 0.018), (42, 10.2, 0.012), 0.021),
    ((-16, 13.2, 0.016), (-30, 12.1, 0.022), (-54, 10.6, 0.016), (-72, 8.6, 0.008), 0.024),
    ((-18, 13.1, 0.014), (-26, 12.0, 0.021), (-38, 11.2, 0.017), (-54, 10.0, 0.011), 0.019),
    ((62, 11.8, 0.014), (78, 10.2, 0.016), (84, 8.6, 0.011), (80, 7.3, 0.006), 0.016),
    ((-62, 11.8, 0.014), (-78, 10.2, 0.016), (-84, 8.6, 0.011), (-80, 7.3, 0.006), 0.016),
]


def lock(mesh, keys, width):
    points = []
    for degrees, row, lift in keys:
        base = ring_point(row_at(row / 15), np.radians(degrees))
        out = base - np.array([0.0, 1.60, 0.0])
        points.append(base + out / np.linalg.norm(out) * lift)
    curve = smooth_curve(points, 10)
    u = np.linspace(0, 1, 10)
    radii = width * (0.45 + 1.6 * u) * (1 - u ** 1.6) + 0.0012
    radii = np.minimum(radii, width)
    ring_tube(mesh, curve, radii)


def ring_tube(mesh, curve, radii):
    """A flat lock that keeps its broad side on the head."""
    tangents = np.gradient(curve, axis=0)
    rings = []
    for point, tangent, radius in zip(curve, tangents, radii):
        tangent = tangent / np.linalg.norm(tangent)
        out = point - np.array([0.0, 1.60, 0.0])
        out -= tangent * np.dot(out, tangent)
        out /= np.linalg.norm(out)
        side = np.cross(out, tangent)
        ring = [point + side * radius * np.cos(a) + out * min(radius * 0.5, 0.0095) * np.sin(a)
                for a in 2 * np.pi * np.arange(8) / 8]
        rings.append(mesh.ring(ring))
    for a, b in zip(rings, rings[1:]):
        mesh.bridge(a, b, "Hair")
    mesh.fan(rings[0][::-1], mesh.add(curve[0]), "Hair")
    mesh.fan(rings[-1], mesh.add(curve[-1]), "Hair")


def tail_curve(samples):
    start = TIE + (0, 0.004, 0.030)
    return smooth_curve([start] + [np.array(p) for p in PONYTAIL], samples)


def ponytail(mesh):
    """The extra column counts the chain's joints: 0 at the tie, 4 at the tip."""
    samples = 19
    curve = tail_curve(samples)
    u = np.linspace(0, 1, samples)
    table = [(0, 0.020), (0.16, 0.018), (0.22, 0.021), (0.36, 0.036), (0.55, 0.039),
             (0.75, 0.029), (0.92, 0.012), (1.0, 0.003)]
    radii = np.interp(u, *np.array(table).T)
    tangents = np.gradient(curve, axis=0)
    rings = []
    for index, (point, tangent, radius) in enumerate(zip(curve, tangents, radii)):
        tangent = tangent / np.linalg.norm(tangent)
        front = np.cross((1.0, 0, 0), tangent)
        wave = 1 + 0.07 * np.cos(np.arange(16) * np.pi / 2) * (u[index] > 0.2)
        angle = 2 * np.pi * np.arange(16) / 16 + 0.5 * u[index]
        ring = [point + radius * w * (np.array([1.0, 0, 0]) * np.cos(a) * 1.05
                                      + front * np.sin(a) * 0.82)
                for a, w in zip(angle, wave)]
        rings.append(mesh.ring(ring, u[index] * 5 - 1))
    for index, (a, b) in enumerate(zip(rings, rings[1:])):
        mesh.bridge(a, b, "Hair")
    mesh.fan(rings[0][::-1], mesh.add(curve[0], -1.0), "Hair")
    mesh.fan(rings[-1], mesh.add(curve[-1], 4.0), "Hair")


def hair_tie(mesh):
    """A ring of elastic around the tail's root."""
    centre, axis = TIE + (0, -0.004, -0.012), np.array([0, -0.35, -0.94])
    side, up = np.array([1.0, 0, 0]), np.cross(axis, (1.0, 0, 0))
    rings = []
    for a in 2 * np.pi * np.arange(16) / 16:
        out = side * np.cos(a) + up * np.sin(a)
        ring = [centre + out * (0.0205 + 0.0065 * np.cos(b)) + axis * 0.0085 * np.sin(b)
                for b in 2 * np.pi * np.arange(6) / 6]
        rings.append(mesh.ring(ring))
    for a, b in zip(rings, rings[1:] + rings[:1]):
        mesh.bridge(a, b, "Trim")


def hair():
    """Cap and locks turn with the head; the tail is a mesh of its own."""
    shell, tail = Mesh(), Mesh()
    cap(shell)
    shell.outward()
    for *keys, width in LOCKS:
        piece = Mesh()
        lock(piece, keys, width)
        shell.append(piece.outward())
    tie = Mesh()
    hair_tie(tie)
    shell.append(tie.outward())
    ponytail(tail)
    return shell, tail.outward()

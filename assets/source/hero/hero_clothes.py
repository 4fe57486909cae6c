"""Jacket, trousers and shoes: control cages, made round by Catmull-Clark.

A mesh's extra column holds the distance along the arm (jacket) and is unused elsewhere.
"""

import numpy as np

from hero_mesh import Mesh, ellipse, subdivide
from hero_skeleton import BIND, UPPER_ARM, arm_frame

X, Y, Z = np.eye(3)
TORSO_COLUMNS, ARM_COLUMNS, LEG_COLUMNS = 24, 12, 16
ON_TORSO = -0.12                    # "distance along the arm" of the torso's own points

# height, half width, front depth, back depth, centre z, squareness, material
TORSO = [
    (0.995, 0.146, 0.098, 0.105, -0.008, 2.2, "Jacket"),     # inside of the hem
    (0.938, 0.155, 0.107, 0.117, -0.010, 2.2, "Jacket"),
    (0.930, 0.163, 0.115, 0.125, -0.010, 2.2, "Trim"),
    (0.970, 0.162, 0.116, 0.124, -0.010, 2.2, "Trim"),
    (0.984, 0.172, 0.127, 0.132, -0.012, 2.2, "Jacket"),
    (1.035, 0.166, 0.128, 0.127, -0.014, 2.2, "Jacket"),
    (1.100, 0.156, 0.121, 0.116, -0.016, 2.15, "Jacket"),
    (1.175, 0.161, 0.126, 0.121, -0.019, 2.15, "Jacket"),
    (1.250, 0.168, 0.130, 0.129, -0.023, 2.15, "Jacket"),    # below the armhole
    (1.328, 0.166, 0.119, 0.132, -0.026, 2.2, "Jacket"),    # beside the armhole
    (1.396, 0.140, 0.096, 0.116, -0.028, 2.1, "Jacket"),     # above the armhole
    (1.436, 0.094, 0.068, 0.084, -0.028, 2.0, "Jacket"),
    (1.447, 0.070, 0.058, 0.063, -0.021, 2.0, "Jacket"),     # collar
    (1.478, 0.069, 0.061, 0.066, -0.018, 2.0, "Trim"),
    (1.482, 0.062, 0.054, 0.059, -0.018, 2.0, "Trim"),
    (1.430, 0.054, 0.042, 0.050, -0.020, 2.0, "Jacket"),
]
ARMHOLE_ROW = 8

# distance along the arm, half height, half depth, material of the band that ends here
SLEEVE = [
    (0.030, 0.060, 0.072, "Jacket"),
    (0.070, 0.061, 0.067, "Jacket"),
    (0.120, 0.062, 0.064, "Jacket"),
    (0.175, 0.058, 0.060, "Jacket"),
    (0.220, 0.056, 0.058, "Jacket"),
    (0.262, 0.054, 0.057, "Jacket"),
    (0.304, 0.054, 0.056, "Jacket"),
    (0.350, 0.054, 0.055, "Jacket"),
    (0.410, 0.053, 0.053, "Jacket"),
    (0.444, 0.051, 0.051, "Jacket"),
    (0.455, 0.040, 0.042, "Jacket"),
    (0.492, 0.038, 0.041, "Trim"),
    (0.495, 0.033, 0.036, "Trim"),
    (0.440, 0.028, 0.031, "Jacket"),
]


def torso_ring(mesh, row):
    y, width, front, back, z, square, _ = row
    ring = []
    for k in range(TORSO_COLUMNS):
        angle = 2 * np.pi * k / TORSO_COLUMNS
        depth = front if np.cos(angle) > 0 else back
        unit_ring = ellipse(np.zeros(3), X, Z, 1, 1, TORSO_COLUMNS, square)[k]
        ring.append(mesh.add((width * unit_ring[0], y, z + depth * unit_ring[2]), ON_TORSO))
    return ring


def arm_axis(distance):
    upper, fore, _, _ = arm_frame()
    shoulder = BIND["LeftArm"]
    bent = max(0.0, distance - UPPER_ARM)
    return shoulder + upper * min(distance, UPPER_ARM) + fore * bent


def sleeve_rings(mesh):
    upper, fore, up, thumb = arm_frame()
    rings = []
    for distance, high, deep, _ in SLEEVE:
        mix = np.clip((distance - UPPER_ARM) / 0.08 + 0.5, 0, 1)
        axis = upper * (1 - mix) + fore * mix
        side = np.cross(axis / np.linalg.norm(axis), up)
        tilt = max(0.0, 1 - distance / 0.12) * 0.35     # the first rings lean with the armhole
        lean = up * np.cos(tilt) - axis * np.sin(tilt) * 0.6
        drop = max(0.0, 0.085 - distance) * 0.32            # a round shoulder, a low armpit
        ring = ellipse(arm_axis(distance) - up * drop, lean, side, high, deep, ARM_COLUMNS)
        rings.append(mesh.ring(ring, distance))
    return rings


def armhole(rings):
    """The twelve torso points around the left armhole, front first, then over the top."""
    low, middle, high = rings[ARMHOLE_ROW:ARMHOLE_ROW + 3]
    return ([middle[4]] + high[4:9] + [middle[8]] + low[8:3:-1])


def drop_unused(mesh):
    used = sorted({i for face in mesh.faces for i in face})
    place = {old: new for new, old in enumerate(used)}
    mesh.points = [mesh.points[i] for i in used]
    mesh.faces = [[place[i] for i in face] for face in mesh.faces]
    return mesh


def in_armhole(row, column):
    return ARMHOLE_ROW <= row < ARMHOLE_ROW + 2 and (4 <= column < 8 or 16 <= column < 20)


def add_sleeve(mesh, rings):
    previous = armhole(rings)
    for i in previous:
        x, y, z, _ = mesh.points[i]
        mesh.points[i] = (x, y, z, -0.02)
    for ring, row in zip(sleeve_rings(mesh), SLEEVE):
        mesh.bridge(previous, ring, row[3])
        previous = ring


def jacket_half_sleeves(mesh, rings):
    """Sleeves on both sides: the right one is the left one's mirror image."""
    left = Mesh()
    left.points = list(mesh.points)
    add_sleeve(left, rings)
    base = len(mesh.points)
    mesh.points = left.points
    fresh = left.points[base:]
    mesh.points = mesh.points + [(-x, y, z, e) for x, y, z, e in fresh]
    hole = armhole(rings)
    twin = {i: i + len(fresh) for i in range(base, base + len(fresh))}
    for ring in rings:
        for k in range(TORSO_COLUMNS):
            twin[ring[k]] = ring[-k]
    for i in hole:
        x, y, z, e = mesh.points[i]
        mesh.points[twin[i]] = (-x, y, z, e)
    for face, material in zip(left.faces, left.materials):
        mesh.face(face, material)
        mesh.face([twin[i] for i in face[::-1]], material)


def jacket():
    mesh = Mesh()
    rings = [torso_ring(mesh, row) for row in TORSO]
    body = Mesh()
    jacket_half_sleeves(mesh, rings)
    for row in range(len(rings) - 1):
        a, b = rings[row], rings[row + 1]
        for k in range(TORSO_COLUMNS):
            if not in_armhole(row, k):
                n = (k + 1) % TORSO_COLUMNS
                body.face((a[k], a[n], b[n], b[k]), TORSO[row + 1][6])
    mesh.faces += body.faces
    mesh.materials += body.materials
    return subdivide(drop_unused(mesh))


# height, half width, front depth, back depth, centre z
WAIST = [
    (1.010, 0.136, 0.092, 0.096, -0.010),
    (0.955, 0.148, 0.100, 0.112, -0.010),
    (0.900, 0.163, 0.106, 0.124, -0.012),
    (0.860, 0.168, 0.104, 0.126, -0.014),
]
CROTCH = [(0.838, -0.070), (0.826, -0.012), (0.836, 0.048)]     # height and z, back to front

# height, centre x, centre z, half width, half depth, material of the band that ends here
LEG = [
    (0.790, 0.091, -0.006, 0.080, 0.096, "Trousers"),
    (0.730, 0.093, -0.002, 0.077, 0.089, "Trousers"),
    (0.660, 0.095, 0.002, 0.073, 0.082, "Trousers"),
    (0.590, 0.096, 0.004, 0.068, 0.075, "Trousers"),
    (0.540, 0.097, 0.005, 0.065, 0.071, "Trousers"),
    (0.490, 0.098, 0.004, 0.063, 0.070, "Trousers"),
    (0.440, 0.099, -0.002, 0.061, 0.068, "Trousers"),
    (0.380, 0.100, -0.012, 0.060, 0.067, "Trousers"),
    (0.300, 0.102, -0.018, 0.057, 0.063, "Trousers"),
    (0.220, 0.103, -0.021, 0.053, 0.058, "Trousers"),
    (0.172, 0.103, -0.021, 0.055, 0.060, "Trousers"),
    (0.158, 0.103, -0.020, 0.048, 0.053, "Trousers"),
    (0.124, 0.103, -0.020, 0.047, 0.052, "Cuff"),
    (0.120, 0.103, -0.020, 0.042, 0.047, "Cuff"),
    (0.160, 0.103, -0.020, 0.036, 0.041, "Trousers"),
]


def waist_ring(mesh, row):
    y, width, front, back, z = row
    unit_ring = ellipse(np.zeros(3), X, Z, 1, 1, TORSO_COLUMNS, 2.2)
    return mesh.ring([(width * p[0], y, z + (front if p[2] > 0 else back) * p[2])
                      for p in unit_ring])


def leg_rings(mesh, loop):
    """Rings whose points start opposite those of the loop at the top of the leg."""
    count = len(loop)
    rings = [loop]
    for y, x, z, width, depth, _ in LEG:
        ring = ellipse(np.array([x, y, z]), X, Z, width, depth, count, 2.15,
                       start=-2 * np.pi / count * 2)
        rings.append(mesh.ring(ring))
    return rings


def trousers():
    mesh = Mesh()
    rings = [waist_ring(mesh, row) for row in WAIST]
    for a, b in zip(rings, rings[1:]):
        mesh.bridge(a[::-1], b[::-1], "Trousers")
    crotch = [mesh.add((0.0, y, z)) for y, z in CROTCH]
    last = rings[-1]
    left = last[0:13] + crotch
    right = ([last[0]] + last[:11:-1] + crotch)
    for loop, sign in ((left, 1), (right, -1)):
        legs = leg_rings(mesh, loop)
        for ring in legs[1:]:
            for i in ring:
                x, y, z, e = mesh.points[i]
                mesh.points[i] = (sign * x, y, z, e)
        for (a, b), row in zip(zip(legs, legs[1:]), LEG):
            order = (a[::-1], b[::-1]) if sign > 0 else (a, b)
            mesh.bridge(*order, row[5])
    return subdivide(mesh)


# height, heel z, toe z, half width, squareness, material of the band that ends here
SHOE = [
    (0.000, -0.078, 0.192, 0.042, 2.6, "Sole"),
    (0.000, -0.087, 0.200, 0.047, 2.6, "Sole"),
    (0.005, -0.089, 0.204, 0.049, 2.6, "Sole"),
    (0.026, -0.090, 0.206, 0.050, 2.5, "Sole"),
    (0.030, -0.084, 0.199, 0.046, 2.4, "Sole"),
    (0.034, -0.083, 0.198, 0.046, 2.3, "Shoes"),
    (0.058, -0.086, 0.188, 0.046, 2.2, "Shoes"),
    (0.082, -0.086, 0.142, 0.045, 2.1, "Shoes"),
    (0.102, -0.083, 0.092, 0.043, 2.0, "Shoes"),
    (0.118, -0.078, 0.054, 0.042, 2.0, "Shoes"),
    (0.132, -0.070, 0.028, 0.042, 2.0, "Shoes"),
    (0.150, -0.062, 0.018, 0.040, 2.0, "Trim"),
    (0.152, -0.056, 0.012, 0.034, 2.0, "Trim"),
]
SHOE_COLUMNS = 16


def shoe_outline(row):
    y, heel, toe, half, square, _ = row
    middle, length = (heel + toe) / 2, (toe - heel) / 2
    ring = ellipse(np.zeros(3), X, Z, 1, 1, SHOE_COLUMNS, square)
    points = []
    for p in ring:
        z = middle + length * p[2]
        ball = np.exp(-((z - 0.10) / 0.075) ** 2)         # widest at the ball of the foot
        waist = np.exp(-((z - 0.02) / 0.05) ** 2)
        width = half * (0.86 + 0.20 * ball - 0.05 * waist)
        inward = 0.012 * np.clip((z - 0.02) / 0.18, 0, 1) ** 2
        points.append((0.105 + 0.004 + width * p[0] - inward + 0.004 * ball, y, z))
    return points


def shoe():
    mesh = Mesh()
    rings = [mesh.ring(shoe_outline(row)) for row in SHOE]
    mesh.cap(rings[0], "Sole")
    for (a, b), row in zip(zip(rings, rings[1:]), SHOE[1:]):
        mesh.bridge(a[::-1], b[::-1], row[5])
    mesh = subdivide(mesh)
    mesh.points = [(x, 0.0 if y < 0.003 else y, z, e) for x, y, z, e in mesh.points]
    return mesh

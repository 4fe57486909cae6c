"""The left hand: a palm of ten-point rings, four fingers and a thumb."""

import numpy as np

from hero_mesh import Mesh, subdivide
from hero_skeleton import BIND, FINGERS, arm_frame, finger_tail, hand_point

# along the hand, half width, thickness above and below, shift across, arch
PALM = [
    (-0.060, 0.026, 0.024, 0.024, 0.000, 0.000),
    (-0.020, 0.026, 0.021, 0.021, 0.000, 0.000),
    (0.000, 0.028, 0.020, 0.020, 0.000, 0.001),
    (0.022, 0.035, 0.020, 0.021, 0.001, 0.002),
    (0.050, 0.043, 0.018, 0.021, 0.001, 0.003),
    (0.074, 0.045, 0.016, 0.019, 0.000, 0.004),
]
THUMB_ROW = 3               # the thumb grows between this ring and the next
GROWTH = 1.30               # cages shrink when they are subdivided
FINGER_RADIUS = {"Index": 0.0092, "Middle": 0.0096, "Ring": 0.0090, "Pinky": 0.0078,
                 "Thumb": 0.0108}


def palm_ring(mesh, wrist, row):
    along, half, above, below, shift, arch = row
    top, bottom = [], []
    for k in range(5):
        u = 1 - k / 2                                   # 1 at the thumb, -1 at the little finger
        thick = 0.72 + 0.28 * (1 - u * u)
        lift = arch * (1 - u * u)
        top.append(mesh.add(hand_point(wrist, along, shift + half * u, above * thick + lift)))
        bottom.append(mesh.add(hand_point(wrist, along, shift + half * u * 0.96,
                                          -below * thick + lift * 0.4)))
    return top, bottom


def knuckle_ring(mesh, wrist):
    """Five points above and below, between and beside the four fingers."""
    names = list(FINGERS)
    top, bottom = [], []
    for k in range(5):
        ends = [names[max(k - 1, 0)], names[min(k, 3)]]
        along = np.mean([FINGERS[n][0] for n in ends]) + (0.004 if k in (0, 4) else 0.010)
        across = np.mean([FINGERS[n][1] for n in ends])
        across += 0.0115 if k == 0 else -0.0105 if k == 4 else 0
        top.append(mesh.add(hand_point(wrist, along - 0.008, across, 0.0150)))
        bottom.append(mesh.add(hand_point(wrist, along + 0.004, across, -0.0145)))
    return top, bottom


def finger_sections(name):
    """Centres, radii and directions of a finger's rings, with loops at the knuckles."""
    stem = "LeftHand" + name
    joints = [BIND[stem + str(i)] for i in (1, 2, 3)] + [finger_tail(stem + "3")]
    radius = FINGER_RADIUS[name]
    places = [(0, 0.45, 1.0), (0, 0.85, 0.98), (1, 0.12, 1.0), (1, 0.55, 0.93),
              (1, 0.90, 0.93), (2, 0.15, 0.92), (2, 0.60, 0.86), (2, 0.98, 0.58)]
    if name == "Thumb":
        places = [(0, 0.55, 1.15), (0, 0.88, 1.05)] + places[2:]
    for bone, t, scale in places:
        a, b = joints[bone], joints[bone + 1]
        yield a + (b - a) * t, radius * scale * GROWTH, (b - a) / np.linalg.norm(b - a)


def grow_finger(mesh, root, name):
    """Extrudes a quad (thumb side above, then little-finger side above, and below)."""
    _, fore, normal, thumb = arm_frame()
    if name == "Thumb":
        thumb = fore            # its root quad lies on the side of the palm
    previous = root
    for centre, radius, step in finger_sections(name):
        side = thumb - step * np.dot(thumb, step)
        side /= np.linalg.norm(side)
        up = np.cross(side, step)
        up *= np.sign(np.dot(up, normal)) * 1.02
        corners = [(1, 1), (-1, 1), (-1, -1), (1, -1)]
        ring = mesh.ring([centre + (side * a + up * b) * radius * 0.80 for a, b in corners])
        mesh.bridge(previous, ring, "Skin")
        previous = ring
    mesh.face(previous, "Skin")


def hand():
    mesh, wrist = Mesh(), BIND["LeftHand"]
    rows = [palm_ring(mesh, wrist, row) for row in PALM] + [knuckle_ring(mesh, wrist)]
    for index, ((top, bottom), (top2, bottom2)) in enumerate(zip(rows, rows[1:])):
        loop, loop2 = top + bottom[::-1], top2 + bottom2[::-1]
        for k in range(10):
            n = (k + 1) % 10
            if index == THUMB_ROW and k == 9:           # bottom[0] to top[0]: the thumb's root
                root = [loop2[n], loop[n], loop[k], loop2[k]]
                continue
            mesh.face((loop[k], loop[n], loop2[n], loop2[k]), "Skin")
    top, bottom = rows[-1]
    for k, name in enumerate(FINGERS):
        grow_finger(mesh, [top[k], top[k + 1], bottom[k + 1], bottom[k]], name)
    grow_finger(mesh, root, "Thumb")
    return subdivide(mesh).outward()

"""The fox: joints, body, eyes and nose, and the colours of its coat."""

import numpy as np

from rig import Rig, segment_distance
from solid import Rod, Solid, chain

TAIL = [(0, 0.452, -0.275), (0, 0.425, -0.360), (0, 0.382, -0.445), (0, 0.345, -0.545), (0, 0.325, -0.650),
        (0, 0.335, -0.775)]
LEG = {
    "Front": [(0.062, 0.378, 0.232), (0.066, 0.272, 0.165), (0.066, 0.096, 0.183), (0.067, 0.022, 0.205)],
    "Hind": [(0.062, 0.412, -0.212), (0.075, 0.288, -0.140), (0.071, 0.158, -0.275), (0.069, 0.022, -0.236)],
}
JOINTS = ("Upper", "Lower", "Pastern", "Paw")
TOE = np.array([0, -0.022, 0.052])              # from a paw's joint to the tip on the ground
SCAPULA = (0.044, 0.480, 0.160)
EAR = (0.046, 0.668, 0.338), (0.070, 0.778, 0.320)
SPINE = [("Hips", (0, 0.435, -0.200)), ("Spine", (0, 0.445, -0.085)), ("Spine1", (0, 0.445, 0.035)),
         ("Chest", (0, 0.440, 0.150)), ("Neck", (0, 0.475, 0.245)), ("Neck1", (0, 0.545, 0.305)),
         ("Head", (0, 0.605, 0.350))]
FLESH = {"Hips": 0.075, "Spine": 0.075, "Spine1": 0.080, "Chest": 0.085, "Neck": 0.070, "Neck1": 0.058, "Head": 0.055}


def swap(name):
    if not name or not name.startswith(("Left", "Right")):
        return name
    return "Right" + name[4:] if name.startswith("Left") else "Left" + name[5:]


def rig():
    ends = [place for _, place in SPINE[1:]] + [(0, 0.580, 0.470)]
    rows, up = [("Root", None, (0, 0, 0), (0, 0.1, 0), 0)], "Root"
    for (name, place), end in zip(SPINE, ends):
        rows.append((name, up, place, end, FLESH[name]))
        up = name
    rows.append(("LeftEar", "Head", *EAR, 0.018))
    for k, (place, end) in enumerate(zip(TAIL, TAIL[1:])):
        rows.append(("Tail%d" % (k + 1), "Tail%d" % k if k else "Hips", place, end, (0.02, 0.035, 0.05, 0.05, 0.045)[k]))
    rows.append(("LeftScapula", "Chest", SCAPULA, LEG["Front"][0], 0.040))
    for leg, up, flesh in (("Front", "LeftScapula", (0.036, 0.024, 0.016, 0.018)),
                           ("Hind", "Hips", (0.055, 0.028, 0.016, 0.018))):
        places = LEG[leg] + [np.array(LEG[leg][3]) + (0, -0.004, 0.045)]
        for k, part in enumerate(JOINTS):
            rows.append(("Left" + leg + part, up, places[k], places[k + 1], flesh[k]))
            up = "Left" + leg + part
    return Rig(rows, swap)


def body():
    rods = [Rod((0, 0.430, -0.205), (0, 0.440, -0.030), 0.088, 0.076, squash=(0.92, 1, 1)),
            Rod((0, 0.440, -0.030), (0, 0.425, 0.145), 0.076, 0.102, 0.05, (0.86, 1, 1)),
            Rod((0, 0.400, 0.165), (0, 0.405, 0.225), 0.085, 0.062, 0.05, (0.9, 1, 1)),
            Rod((0, 0.455, 0.195), (0, 0.545, 0.300), 0.084, 0.066, 0.05, (0.95, 1, 1)),
            Rod((0, 0.545, 0.300), (0, 0.605, 0.350), 0.064, 0.054, 0.03),
            Rod((0, 0.618, 0.362), (0, 0.610, 0.372), 0.074, 0.072, 0.03, (1.06, 0.95, 1)),
            Rod((0, 0.596, 0.400), (0, 0.577, 0.512), 0.046, 0.0185, 0.035, (1.0, 0.95, 1)),
            Rod((0.030, 0.590, 0.372), (0.098, 0.568, 0.338), 0.042, 0.007, 0.03, (1, 1, 0.85))]
    ear = np.array(EAR)
    rods += [Rod(ear[0] + (-0.004, -0.01, 0), ear[1], 0.047, 0.004, 0.018, (1, 1, 0.50))]
    rods += chain(TAIL, (0.030, 0.046, 0.064, 0.070, 0.056, 0.008), 0.09)
    rods += limb("Hind", (0.072, 0.040, 0.0235, 0.0190), 0.035) + limb("Front", (0.050, 0.035, 0.0240, 0.0190), 0.035)
    rods.append(Rod((0.050, 0.445, 0.165), (0.058, 0.380, 0.228), 0.062, 0.050, 0.04, (0.72, 1, 1)))
    rods.append(Rod((0.052, 0.425, -0.215), (0.066, 0.330, -0.170), 0.080, 0.056, 0.04, (0.70, 1, 1)))
    hollow = np.array(EAR) + ((0.002, 0.030, 0.027), (0.0, -0.030, 0.016))
    scoop = Rod(*hollow, 0.019, 0.004, squash=(1, 1, 0.7))
    return Solid(rods, floor=True, cuts=(lambda p: -scoop.distance(p),))


def limb(leg, radii, melt):
    places = [np.array(p) for p in LEG[leg]]
    rods = chain(places, radii, melt, (0.88, 1, 1))
    paw = places[3]
    return rods + [Rod(paw + (0, 0.002, 0.004), paw + (0, -0.004, 0.030), 0.0250, 0.0225, 0.012, (1.12, 1, 1))]


def stiff_soles(rig, points, weights):
    """Pads turn with the paw alone, so that they stay where they are while the leg rolls over them."""
    for side in ("Left", "Right"):
        for leg in LEG:
            paw = rig.place[side + leg + "Paw"]
            near = np.linalg.norm((points - paw)[:, [0, 2]] * (1, 0.6), axis=1) < 0.045
            share = near * np.clip((0.030 - points[:, 1]) / 0.014, 0, 1)
            weights *= 1 - share[:, None]
            weights[:, rig.names.index(side + leg + "Paw")] += share
    return weights


def ellipsoid(centre, radii, turn=0.0, rings=8, columns=12):
    """A small smooth ball on both sides; `turn` is in degrees about y."""
    u, v = np.meshgrid(np.linspace(0, np.pi, rings), np.arange(columns) / columns * 2 * np.pi, indexing="ij")
    ball = np.stack([np.sin(u) * np.cos(v), np.sin(u) * np.sin(v), np.cos(u)], axis=-1).reshape(-1, 3)
    c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    spin = np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])
    points, normals = centre + (ball * radii) @ spin.T, (ball / radii) @ spin.T
    triangles = []
    for r in range(rings - 1):
        for k in range(columns):
            a, b = r * columns + k, r * columns + (k + 1) % columns
            triangles += [(a, a + columns, b)] * (r > 0) + [(b, a + columns, b + columns)] * (r < rings - 2)
    extra = [(a, b, c) for a, b, c in cap_triangles(rings, columns)]
    return points, normals / np.linalg.norm(normals, axis=1, keepdims=True), np.array(triangles + extra)


def cap_triangles(rings, columns):
    """The two rows at the poles, whose inner corners fall together."""
    last = (rings - 2) * columns
    for k in range(columns):
        n = (k + 1) % columns
        yield k, columns + k, columns + n
        yield last + k, last + columns + k, last + n


def mirrored(part):
    points, normals, triangles = part
    return points * (-1, 1, 1), normals * (-1, 1, 1), triangles[:, ::-1]


def joined(parts):
    base = np.cumsum([0] + [len(p[0]) for p in parts])
    return (np.vstack([p[0] for p in parts]), np.vstack([p[1] for p in parts]),
            np.vstack([p[2] + b for p, b in zip(parts, base)]))


def both(*arguments):
    part = ellipsoid(*arguments)
    return joined([part, mirrored(part)])


def surface_point(solid, start, way):
    """Where a ray from inside leaves the solid."""
    far = np.linspace(0, 0.2, 400)
    outside = solid.field(np.array(start) + far[:, None] * np.array(way)) > 0
    return np.array(start) + far[np.argmax(outside)] * np.array(way)


def details(solid):
    """(material, points, normals, triangles): what turns with the head and has a plain colour."""
    look = np.array((0.60, 0.16, 0.78))
    eye = surface_point(solid, (0, 0.612, 0.372), look)
    nose = surface_point(solid, (0, 0.581, 0.450), (0, 0, 1.0))
    return [("Eyes", *both(eye - 0.003 * look, (0.0150, 0.0190, 0.0090), 38)),
            ("Glints", *both(eye + 0.0052 * look + (0, 0.0065, 0.001), (0.0042, 0.0046, 0.0028), 38, 5, 8)),
            ("Nose", *ellipsoid(nose + (0, 0.004, 0.001), (0.0150, 0.0115, 0.0120)))]


# ---- the coat: how far a point is inside the light and the dark markings, in metres ----

def blob(p, a, b, ra, rb):
    a, b = np.array(a, float), np.array(b, float)
    way = b - a
    t = np.clip((p - a) @ way / (way @ way), 0, 1)
    return ra + (rb - ra) * t - segment_distance(p, a, b)


def light(points):
    p = points * (1, 1, 1)
    p[:, 0] = abs(p[:, 0])
    ear = np.array(EAR)
    marks = [blob(p, (0, 0.345, 0.270), (0, 0.500, 0.375), 0.078, 0.048),
             blob(p, (0, 0.335, -0.10), (0, 0.325, 0.20), 0.045, 0.060),
             blob(p, (0.055, 0.560, 0.385), (0.100, 0.560, 0.360), 0.036, 0.034),
             blob(p, (0, 0.540, 0.430), (0.008, 0.548, 0.520), 0.040, 0.030),
             blob(p, ear[0] + (0.002, 0.022, 0.022), ear[1] + (-0.002, -0.03, 0.014), 0.018, 0.008),
             -0.685 - p[:, 2] + 0.015 * np.cos(9 * np.arctan2(p[:, 0], p[:, 1] - 0.33))]
    return np.max(marks, axis=0)


def dark(points):
    p = points * (1, 1, 1)
    p[:, 0] = abs(p[:, 0])
    ear = np.array(EAR)
    front = np.where(p[:, 2] > 0.05, 0.185 - p[:, 1] + 0.25 * (p[:, 2] - 0.185), -1)
    hind = np.where((p[:, 2] < -0.10) & (p[:, 1] < 0.24), 0.115 - p[:, 1] + 0.10 * (p[:, 2] + 0.26), -1)
    tip = blob(p, ear[1] + (0, -0.012, -0.004), ear[1] + (0.004, 0.02, -0.006), 0.030, 0.04)
    return np.max([front, hind, tip], axis=0)


REACH = 0.05                        # metres on either side of a marking's edge that the picture spans
ORANGE, DEEP, CREAM, SOCK = (226, 112, 42), (196, 84, 30), (250, 240, 222), (58, 38, 36)


def coat_uv(points):
    return np.clip(np.stack([light(points), dark(points)], axis=1) / (2 * REACH) + 0.5, 0.15, 0.85)


def coat_picture(size=128):
    """Across: out of and into the light markings; down: the dark ones."""
    place = ((np.arange(size) + 0.5) / size - 0.5) * 2 * REACH
    u, v = np.meshgrid(place, place)
    pixels = np.zeros((size, size, 3)) + ORANGE
    for colour, far, soft in ((DEEP, -0.012 - u, 0.05), (CREAM, u, 0.004), (SOCK, v, 0.008)):
        amount = np.clip(far / soft + 0.5, 0, 1)[..., None]
        pixels = pixels * (1 - amount) + np.array(colour) * amount
    return np.round(pixels)


MATERIALS = {"Fur": (None, 0.85), "Eyes": ((30, 20, 18), 0.15), "Glints": ((255, 255, 255), 0.3),
             "Nose": ((28, 22, 24), 0.35)}

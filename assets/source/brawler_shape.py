"""The brawler: short legs, long arms, a T-pose, and joints that are called as in Unreal."""

import numpy as np

from fox_shape import both, surface_point
from hero_skeleton import unit
from rig import Rig
from solid import Rod, Solid, chain

ARM = [(0.235, 1.125, -0.015), (0.515, 1.125, -0.024), (0.785, 1.125, -0.010), (0.905, 1.125, 0.0)]
THIGH = [(0.115, 0.665, 0.0), (0.125, 0.385, 0.014), (0.130, 0.095, -0.020), (0.137, 0.020, 0.090), (0.137, 0.020, 0.165)]
TRUNK = [("pelvis", (0, 0.700, 0), 0.14), ("spine_01", (0, 0.785, -0.010), 0.16), ("spine_02", (0, 0.900, -0.015), 0.16),
         ("spine_03", (0, 1.020, -0.020), 0.15), ("neck_01", (0, 1.190, -0.010), 0.07), ("head", (0, 1.265, 0.005), 0.11)]
HEAD_END = (0, 1.450, 0.010)


def swap(name):
    return name[:-2] + {"_l": "_r", "_r": "_l"}[name[-2:]] if name and name[-2:] in ("_l", "_r") else name


def axes(rig, name):
    """As Unreal's: x along the bone, and z to the side for whatever stands upright."""
    along = unit(rig.end[name] - rig.place[name])
    side = np.array([0, 0, 1.0]) if abs(along[0]) > 0.6 else np.array([1.0, 0, 0])
    z = unit(side - along * (side @ along))
    return np.column_stack([along, np.cross(z, along), z])


def rig():
    ends = [place for _, place, _ in TRUNK[1:]] + [HEAD_END]
    rows, up = [("root", None, (0, 0, 0), (0, 0.1, 0), 0)], "root"
    for (name, place, flesh), end in zip(TRUNK, ends):
        rows.append((name, up, place, end, flesh))
        up = name
    rows.append(("clavicle_l", "spine_03", (0.035, 1.140, -0.010), ARM[0], 0.06))
    for up, names, places, flesh in (
            ("clavicle_l", ("upperarm_l", "lowerarm_l", "hand_l"), ARM, (0.075, 0.06, 0.06)),
            ("pelvis", ("thigh_l", "calf_l", "foot_l", "ball_l"), THIGH, (0.10, 0.07, 0.05, 0.05))):
        for k, name in enumerate(names):
            rows.append((name, up, places[k], places[k + 1], flesh[k]))
            up = name
    return Rig(rows, swap, axes)


def skin():
    rods = [Rod((0, 1.100, -0.010), (0, 1.250, 0.0), 0.100, 0.078),
            Rod((0, 1.345, 0.010), (0, 1.400, 0.002), 0.117, 0.116, 0.04),
            Rod((0, 1.275, 0.040), (0.035, 1.280, 0.045), 0.084, 0.070, 0.04),
            Rod((0, 1.352, 0.122), (0, 1.336, 0.136), 0.020, 0.028, 0.018),
            Rod((0.113, 1.340, 0.002), (0.121, 1.368, -0.008), 0.022, 0.029, 0.012, (0.8, 1, 1))]
    rods += chain([(0.16, 1.122, -0.015), (0.255, 1.125, -0.016), (0.400, 1.125, -0.020), (0.515, 1.125, -0.022),
                   (0.610, 1.125, -0.020), (0.800, 1.125, -0.010)], (0.075, 0.098, 0.084, 0.066, 0.080, 0.050), 0.05)
    rods += chain([(0.121, 0.480, 0.008), (0.125, 0.385, 0.014), (0.130, 0.290, -0.012), (0.130, 0.130, -0.020)],
                  (0.092, 0.076, 0.084, 0.052), 0.05)
    return Solid(rods)


def vest():
    return Solid([Rod((0, 0.800, 0.016), (0, 0.930, 0.012), 0.168, 0.192, squash=(1.12, 1, 0.95)),
                  Rod((0, 1.030, 0.004), (0.120, 1.060, -0.008), 0.168, 0.124, 0.07),
                  Rod((0.02, 1.125, -0.015), (0.160, 1.135, -0.016), 0.090, 0.076, 0.05)],
                 cuts=(lambda p: 0.115 - np.hypot(p[..., 0] * 0.9, p[..., 2] - 0.020) - 0.9 * (1.185 - p[..., 1]),
                       lambda p: 0.768 - p[..., 1]))


def shorts():
    rods = [Rod((0, 0.735, 0.004), (0.060, 0.715, 0.0), 0.166, 0.150, squash=(1.10, 1, 0.95))]
    rods += chain([(0.108, 0.665, 0.0), (0.124, 0.445, 0.010)], (0.138, 0.116), 0.05)
    return Solid(rods, cuts=(lambda p: 0.455 - p[..., 1], lambda p: p[..., 1] - 0.785))


def boots():
    rods = chain([(0.130, 0.250, -0.016), (0.130, 0.095, -0.022)], (0.074, 0.066))
    rods += chain([(0.130, 0.055, -0.035), (0.135, 0.048, 0.080), (0.137, 0.046, 0.120)], (0.066, 0.068, 0.062), 0.03)
    return Solid(rods, floor=True, cuts=(lambda p: p[..., 1] - 0.232,))


def gloves():
    return Solid([Rod((0.800, 1.125, -0.008), (0.905, 1.122, 0.002), 0.080, 0.098, squash=(1, 0.92, 1)),
                  Rod((0.825, 1.118, 0.060), (0.905, 1.108, 0.098), 0.036, 0.040, 0.025)])


def trim():
    """Belt, cuffs and the tops of the boots: flat discs that stand out as rings."""
    def disc(centre, radius, squash):
        return Rod(centre, np.add(centre, (0, 1e-4, 0)), radius, radius, 0.001, squash)

    return Solid([disc((0, 0.778, 0.010), 0.194, (1.09, 0.30, 0.98)), disc((0.752, 1.125, -0.012), 0.071, (0.42, 1, 1)),
                  disc((0.130, 0.224, -0.017), 0.089, (1, 0.34, 1))])


def hair():
    rods = [Rod((0, 1.350, -0.006), (0, 1.405, -0.004), 0.125, 0.124),
            Rod((0, 1.490, 0.070), (0.03, 1.500, 0.0), 0.046, 0.050, 0.06)]
    return Solid(rods, cuts=(lambda p: 1.372 + 0.62 * p[..., 2] - p[..., 1],))


def beard():
    return Solid([Rod((0, 1.262, 0.052), (0.040, 1.270, 0.048), 0.092, 0.078),
                  Rod((0, 1.205, 0.092), (0, 1.165, 0.104), 0.062, 0.026, 0.05),
                  Rod((0.094, 1.290, 0.030), (0.110, 1.375, 0.012), 0.034, 0.014, 0.05),
                  Rod((0.014, 1.309, 0.126), (0.062, 1.290, 0.108), 0.023, 0.013, 0.02)],
                 cuts=(lambda p: p[..., 1] - 1.318 - 0.9 * np.clip(p[..., 0] - 0.070, 0, 1),))


def brows():
    return Solid([Rod((0.026, 1.414, 0.110), (0.072, 1.416, 0.092), 0.0135, 0.0095)])


TORSO = ("pelvis", "spine_01", "spine_02", "spine_03", "neck_01")
# material: solid, points, and the joints that move it (without their side)
PARTS = {
    "Skin": (skin, 1050, ("spine_03", "neck_01", "head", "clavicle", "upperarm", "lowerarm", "hand", "thigh", "calf", "foot")),
    "Vest": (vest, 620, TORSO + ("clavicle", "upperarm")),
    "Shorts": (shorts, 520, ("pelvis", "spine_01", "thigh", "calf")),
    "Boots": (boots, 460, ("calf", "foot", "ball")),
    "Gloves": (gloves, 460, ("hand",)),
    "Trim": (trim, 620, ("pelvis", "spine_01", "lowerarm", "hand", "calf")),
    "Hair": (hair, 360, ("head",)),
    "Beard": (beard, 400, ("head",)),
    "Brows": (brows, 100, ("head",)),
}
MATERIALS = {
    "Skin": ((196, 128, 92), 0.6), "Vest": ((246, 190, 60), 0.8), "Shorts": ((58, 44, 96), 0.8),
    "Boots": ((150, 40, 44), 0.5), "Gloves": ((204, 44, 48), 0.4), "Trim": ((246, 242, 232), 0.6),
    "Hair": ((44, 30, 30), 0.7), "Beard": ((44, 30, 30), 0.8), "Brows": ((34, 24, 24), 0.8),
    "Whites": ((250, 248, 244), 0.3), "Pupils": ((34, 26, 30), 0.2),
}


def eyes():
    look = unit((0.36, 0.03, 0.93))
    place = surface_point(skin(), (0.0, 1.372, 0.005), look)
    return {"Whites": both(place - 0.004 * look, (0.0225, 0.0250, 0.0115), 20),
            "Pupils": both(place + 0.0038 * look + (-0.003, -0.001, 0.0015), (0.0105, 0.0125, 0.0045), 20)}

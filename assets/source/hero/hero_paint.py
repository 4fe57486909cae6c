"""Colours, materials, texture coordinates and the one texture that the script paints."""

import numpy as np

from hero_head import MOUTH
from hero_skeleton import BIND, FOREARM, UPPER_ARM, arm_frame

SIZE = 512
PAD = 6                 # pixels around each region, so that its neighbours do not bleed in

TEAL, TEAL_DARK, CREAM, CORAL = (24, 122, 128), (17, 92, 100), (240, 232, 214), (236, 92, 66)
NAVY, NAVY_DARK, WHITE = (44, 52, 78), (34, 40, 62), (246, 244, 238)
SKIN, BLUSH, HAIR = (238, 180, 146), (232, 138, 116), (92, 44, 32)
INK, IRIS, IRIS_DARK = (40, 24, 26), (58, 132, 120), (24, 62, 66)
LIP, TONGUE, DEEP = (168, 72, 70), (222, 112, 108), (92, 30, 36)

# name: (colour or None for the texture, roughness)
MATERIALS = {
    "Jacket": (None, 0.75), "Trim": (CORAL, 0.8), "Trousers": (None, 0.85),
    "Cuff": (NAVY_DARK, 0.85), "Shoes": (WHITE, 0.55), "Sole": (CORAL, 0.6),
    "Skin": (None, 0.5), "Hair": (HAIR, 0.58), "Brows": ((66, 32, 26), 0.7),
    "Lashes": (INK, 0.6), "Eyes": (None, 0.15), "Mouth": (None, 0.4),
}

# left, bottom, width and height in the texture
REGIONS = {
    "torso": (0.0, 0.5, 0.5, 0.5), "sleeve": (0.5, 0.5, 0.5, 0.5),
    "trousers": (0.0, 0.0, 0.5, 0.5), "skin": (0.5, 0.0, 0.25, 0.5),
    "eye": (0.75, 0.25, 0.25, 0.25), "mouth": (0.75, 0.0, 0.25, 0.25),
}
TORSO_HEIGHTS, LEG_HEIGHTS = (0.92, 1.49), (0.10, 1.02)
SKIN_CORNER, SKIN_SPAN = (-0.1, 1.40), (0.2, 0.40)


def linear(colour):
    c = np.array(colour) / 255
    return tuple(np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4))


def in_region(region, u, v):
    left, bottom, width, height = REGIONS[region]
    pad = PAD / SIZE
    u = left + pad + np.clip(u, 0, 1) * (width - 2 * pad)
    v = bottom + pad + np.clip(v, 0, 1) * (height - 2 * pad)
    return np.stack([u, v], axis=-1)


def around(a, b):
    """Angles as 0..1, for the corners of one face, without a jump inside the face."""
    u = np.arctan2(a, b) / (2 * np.pi) + 0.5
    return np.where((u.max() - u.min() > 0.5) & (u < 0.5), u + 1, u)


def jacket_uv(corners, along):
    if along.max() > 0.0:
        return sleeve_uv(corners, along)
    x, y, z = corners.T
    low, high = TORSO_HEIGHTS
    return in_region("torso", around(x, z + 0.02), (y - low) / (high - low))


def sleeve_uv(corners, along):
    upper, fore, up, _ = arm_frame()
    p = corners * (np.sign(corners[:, 0].mean()), 1, 1) - BIND["LeftArm"]
    bent = np.clip(along - UPPER_ARM, 0, None)[:, None]
    p = p - upper * np.clip(along, 0, UPPER_ARM)[:, None] - fore * bent
    length = UPPER_ARM + FOREARM
    return in_region("sleeve", around(p[:, 2], p @ up), along / length)


def trousers_uv(corners, _):
    x, y, z = corners.T
    side = np.sign(x.mean())
    low, high = LEG_HEIGHTS
    return in_region("trousers", around(z, side * (x - side * 0.098)), (y - low) / (high - low))


def head_uv(corners, _):
    x, y, z = corners.T
    u, v = (x - SKIN_CORNER[0]) / SKIN_SPAN[0], (y - SKIN_CORNER[1]) / SKIN_SPAN[1]
    if z.mean() < 0.0:
        u, v = u * 0, v * 0
    return in_region("skin", u, v)


def plain_uv(corners, _):
    return in_region("skin", np.zeros(len(corners)), np.zeros(len(corners)))


class Canvas:
    def __init__(self):
        self.pixels = np.zeros((SIZE, SIZE, 3))

    def region(self, name, colour):
        """Fills a region and returns its pixels with their u and v."""
        left, bottom, width, height = [int(round(k * SIZE)) for k in REGIONS[name]]
        view = self.pixels[bottom:bottom + height, left:left + width]
        view[:] = colour
        u = (np.arange(width) + 0.5 - PAD) / (width - 2 * PAD)
        v = (np.arange(height) + 0.5 - PAD) / (height - 2 * PAD)
        return view, *np.meshgrid(u, v)


def blend(view, colour, amount):
    amount = np.clip(amount, 0, 1)[..., None]
    view[:] = view * (1 - amount) + np.array(colour) * amount


def band(value, centre, half, soft):
    return (half + soft / 2 - abs(value - centre)) / soft


def paint_torso(canvas):
    view, u, v = canvas.region("torso", TEAL)
    low, high = TORSO_HEIGHTS
    height = low + v * (high - low)
    blend(view, TEAL_DARK, band(abs(u - 0.5), 0.25, 0.045, 0.01) * (height < 1.30))
    blend(view, CREAM, band(height, 1.200, 0.021, 0.004))
    blend(view, CORAL, band(height, 1.200, 0.007, 0.004))
    blend(view, TEAL_DARK, 0.55 * (0.995 - height) / 0.05)
    blend(view, CREAM, band(u, 0.5, 0.0075, 0.006))
    blend(view, (150, 140, 128), band(u, 0.5, 0.0020, 0.004))
    pocket = band(height, 1.055 + 0.35 * (abs(u - 0.5) - 0.11), 0.004, 0.004)
    blend(view, CREAM, pocket * (abs(abs(u - 0.5) - 0.115) < 0.03))


def paint_sleeve(canvas):
    view, u, v = canvas.region("sleeve", CREAM)
    blend(view, TEAL, (0.055 - v) / 0.01)
    blend(view, CORAL, band(v, 0.30, 0.020, 0.008))
    blend(view, TEAL, band(v, 0.365, 0.020, 0.008))
    blend(view, (214, 202, 182), 0.6 * (v - 0.82) / 0.06)


def paint_trousers(canvas):
    view, u, v = canvas.region("trousers", NAVY)
    blend(view, CORAL, band(u, 0.5, 0.022, 0.008))
    blend(view, CREAM, band(u, 0.5, 0.006, 0.008))
    blend(view, NAVY_DARK, 0.8 * band(v, 0.425, 0.05, 0.06) * (abs(u - 0.25) < 0.0))


def paint_skin(canvas):
    view, u, v = canvas.region("skin", SKIN)
    x = SKIN_CORNER[0] + u * SKIN_SPAN[0]
    y = SKIN_CORNER[1] + v * SKIN_SPAN[1]
    cheek = np.exp(-((abs(x) - 0.049) / 0.016) ** 2 - ((y - 1.551) / 0.011) ** 2)
    blend(view, BLUSH, 0.55 * cheek)
    nose = np.exp(-(x / 0.010) ** 2 - ((y - 1.548) / 0.009) ** 2)
    blend(view, BLUSH, 0.30 * nose)
    shade = np.exp(-(x / 0.015) ** 2 - ((y - MOUTH[1] + 0.013) / 0.0035) ** 2)
    blend(view, (206, 140, 112), 0.45 * shade)


def paint_eye(canvas):
    view, u, v = canvas.region("eye", WHITE)
    x, y = 2 * u - 1, 2 * v - 1
    blend(view, (196, 200, 206), 0.8 * (y - 0.45) / 0.4)
    y = y - 0.05
    iris = np.hypot(x, y) * 0.95            # as high as the eye: the lid touches it
    blend(view, IRIS_DARK, (0.80 - iris) / 0.03)
    blend(view, IRIS, ((0.72 - iris) / 0.04) * np.clip(0.95 - y * 0.75, 0, 1))
    blend(view, (150, 214, 186), 0.75 * ((0.62 - iris) / 0.15) * np.clip(-y - 0.05, 0, 1) * 1.6)
    blend(view, (14, 22, 26), (0.40 - np.hypot(x, y * 1.1)) / 0.04)
    blend(view, (255, 255, 255), (0.20 - np.hypot(x + 0.27, y - 0.32)) / 0.04)
    blend(view, (255, 255, 255), 0.8 * (0.10 - np.hypot(x - 0.30, y + 0.36)) / 0.04)


def paint_mouth(canvas):
    view, u, v = canvas.region("mouth", DEEP)
    x, y = 2 * u - 1, 2 * v - 1
    blend(view, TONGUE, (0.62 - np.hypot(x * 0.9, (y + 1.0) * 0.75)) / 0.1)
    blend(view, (250, 246, 238), ((y - 0.10) / 0.12) * (abs(x) < 0.86))
    blend(view, LIP, (abs(y) - 0.80) / 0.06)


def texture():
    """Rows from the bottom up, as Blender stores them; three channels of 0..255."""
    canvas = Canvas()
    for paint in (paint_torso, paint_sleeve, paint_trousers, paint_skin, paint_eye, paint_mouth):
        paint(canvas)
    return np.round(canvas.pixels)

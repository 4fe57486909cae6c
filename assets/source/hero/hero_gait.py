"""Where a walking or running foot is: planted without sliding, then swung through.

A foot's pitch is positive with the heel up. Phase 0 is the foot's first contact.
"""

import numpy as np

from hero_pose import turn_x, turn_y
from hero_skeleton import BIND

ANKLE = BIND["LeftFoot"]
HEEL = np.array([ANKLE[0], 0.0, -0.0858])
BALL = np.array([ANKLE[0], BIND["LeftToeBase"][1], BIND["LeftToeBase"][2]])


class Gait:
    """Numbers of one gait; times are shares of the cycle, angles degrees, lengths metres.

    `swing` holds rows of (share of the swing, ankle's y, ankle's z, pitch).
    """

    def __init__(self, frames, speed, stance, ahead, strike, flat, heel_off, push, swing,
                 toe_out=5.0, narrow=0.03):
        self.__dict__.update(locals())
        self.seconds = frames / 30

    def stance_pitch(self, p):
        if p < self.flat:
            return -self.strike * (1 - p / self.flat) ** 2
        if p > self.heel_off:
            return self.push * ((p - self.heel_off) / (self.stance - self.heel_off)) ** 2.0
        return 0.0

    def planted(self, p):
        """Ankle (x, y, z) and pitch while the foot is on the ground."""
        pitch = self.stance_pitch(p)
        pivot = HEEL if pitch < 0 else BALL
        offset = self.ahead - self.speed * self.seconds * p
        yaw = turn_y(self.toe_out)
        ankle = ANKLE + yaw @ (pivot - ANKLE + turn_x(pitch) @ (ANKLE - pivot))
        return np.array([ankle[0] - self.narrow, ankle[1], ankle[2] + offset, pitch])

    def swung(self, p):
        """Ankle and pitch in the air: a curve that leaves and lands at the ground's speed."""
        length = 1 - self.stance
        u = (p - self.stance) / length
        tiny = 1e-4
        start, end = self.planted(self.stance), self.planted(0.0)
        out = (start - self.planted(self.stance - tiny)) / tiny * length
        into = (self.planted(tiny) - end) / tiny * length
        middle = ANKLE[0] - self.narrow
        keys = [(0.0, *start)] + [(k, middle, y, z, a) for k, y, z, a in self.swing]
        keys += [(1.0, *end)]
        return hermite(keys, u, out, into)

    def toe_pitch(self, p, pitch):
        if p <= self.stance:
            return min(pitch, 0.0)
        return pitch + toe_relax((p - self.stance) / (1 - self.stance), self.push)

    def foot(self, phase):
        """Ankle place, foot rotation and toe rotation of the left foot."""
        p = phase % 1.0
        *ankle, pitch = self.planted(p) if p <= self.stance else self.swung(p)
        toe = self.toe_pitch(p, pitch)
        yaw = turn_y(self.toe_out)
        return np.array(ankle), yaw @ turn_x(pitch), yaw @ turn_x(toe)


def toe_relax(u, push):
    """The toes' bend against the foot dies out early in the swing."""
    t = np.clip(u / 0.62, 0, 1)
    return -push * (1 - t * t) ** 2


def hermite(keys, u, out, into):
    """A cubic Hermite curve through (u, values...) with given end slopes."""
    keys = np.array(keys, float)
    at, values = keys[:, 0], keys[:, 1:]
    slopes = np.zeros_like(values)
    slopes[0], slopes[-1] = out, into
    for i in range(1, len(keys) - 1):
        left = (values[i] - values[i - 1]) / (at[i] - at[i - 1])
        right = (values[i + 1] - values[i]) / (at[i + 1] - at[i])
        share = (at[i] - at[i - 1]) / (at[i + 1] - at[i - 1])
        slopes[i] = left * (1 - share) + right * share
    i = int(np.clip(np.searchsorted(at, u, side="right") - 1, 0, len(keys) - 2))
    step = at[i + 1] - at[i]
    t = (u - at[i]) / step
    h00, h10 = 2 * t ** 3 - 3 * t * t + 1, t ** 3 - 2 * t * t + t
    h01, h11 = -2 * t ** 3 + 3 * t * t, t ** 3 - t * t
    return (h00 * values[i] + h10 * step * slopes[i]
            + h01 * values[i + 1] + h11 * step * slopes[i + 1])


WALK = Gait(frames=28, speed=1.4, stance=0.61, ahead=0.300, strike=19.0, flat=0.11,
            heel_off=0.34, push=56.0,
            swing=[(0.20, 0.210, -0.345, 54.0), (0.48, 0.166, 0.000, 12.0),
                   (0.78, 0.124, 0.262, -16.0)])

RUN = Gait(frames=20, speed=4.0, stance=0.31, ahead=0.245, strike=7.0, flat=0.05,
           heel_off=0.13, push=62.0,
           swing=[(0.16, 0.330, -0.520, 78.0), (0.36, 0.475, -0.330, 72.0),
                  (0.58, 0.370, 0.080, 22.0), (0.80, 0.215, 0.330, -8.0)],
           toe_out=4.0, narrow=0.045)

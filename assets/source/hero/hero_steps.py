"""Feet that go from place to place: stances that stand in the world, and the swings between them.

A foot's frame lies on the ground under its ankle, turned by `yaw` degrees, to the left above 0. A pitch above 0 has
the heel up. Phase 0 of a gait is the left foot's contact.
"""

import numpy as np

from hero_clips import soft
from hero_gait import ANKLE, BALL, HEEL, hermite, toe_relax
from hero_pose import MIRROR, turn_x, turn_y
from hero_skeleton import BIND

UP = np.array([0, ANKLE[1], 0])
HEEL_AT, BALL_AT = HEEL - ANKLE + UP, BALL - ANKLE + UP
TOE_AT = (BIND["LeftToeBase"] - ANKLE) * (1, 0, 1)  # a little to the side of where a gait has the ball
TOES = 0.085                                        # metres from the ball to the tip
CLEAR = 0.034                                       # metres that a sole is off the ground in the middle of a swing
TINY = 1e-4


def lowest(height, pitch, toe):
    """Of heel, ball and toes, for the ankle's height."""
    heel, ball = [height + (turn_x(pitch) @ (at - UP))[1] for at in (HEEL_AT, BALL_AT)]
    return min(heel, ball, ball - TOES * np.sin(np.radians(toe)))


class Stance:
    """A foot on the ground from `land` to `lift`, in seconds.

    It lands on the heel with the toes up by `strike` degrees, is flat after `flat` seconds, and rolls over its ball by
    `push` degrees in the last `roll` seconds. `turn` is (from, to, degrees): meanwhile it turns about its ball.
    """

    def __init__(self, x, z, yaw, land, lift, strike=0.0, flat=0.1, push=0.0, roll=0.25, turn=None):
        self.__dict__.update(locals())

    def pitch(self, t):
        if t < self.land + self.flat:
            return -self.strike * (1 - (t - self.land) / self.flat) ** 2
        return self.push * max((t - self.lift + self.roll) / self.roll, 0) ** 2

    def state(self, t, mirror):
        """Ankle's x, y, z, pitch and yaw."""
        yaw, pitch = self.yaw, self.pitch(t)
        pivot = HEEL_AT if pitch < 0 else BALL_AT
        frame = np.array([self.x, 0, self.z])
        if self.turn:
            toe = mirror @ TOE_AT
            frame = frame + turn_y(yaw) @ toe
            yaw += self.turn[2] * soft(t, *self.turn[:2])
            frame = frame - turn_y(yaw) @ toe
        ankle = frame + turn_y(yaw) @ (pivot + turn_x(pitch) @ (UP - pivot))
        return np.array([*ankle, pitch, yaw])


    def lane(self, mirror):
        """x of its frame as it lifts."""
        turned = turn_y(self.yaw) @ mirror @ TOE_AT
        return self.x + (turned - turn_y(self.turn[2]) @ turned)[0] if self.turn else self.x


class Stride:
    """A swing with the form of a gait's: rows of (share of time, share of the way, ankle's height, pitch).

    `leaves` is a swing and the stance to which it would lead, and two times: between them, this swing leaves that.
    """

    def __init__(self, gait, effort=1.0, lead_x=None, leaves=None):
        self.effort, self.lead_x, self.leaves = effort, lead_x, leaves
        length = gait.speed * gait.seconds
        start, end = gait.planted(gait.stance), gait.planted(0.0)
        first, last = start[2] + length * gait.stance, end[2] + length
        self.rows = []
        for u, y, z, pitch in gait.swing:
            now = z + length * (gait.stance + (1 - gait.stance) * u)
            self.rows.append((u, (now - first) / (last - first), y, pitch))

    def state(self, u, a, b, out, into, lanes):
        keys = [(0.0, *a[:4])]
        for at, share, y, pitch in self.rows:
            across = soft(at, *self.lead_x) if self.lead_x else share
            x, z = lanes[0] + (lanes[1] - lanes[0]) * across, a[2] + (b[2] - a[2]) * share
            keys.append((at, x, UP[1] + self.effort * (y - UP[1]), z, self.effort * pitch))
        keys.append((1.0, *b[:4]))
        return np.append(hermite(keys, u, out[:4], into[:4]), a[4] + (b[4] - a[4]) * soft(u, 0.0, 0.95))


class Arc:
    """A small step: up and down again, straight or (`around`) about the Root's place."""

    def __init__(self, height=0.04, pitch=14.0, around=False):
        self.height, self.pitch, self.around = height, pitch, around

    def state(self, u, a, b, *_):
        share, arc = soft(u, 0.0, 0.94), np.sin(np.pi * u) ** 2
        pitch = a[3] * (1 - soft(u, 0.0, 0.7)) + b[3] * soft(u, 0.5, 1.0) + self.pitch * arc * (1 - 0.6 * u)
        yaw = a[4] + (b[4] - a[4]) * share
        first, last = a[:3] - from_ball(a[3], a[4]), b[:3] - from_ball(b[3], b[4])
        ball = first + (last - first) * share
        if self.around:
            ball = turn_y(yaw) @ (turn_y(-a[4]) @ first * (1 - share) + turn_y(-b[4]) @ last * share)
        return np.array([*(ball + from_ball(pitch, yaw) + (0, self.height * arc, 0)), pitch, yaw])


def from_ball(pitch, yaw):
    """From the ball to the ankle."""
    return turn_y(yaw) @ turn_x(pitch) @ (UP - BALL_AT)


class Foot:
    """Stances in order, with a swing between each two."""

    def __init__(self, side, *path):
        self.stances, self.swings = path[::2], path[1::2]
        self.mirror = np.eye(3) if side == "Left" else MIRROR

    def state(self, t):
        """(x, y, z, pitch, yaw) of the ankle, and the pitch of the toes."""
        index = 0
        while index + 1 < len(self.stances) and t >= self.stances[index + 1].land:
            index += 1
        stance = self.stances[index]
        if t <= stance.lift or index + 1 == len(self.stances):
            state = stance.state(t, self.mirror)
            return state, min(state[3], 0.0)
        state, u = self.swing(t, stance, self.swings[index], self.stances[index + 1])
        toe = state[3] + toe_relax(u, stance.push)
        state[1] += max(CLEAR * np.sin(np.pi * u) - lowest(state[1], state[3], toe), 0)
        return state, toe

    def swing(self, t, stance, swing, after):
        length = after.land - stance.lift
        u = (t - stance.lift) / length
        a, b = stance.state(stance.lift, self.mirror), after.state(after.land, self.mirror)
        out = (a - stance.state(stance.lift - TINY, self.mirror)) / TINY * length
        into = (after.state(after.land + TINY, self.mirror) - b) / TINY * length
        state = swing.state(u, a, b, out, into, (stance.lane(self.mirror), after.x))
        if getattr(swing, "leaves", None):
            other, toward, begins, ends = swing.leaves
            state = state + (self.swing(t, stance, other, toward)[0] - state) * (1 - soft(t, begins, ends))
        return state, u


def gait_stance(gait, side, root, seconds, phase, **changes):
    """The stance of a gait's foot, whose Root is at `root` (x, z, yaw) at that time, when the foot is at `phase`.

    The foot's own phase: 0 is its contact.
    """
    sign = 1.0 if side == "Left" else -1.0
    ahead = gait.ahead - gait.speed * gait.seconds * phase
    place = turn_y(root[2]) @ np.array([sign * (ANKLE[0] - gait.narrow), 0, ANKLE[2] + ahead])
    land = seconds - phase * gait.seconds
    values = dict(x=root[0] + place[0], z=root[1] + place[2], yaw=root[2] + sign * gait.toe_out, land=land,
                  lift=land + gait.stance * gait.seconds, strike=gait.strike, flat=gait.flat * gait.seconds,
                  push=gait.push, roll=(gait.stance - gait.heel_off) * gait.seconds)
    values.update(changes)
    return Stance(**values)

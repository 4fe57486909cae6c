"""Curves of FBX files between, before and behind their keys, and layers of them. What is expected is computed here, from
the definitions of the segments and of the blend modes."""
import math
import unittest

import fbx_truth as truth
from imported import Case, euler, moved, product, scaled
from write_fbx import Fbx, TICKS, weights

CONSTANT, NEXT, LINEAR, CUBIC = 0x2, 0x102, 0x4, 0x8
AUTO, TCB, USER, CLAMP, INDEPENDENT, PROGRESSIVE = 0x100, 0x200, 0x400, 0x1000, 0x2000, 0x4000
WEIGHTED = 0x3000000


def bezier(v0, v1, slope_right, slope_left, duration, x, right=1 / 3, left=1 / 3):
    """Value at the part x of a segment: solved by bisection of its time."""
    def cubic(a, b, c, d, t):
        u = 1 - t
        return u * u * u * a + 3 * u * u * t * b + 3 * u * t * t * c + t * t * t * d
    low, high = 0, 1
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if cubic(0, right, 1 - left, 1, middle) < x else (low, middle)
    return cubic(v0, v0 + slope_right * right * duration, v1 - slope_left * left * duration, v1, low)


class FbxCurves(Case):
    def play(self, times, values, flags, data=None, extra="", begin=None, end=None, asked=()):
        """x of a node whose x has the keys, at the moments asked for in the file's time."""
        fbx = Fbx()
        arm = fbx.model("Arm")
        begin, end = times[0] if begin is None else begin, times[-1] if end is None else end
        layer, = fbx.stack("Wave", begin, end)
        fbx.curves(layer, arm, "Lcl Translation", times, [(v, 0, 0) for v in values], flags, extra, data)
        dump = self.pose(self.write("model.fbx", fbx.text()), "Wave", [t - begin for t in asked])
        return [frame["world"][self.node(dump, "Arm")][12] for frame in dump["clips"][0]["frames"]]

    # ---- segments ----

    def test_constant_linear_and_next(self):
        found = self.play([0, 1, 2, 3], [0, 4, 8, 2], [CONSTANT, LINEAR, NEXT, LINEAR],
                          asked=[0.25, 0.99, 1.25, 1.75, 2.01, 2.5, 2.99])
        self.assert_near(found, [0, 0, 5, 7, 2, 2, 2], 2e-3)

    def test_keys_at_one_time_and_keys_that_go_back(self):
        """Of keys at one time the last one holds, with its own segment; a key before its predecessor is left out."""
        found = self.play([0, 1, 1, 1, 2, 1.5, 3], [0, 4, 6, 8, 2, 50, 4],
                          [LINEAR, LINEAR, LINEAR, CONSTANT, LINEAR, CONSTANT, LINEAR],
                          asked=[0.5, 0.75, 1.25, 1.75, 2.5])
        self.assert_near(found, [4, 6, 8, 8, 3], 2e-3)

    def test_user_tangents(self):
        asked = [0.1, 0.3, 0.5, 0.8, 0.95]
        found = self.play([0, 1], [0, 4], [CUBIC | USER, CUBIC | USER], [(9.0, -6.0, 0, 0), (0.0, 0.0, 0, 0)], asked=asked)
        self.assert_near(found, [bezier(0, 4, 9, -6, 1, t) for t in asked], 2e-3)

    def test_weighted_tangents(self):
        asked = [0.2, 0.5, 0.9, 1.4, 1.9]
        packed = weights(0.9, 0.05)
        found = self.play([0, 2], [0, 10], [CUBIC | USER | WEIGHTED, CUBIC | USER], [(1.0, 8.0, packed, 0), (0.0, 0.0, 0, 0)],
                          asked=asked)
        self.assert_near(found, [bezier(0, 10, 1, 8, 2, t / 2, 0.9, 0.05) for t in asked], 5e-3)

    def test_fast_curves_keep_their_way_when_it_is_late(self):
        """Times of frames are floats: after 500 s they are 3e-5 s apart, in which this one goes 0.011; it may be off by
        0.002, and a little more for its integers."""
        late, asked = 500, [500 + i / 128 for i in range(2, 126)]
        fbx = Fbx()
        arm = fbx.model("Arm")
        fbx.model("Hand", arm, Lcl_Translation=(10, 0, 0))
        layer, = fbx.stack("Wave", 0, late + 1)
        times, values = [0] + [late + 0.1 * i for i in range(11)], [0] + [(-1) ** i * 12 for i in range(11)]
        fbx.curves(layer, arm, "Lcl Translation", times, [(v, 0, 0) for v in values], [LINEAR] + [CUBIC | USER] * 11, "",
                   [(0.0, 0.0, 0, 0)] * 12)
        dump = self.pose(self.write("model.fbx", fbx.text()), "Wave", asked)
        found = [frame["world"][self.node(dump, "Arm")][12] for frame in dump["clips"][0]["frames"]]
        def wave(t):
            i = min(int((t - late) / 0.1), 9)
            return bezier(values[i + 1], values[i + 2], 0, 0, 0.1, (t - late) / 0.1 - i)
        self.assertLess(max(abs(a - wave(t)) for a, t in zip(found, asked)), 3e-3)

    def test_a_curve_that_asks_for_too_many_frames_is_followed_evenly(self):
        """A file of a few keys gets some thousands of frames. One that flies far for its size would use them up before its
        end: all of it is followed less closely instead, and a note says so."""
        fbx = Fbx()
        arm = fbx.model("Arm", what="Mesh")
        fbx.mesh(arm)
        layer, = fbx.stack("Wave", 0, 2)
        times, values = [0.2 * i for i in range(11)], [(-1) ** i * 60 for i in range(11)]
        fbx.curves(layer, arm, "Lcl Translation", times, [(v, 0, 0) for v in values], [CUBIC | USER] * 11, "",
                   [(0.0, 0.0, 0, 0)] * 11)
        path = self.write("model.fbx", fbx.text())
        asked = [i / 100 for i in range(1, 200)]
        dump = self.pose(path, "Wave", asked)
        found = [frame["world"][self.node(dump, "Arm")][12] for frame in dump["clips"][0]["frames"]]
        def wave(t):
            i = min(int(t / 0.2), 9)
            return bezier(values[i], values[i + 1], 0, 0, 0.2, t / 0.2 - i)
        self.assertLess(max(abs(a - wave(t)) for a, t in zip(found, asked)), 1e-3)
        self.assert_noted(self.info(path), "key frames", "less closely")

    def test_what_a_clip_scales_up_is_followed_as_closely(self):
        """What hangs from a node that is large only in the clip, and errors that are small at rest."""
        for rest in (1, 0):
            with self.subTest(rest=rest):
                fbx = Fbx()
                root = fbx.model("Root", Lcl_Scaling=(rest, rest, rest))
                arm = fbx.model("Arm", root)
                hand = fbx.model("Hand", arm, what="Mesh", Lcl_Translation=(2, 0, 0))
                fbx.mesh(hand)
                fbx.mesh(fbx.model("Ground", what="Mesh"))
                layer, = fbx.stack("Grow", 0, 2)
                fbx.curves(layer, root, "Lcl Scaling", [0, 0.1, 2], [(rest,) * 3, (100,) * 3, (100,) * 3])
                flat = [CUBIC | USER] * 3, "", [(0.0, 0.0, 0, 0)] * 3
                fbx.curves(layer, arm, "Lcl Translation", [0, 1, 2], [(0, 0, 0), (3, 0, 0), (0, 0, 0)], *flat)
                fbx.curves(layer, arm, "Lcl Rotation", [0, 1, 2], [(0, 0, 0), (0, 0, 90), (0, 0, 0)], *flat)
                asked = [0.12 + i * 0.017 for i in range(110)]
                dump = self.pose(self.write("model.fbx", fbx.text()), "Grow", asked)
                for frame, t in enumerate(asked):
                    part = bezier(0, 1, 0, 0, 1, t if t < 1 else 2 - t)
                    turned = product(moved(3 * part, 0, 0), euler(0, 0, 90 * part))
                    at = product(scaled(100, 100, 100), turned, moved(2, 0, 0))
                    found = dump["clips"][0]["frames"][frame]["world"][self.node(dump, "Hand")]
                    self.assert_near([found[12], found[13]], [at[0][3], at[1][3]], 3e-4)

    def test_tension_continuity_and_bias(self):
        t, c, b = 0.25, -0.5, 0.75
        times, values = [0, 1, 3], [0, 4, 2]
        left, right = 4, -1  # the chords
        slope_left = 0.5 * ((1 - t) * (1 + b) * (1 - c) * left + (1 - t) * (1 - b) * (1 + c) * right)
        slope_right = 0.5 * ((1 - t) * (1 + b) * (1 + c) * left + (1 - t) * (1 - b) * (1 - c) * right)
        asked = [0.25, 0.75, 1.5, 2.5]
        found = self.play(times, values, [CUBIC | TCB] * 3, [(0.0, 0.0, 0.0, 0), (t, c, b, 0), (0.0, 0.0, 0.0, 0)], asked=asked)
        self.assert_near(found, [bezier(0, 4, 4, slope_left, 1, x) for x in (0.25, 0.75)] +
                         [bezier(4, 2, slope_right, -1, 2, x) for x in (0.25, 0.75)], 2e-3)

    def test_automatic_tangents(self):
        """Of neighbours that are not equally far: half the chord between them, half the chords weighted by time."""
        chord, part = 2 / 3, 1 / 3
        slope = 0.5 * chord + 0.5 * (4 * (1 - part) + -1 * part)
        asked = [0.25, 0.75, 1.5, 2.5]
        for flags, middle in ((CUBIC | AUTO, slope), (CUBIC | AUTO | INDEPENDENT, chord),
                              (CUBIC | AUTO | INDEPENDENT | PROGRESSIVE, 0)):
            with self.subTest(flags=hex(flags)):
                found = self.play([0, 1, 3], [0, 4, 2], [flags] * 3, asked=asked)
                ends = (0, 0) if flags & PROGRESSIVE else (4, -1)
                self.assert_near(found, [bezier(0, 4, ends[0], middle, 1, x) for x in (0.25, 0.75)] +
                                 [bezier(4, 2, middle, ends[1], 2, x) for x in (0.25, 0.75)], 2e-3)

    def test_a_bias_pulls_beyond_the_chord(self):
        """MotionBuilder's bias of automatic tangents, in percent: up to 500 the slope goes that part of the way to the chord
        on its side, above it gains 40 times the square of what is above, in hundreds."""
        chord, part = 2 / 3, 1 / 3
        slope = 0.5 * chord + 0.5 * (4 * (1 - part) + -1 * part)
        asked = [0.25, 0.75, 1.5, 2.5]
        for bias, middle in ((50, slope + 0.5 * (-1 - slope)), (-50, slope + 0.5 * (4 - slope)),
                             (650, slope + 6.5 * (-1 - slope) - 40 * 1.5 ** 2), (-650, slope + 6.5 * (4 - slope) + 40 * 1.5 ** 2)):
            with self.subTest(bias=bias):
                data = [(0.0, float(-bias), 0, 0), (float(bias), 0.0, 0, 0), (0.0, 0.0, 0, 0)]
                found = self.play([0, 1, 3], [0, 4, 2], [CUBIC | AUTO] * 3, data, asked=asked)
                self.assert_near(found, [bezier(0, 4, 4, middle, 1, x) for x in (0.25, 0.75)] +
                                 [bezier(4, 2, middle, -1, 2, x) for x in (0.25, 0.75)], 2e-2)

    def test_clamped_tangents_stay_flat_beside_an_equal_key(self):
        found = self.play([0, 1, 2], [4, 4, 8], [CUBIC | AUTO | CLAMP] * 3, asked=[0.5, 1.5])
        self.assert_near(found, [4, bezier(4, 8, 0, 4, 1, 0.5)], 2e-3)

    def test_a_curve_bends_beyond_the_ends_of_its_take(self):
        """The take begins and ends between keys: the curve is evaluated there, from the keys outside."""
        asked = [0.5, 0.75, 1.25]
        found = self.play([0, 1, 2], [0, 4, 0], [CUBIC | USER] * 3, [(0.0, 0.0, 0, 0)] * 3, begin=0.5, end=1.25, asked=asked)
        self.assert_near(found, [bezier(0, 4, 0, 0, 1, 0.5), bezier(0, 4, 0, 0, 1, 0.75), bezier(4, 0, 0, 0, 1, 0.25)], 2e-3)

    def test_nodes_that_ask_for_quaternions_have_their_angles_interpolated(self):
        """QuaternionInterpolate: no other reader at hand evaluates it. It is said, and for a turn about one axis
        there is no difference."""
        fbx = Fbx()
        arm = fbx.model("Arm", QuaternionInterpolate=1)
        layer, = fbx.stack("Wave", 0, 1)
        fbx.curves(layer, arm, "Lcl Rotation", [0, 1], [(0, 0, 0), (60, 80, 0)])
        path = self.write("model.fbx", fbx.text())
        self.assert_noted(self.info(path), "1 node", "quaternions")
        self.assert_world(self.pose(path, "Wave", [0.5]), 0, "Arm", euler(30, 40, 0), 2e-3)
        plain = Fbx()
        plain.model("Arm", QuaternionInterpolate=0)
        self.assert_not_noted(self.info(self.write("plain.fbx", plain.text())), "quaternions")

    def test_what_only_moves_keeps_its_pivots(self):
        """A turn, a scale and pivots that stand still shift a joint that is only moved."""
        fbx = Fbx()
        arm = fbx.model("Arm", Lcl_Rotation=(0, 0, 90), Lcl_Scaling=(2, 2, 2), RotationOffset=(0, 0, 5),
                        RotationPivot=(1, 0, 0), ScalingOffset=(0, 3, 0), ScalingPivot=(0, 1, 0))
        layer, = fbx.stack("Wave", 0, 1)
        fbx.curves(layer, arm, "Lcl Translation", [0, 1], [(0, 0, 0), (8, 0, 0)])
        pivot = product(moved(1, 0, 5), euler(0, 0, 90), moved(-1, 3, 0), moved(0, 1, 0), scaled(2, 2, 2), moved(0, -1, 0))
        dump = self.pose(self.write("model.fbx", fbx.text()), "Wave", [0.25, 0.75])
        for i, x in enumerate((2, 6)):
            self.assert_world(dump, i, "Arm", product(moved(x, 0, 0), pivot), 2e-3)

    # ---- rows ----

    def rows(self, fbx):
        clip, = self.info(self.write("model.fbx", fbx.text()))["clips"]
        return clip["frames"]

    def chain(self, *arms, what="LimbNode", **more):
        """Two bones of 1 m, and more joints; answers the file and the joints."""
        fbx = Fbx(UnitScaleFactor=100)
        hip = fbx.model("Hip", what=what)
        knee = fbx.model("Knee", hip, what=what, Lcl_Translation=(0, 1, 0))
        fbx.model("Foot", knee, what=what, Lcl_Translation=(0, 1, 0))
        return fbx, hip, knee

    def test_lines_are_off_on_either_side(self):
        """A parabola whose second derivative is 8, in a file of 2 m without a mesh: lines may be off by 0.4 mm. Rows on
        the curve would have to be 20 ms apart, 51 of them; rows beside it, as far on the other side, root of two more."""
        fbx, hip, _ = self.chain()
        layer, = fbx.stack("Fall", 0, 1)
        parabola = truth.Curve([truth.Key(0, 0, CUBIC | USER, (0, 8, 0)), truth.Key(TICKS, 4, CUBIC | USER)], TICKS)
        fbx.keyed(layer, hip, "Lcl Translation", [parabola] * 3)
        self.assertLess(self.rows(fbx), 45)
        asked = [0, *(k / 311 for k in range(1, 311)), 1]
        dump = self.pose(self.write("model.fbx", fbx.text()), "Fall", asked)
        hips = [frame["world"][self.node(dump, "Hip")][12] for frame in dump["clips"][0]["frames"]]
        off = [found - 4 * time * time for found, time in zip(hips, asked)]
        for side in (-min(off), max(off)):
            self.assertGreater(side, 2e-4)
            self.assertLess(side, 4.5e-4)

    def test_lines_stay_near_where_a_curve_begins_to_bend_the_other_way(self):
        """Parabolas, up and down in turns: the row where they meet cannot lie on the side of both."""
        bend, length = 40, 0.2
        keys = [truth.Key(round(k * length * TICKS), k * bend * length ** 2 / 2, CUBIC | USER,
                          (bend * length * (k % 2), bend * length * ((k + 1) % 2), 0)) for k in range(7)]
        curve = truth.Curve(keys, TICKS)
        fbx, hip, _ = self.chain()
        layer, = fbx.stack("Stairs", 0, 6 * length)
        fbx.keyed(layer, hip, "Lcl Translation", [curve] * 3)
        asked = [k * 6 * length / 1201 for k in range(1, 1201)]
        dump = self.pose(self.write("model.fbx", fbx.text()), "Stairs", asked)
        off = [abs(frame["world"][self.node(dump, "Hip")][12] - curve.value(round(time * TICKS)))
               for frame, time in zip(dump["clips"][0]["frames"], asked)]
        self.assertLess(max(off), 4.5e-4)

    def test_what_bends_shares_its_rows(self):
        """The keys of two joints are at other moments: together they need hardly more rows than the one that needs more."""
        counts = []
        for which in ((0,), (1,), (0, 1)):
            fbx, *joints = self.chain()
            layer, = fbx.stack("Wave", 0, 1.28)
            for i in which:
                times = [0, *(0.08 * k + 0.03 * i for k in range(1, 16)), 1.28]
                fbx.curves(layer, joints[i], "Lcl Rotation", times, [(0, 0, 20 * (k % 2)) for k in range(17)],
                           (CUBIC | AUTO,))
            counts.append(self.rows(fbx))
        self.assertLess(counts[2], 1.5 * max(counts))

    def recorded(self, rate, kept=lambda k: True, flags=(LINEAR,)):
        """A second of two joints that turn far about all axes, with a key in each frame that is `kept`; its angles."""
        fbx, hip, knee = self.chain()
        layer, = fbx.stack("Wave", 0, 1)
        angles = [tuple(70 * math.sin(7 * k / rate + 2 * axis) for axis in range(3)) for k in range(rate + 1)]
        frames = [k for k in range(rate + 1) if k in (0, rate) or kept(k)]
        for joint in (hip, knee):
            fbx.curves(layer, joint, "Lcl Rotation", [k / rate for k in frames], [angles[k] for k in frames], flags)
        return self.write("model.fbx", fbx.text()), angles

    def test_samples_stay_samples(self):
        """At the keys as exactly as ever; between two of them the shorter arc, and no frames."""
        path, angles = self.recorded(30)
        self.assertEqual(self.info(path)["clips"][0]["frames"], 31)
        asked = [k / 30 for k in range(31)]
        dump = self.pose(path, "Wave", asked)
        for k in range(31):
            self.assert_world(dump, k, "Hip", euler(*angles[k]), 4e-4)
        dump = self.pose(path, "Wave", [(k + 0.5) / 30 for k in range(30)])
        for k in range(30):
            first, last = truth.rotation(angles[k]), truth.rotation(angles[k + 1])
            axis, angle = truth.axis_angle(product(truth.transpose(first), last))
            self.assert_world(dump, k, "Hip", product(first, truth.about(axis, angle / 2)), 1e-3)

    def test_exporters_leave_samples_out(self):
        """A third of the keys is left out: the grid is still seen, and rotations follow the curves where keys are missing."""
        path, _ = self.recorded(24, lambda k: k % 3)
        self.assertLessEqual(self.info(path)["clips"][0]["frames"], 60)

    def test_a_curve_with_few_keys_is_followed(self):
        for rate, flags in ((12, (LINEAR,)), (30, (CUBIC | AUTO,))):
            path, _ = self.recorded(rate, flags=flags)
            self.assertGreater(self.info(path)["clips"][0]["frames"], 2 * rate)

    def test_rounding_of_curves_stands_still(self):
        """As programs write what they computed with floats: about the 24th bit moves."""
        fbx, hip, knee = self.chain()
        layer, = fbx.stack("Wave", 0, 2)
        times = [k / 10 for k in range(21)]
        fbx.curves(layer, hip, "Lcl Rotation", times, [(90 + 1.5e-5 * (k % 3), 0, 1e-5 * (k % 2)) for k in range(21)])
        fbx.curves(layer, hip, "Lcl Scaling", times, [(1 + 1.2e-7 * (k % 3),) * 3 for k in range(21)])
        fbx.curves(layer, knee, "Lcl Translation", times, [(0, 1 + 1.2e-7 * (k % 4), 0) for k in range(21)])
        path = self.write("model.fbx", fbx.text())
        clip, = self.info(path)["clips"]
        self.assertLess(clip["bytes"], 400, "it has columns for what does not move")
        dump = self.pose(path, "Wave", [1])
        self.assert_world(dump, 0, "Knee", product(euler(90, 0, 0), moved(0, 1, 0)))

    def test_what_moves_by_more_than_rounding_moves(self):
        fbx, hip, _ = self.chain()
        layer, = fbx.stack("Wave", 0, 1)
        fbx.curves(layer, hip, "Lcl Rotation", [0, 1], [(0, 0, 0), (0, 0, 0.02)])
        dump = self.pose(self.write("model.fbx", fbx.text()), "Wave", [0, 1])
        self.assert_world(dump, 1, "Foot", product(euler(0, 0, 0.02), moved(0, 2, 0)), 1e-5)

    def test_a_camera_far_away_makes_nothing_coarse(self):
        asked = [0.11, 0.37, 0.62]
        for away in (0, 10000):
            fbx, hip, _ = self.chain()
            fbx.model("Top", what="Camera", Lcl_Translation=(0, away, 0))
            layer, = fbx.stack("Wave", 0, 1)
            fbx.curves(layer, hip, "Lcl Translation", [0, 1], [(0, 0, 0), (1, 0, 0)], (CUBIC | USER,), data=[(0.0, 0.0, 0, 0)])
            dump = self.pose(self.write("model.fbx", fbx.text()), "Wave", asked)
            for frame, time in enumerate(asked):
                self.assert_world(dump, frame, "Foot", moved(bezier(0, 1, 0, 0, 1, time), 2, 0), 1e-3)

    def test_a_clip_of_a_year_has_an_end(self):
        """A turn that goes on for ever, in a take that hardly ends: some rows, and then no more."""
        fbx, hip, _ = self.chain()
        layer, = fbx.stack("Spin", 0, 3e7)
        fbx.curves(layer, hip, "Lcl Rotation", [0, 1], [(0, 0, 0), (0, 0, 720)],
                   extra="Post-Extrapolation: {\nType: K\nRepetition: -1\n}")
        self.assertLess(self.rows(fbx), 40000)

    def test_keys_between_rows_are_looked_at(self):
        """A short swing in the middle of a curve that is otherwise a line."""
        times = [0, 0.1, 0.2, 0.5, 0.51, 0.52, 0.8, 0.9, 1]
        found = self.play(times, [0, 0, 0, 0, 5, 0, 0, 0, 0], [CUBIC | AUTO | PROGRESSIVE] * 9, asked=[0.505, 0.51, 0.515])
        self.assert_near(found, [2.5, 5, 2.5], 5e-2)

    def test_a_scale_that_stands_elsewhere_than_at_rest_reaches_children(self):
        """InheritType 0 below a parent whose scale the clip holds, and does not move."""
        fbx = Fbx()
        arm = fbx.model("Arm", InheritType=1)
        hand = fbx.model("Hand", arm, InheritType=0, Lcl_Translation=(1, 0, 0))
        fbx.model("Finger", hand, InheritType=0, Lcl_Translation=(1, 0, 0))
        fbx.model("Nail", hand, InheritType=2, Lcl_Translation=(1, 0, 0))
        fbx.model("Tip", arm, InheritType=2, Lcl_Translation=(1, 0, 0))
        layer, = fbx.stack("Wave", 0, 1)
        fbx.curves(layer, arm, "Lcl Scaling", [0, 1], [(3, 3, 3), (3, 3, 3)])
        dump = self.pose(self.write("model.fbx", fbx.text()), "Wave", [0.5])
        self.assert_world(dump, 0, "Hand", product(moved(3, 0, 0), scaled(3, 3, 3)), 1e-3)
        for name in ("Finger", "Nail"):
            self.assert_world(dump, 0, name, product(moved(6, 0, 0), scaled(3, 3, 3)), 1e-3)
        self.assert_world(dump, 0, "Tip", moved(3, 0, 0), 1e-3)

    def test_no_more_rows_than_keys_where_lines_do(self):
        fbx = Fbx()
        arm = fbx.model("Arm")
        layer, = fbx.stack("Wave", 0, 3)
        fbx.curves(layer, arm, "Lcl Translation", [0, 1, 2, 3], [(0, 0, 0), (3, 0, 1), (1, 0, 2), (5, 0, 3)])
        clip, = self.info(self.write("model.fbx", fbx.text()))["clips"]
        self.assertEqual(clip["frames"], 4)

    def test_a_turn_of_several_circles_is_made(self):
        fbx = Fbx()
        arm = fbx.model("Arm")
        layer, = fbx.stack("Spin", 0, 1)
        fbx.curves(layer, arm, "Lcl Rotation", [0, 1], [(0, 0, 0), (0, 0, 1440)])
        dump = self.pose(self.write("model.fbx", fbx.text()), "Spin", [0.1, 0.125, 0.3])
        for frame, time in enumerate((0.1, 0.125, 0.3)):
            self.assert_world(dump, frame, "Arm", euler(0, 0, 1440 * time), 2e-3)

    # ---- before and behind the keys ----

    def extrapolated(self, kind, count, asked, before=False):
        name = "Pre" if before else "Post"
        extra = f'{name}-Extrapolation: {{\nType: {kind}\nRepetition: {count}\n}}'
        return self.play([1, 2], [0, 4], [LINEAR], extra=extra, begin=-4, end=7, asked=asked)

    def test_extrapolation(self):
        asked = [2.25, 3.25, 4.25, 6.75]
        for kind, count, expected in (("C", -1, [4] * 4), ("K", -1, [5, 9, 13, 23]), ("R", -1, [1, 1, 1, 3]),
                                      ("M", -1, [3, 1, 3, 1]), ("A", -1, [5, 9, 13, 23]), ("R", 2, [1, 1, 4, 4]),
                                      ("M", 2, [3, 1, 4, 4]), ("A", 1, [5, 8, 8, 8]), ("R", 0, [4] * 4)):
            with self.subTest(kind=kind, count=count):
                self.assert_near(self.extrapolated(kind, count, asked), expected, 5e-3)

    def test_extrapolation_before_the_first_key(self):
        asked = [0.75, -0.25, -1.25, -3.75]
        for kind, count, expected in (("C", -1, [0] * 4), ("K", -1, [-1, -5, -9, -19]), ("R", -1, [3, 3, 3, 1]),
                                      ("M", -1, [1, 3, 1, 3]), ("A", -1, [-1, -5, -9, -19]), ("M", 2, [1, 3, 0, 0])):
            with self.subTest(kind=kind, count=count):
                self.assert_near(self.extrapolated(kind, count, asked, True), expected, 5e-3)

    def test_cycles_that_end_hold_the_last_key(self):
        """Also where another curve of the node bends, and asks for rows behind the end."""
        for kind, expected in (("R", [1, 1, 5, 5]), ("A", [5, 9, 13, 13]), ("M", [1, 1, 5, 5])):
            fbx = Fbx()
            arm = fbx.model("Arm")
            layer, = fbx.stack("Wave", 0, 3)
            step = truth.Curve([truth.Key(0, 1, CONSTANT), truth.Key(TICKS // 2, 5, CONSTANT)], TICKS, ("C", -1), (kind, 2))
            bend = truth.Curve([truth.Key(0, 0, CUBIC | USER), truth.Key(3 * TICKS, 9, CUBIC | USER)], TICKS)
            fbx.keyed(layer, arm, "Lcl Translation", [step, bend, bend])
            dump = self.pose(self.write("model.fbx", fbx.text()), "Wave", [0.75, 1.25, 1.75, 2.9])
            found = [frame["world"][self.node(dump, "Arm")][12] for frame in dump["clips"][0]["frames"]]
            self.assert_near(found, expected, 1e-3, kind)

    # ---- layers ----

    def layered(self, name, below, above, rest=(0, 0, 0), weight_keys=None, **properties):
        """Both layers stand still: "Lcl Rotation" … as the two give it; the weight may move from one key to the other."""
        fbx = Fbx()
        arm = fbx.model("Arm", **{name.replace(" ", "_"): rest})
        base, top = fbx.stack("Wave", 0, 1, 2, **properties)
        fbx.curves(base, arm, name, [0, 1], [below, below])
        fbx.curves(top, arm, name, [0, 1], [above, above])
        if weight_keys:
            fbx.curves(top, top, "Weight", [0, 1], [(w,) for w in weight_keys])
        return self.pose(self.write("model.fbx", fbx.text()), "Wave", [0.5])

    def test_layers_of_translations(self):
        below, above = (1, 2, 3), (10, 0, -4)
        for mode, weight, expected in ((0, 100, (11, 2, -1)), (0, 50, (6, 2, 1)), (1, 100, above), (2, 50, (5.5, 1, -0.5))):
            with self.subTest(mode=mode, weight=weight):
                dump = self.layered("Lcl Translation", below, above, BlendMode=mode, Weight=weight)
                self.assert_world(dump, 0, "Arm", moved(*expected))

    def test_a_weight_that_moves(self):
        dump = self.layered("Lcl Translation", (1, 0, 0), (8, 0, 0), weight_keys=(0, 50), Weight=0)
        self.assert_world(dump, 0, "Arm", moved(1 + 0.25 * 8, 0, 0))

    def test_layers_of_scales_multiply_or_add(self):
        below, above = (2, 4, 1), (9, 0.25, 1)
        for adds, mode, expected in ((0, 0, (2 * 3, 4 * 0.5, 1)), (1, 0, (6.5, 4.125, 1.5)),
                                     (0, 2, (math.sqrt(18), 1, 1)), (1, 2, (5.5, 2.125, 1))):
            with self.subTest(adds=adds, mode=mode):
                dump = self.layered("Lcl Scaling", below, above, (1, 1, 1), BlendMode=mode, Weight=50,
                                    ScaleAccumulationMode=adds)
                self.assert_world(dump, 0, "Arm", scaled(*expected), 1e-3)

    def test_layers_of_rotations_by_layer_and_by_channel(self):
        below, above = (30, 0, 0), (0, 40, 0)
        dump = self.layered("Lcl Rotation", below, above, Weight=100)
        self.assert_world(dump, 0, "Arm", product(euler(*below), euler(*above)))
        dump = self.layered("Lcl Rotation", below, above, Weight=50)
        self.assert_world(dump, 0, "Arm", product(euler(*below), euler(0, 20, 0)))
        dump = self.layered("Lcl Rotation", below, above, Weight=50, RotationAccumulationMode=1)
        self.assert_world(dump, 0, "Arm", euler(30, 20, 0))
        dump = self.layered("Lcl Rotation", (0, 0, 20), (0, 0, 60), Weight=25, BlendMode=2)
        self.assert_world(dump, 0, "Arm", euler(0, 0, 30))

    def test_a_muted_layer_is_silent(self):
        dump = self.layered("Lcl Translation", (1, 0, 0), (8, 0, 0), Mute=1)
        self.assert_world(dump, 0, "Arm", moved(1, 0, 0))


if __name__ == "__main__":
    unittest.main()

"""FBX files of our own, each with one thing in it that importers get wrong; poses are computed from FBX's definition."""
import itertools
import struct
import unittest

from imported import Case, IDENTITY, at, euler, inverse, moved, product, program, scaled
from write_fbx import Fbx

POINTS = ((0, 0, 0), (1, 0, 0), (0, 1, 0))
ALL = {0: 1, 1: 1, 2: 1}


class FbxFiles(Case):
    def save(self, fbx):
        return self.write("model.fbx", fbx.text())

    # ---- transforms ----

    def test_pre_rotation_counts_once_under_a_moving_joint(self):
        """A Maya joint orient: T · Rpre · R · S. (12)"""
        fbx = Fbx()
        arm = fbx.model("Arm", Lcl_Translation=(1, 2, 3), PreRotation=(0, 0, 90), RotationActive=1)
        fbx.model("Hand", arm, Lcl_Translation=(5, 0, 0))
        layer, = fbx.stack("Wave", 0, 1)
        fbx.curves(layer, arm, "Lcl Rotation", [0, 1], [(0, 0, 0), (30, 0, 0)])
        dump = self.pose(self.save(fbx), "Wave", [0, 1])
        for frame, angle in enumerate((0, 30)):
            world = product(moved(1, 2, 3), euler(0, 0, 90), euler(angle, 0, 0))
            self.assert_world(dump, frame, "Arm", world)
            self.assert_world(dump, frame, "Hand", product(world, moved(5, 0, 0)))

    def test_pivots_and_post_rotation(self):
        """T · Roff · Rp · Rpre · R · Rpost⁻¹ · Rp⁻¹ · Soff · Sp · S · Sp⁻¹. (12)"""
        fbx = Fbx()
        arm = fbx.model("Arm", Lcl_Translation=(1, 2, 3), RotationOffset=(0.5, 0, 0), RotationPivot=(0, 4, 0),
                        PreRotation=(0, 90, 0), PostRotation=(45, 0, 0), ScalingOffset=(0, 0, 0.25),
                        ScalingPivot=(3, 0, 0), Lcl_Scaling=(2, 2, 2), RotationActive=1)
        fbx.model("Hand", arm, Lcl_Translation=(5, 0, 0))
        layer, = fbx.stack("Wave", 0, 1)
        fbx.curves(layer, arm, "Lcl Rotation", [0, 1], [(0, 0, 0), (0, 0, 60)])
        dump = self.pose(self.save(fbx), "Wave", [0, 1])
        for frame, angle in enumerate((0, 60)):
            world = product(moved(1, 2, 3), moved(0.5, 0, 0), moved(0, 4, 0), euler(0, 90, 0), euler(0, 0, angle),
                            inverse(euler(45, 0, 0)), moved(0, -4, 0), moved(0, 0, 0.25), moved(3, 0, 0),
                            scaled(2, 2, 2), moved(-3, 0, 0))
            self.assert_world(dump, frame, "Arm", world)
            self.assert_world(dump, frame, "Hand", product(world, moved(5, 0, 0)))

    def test_the_scale_of_a_maya_segment_stops(self):
        """InheritType 2: the parent's own scale moves the child, and does not stretch it. (13)"""
        fbx = Fbx()
        arm = fbx.model("Arm")
        fbx.model("Hand", arm, Lcl_Translation=(5, 0, 0), Lcl_Rotation=(0, 0, 30), InheritType=2)
        layer, = fbx.stack("Grow", 0, 1)
        fbx.curves(layer, arm, "Lcl Scaling", [0, 1], [(1, 1, 1), (2, 1, 1)])
        dump = self.pose(self.save(fbx), "Grow", [0, 1])
        self.assert_world(dump, 0, "Hand", product(moved(5, 0, 0), euler(0, 0, 30)))
        self.assert_world(dump, 1, "Hand", product(moved(10, 0, 0), euler(0, 0, 30)))

    def test_a_geometric_transform_moves_the_mesh_alone(self):
        fbx = Fbx()
        body = fbx.model("Body", what="Mesh", Lcl_Translation=(1, 0, 0), GeometricTranslation=(0, 0, 7),
                         GeometricRotation=(0, 0, 90))
        fbx.mesh(body)
        fbx.model("Tail", body)
        dump = self.pose(self.save(fbx))
        self.assert_world(dump, None, "Tail", moved(1, 0, 0))
        world = product(moved(1, 0, 0), moved(0, 0, 7), euler(0, 0, 90))
        self.assert_points(dump["rest"]["pos"][0], [at(world, p) for p in POINTS])

    def test_a_skinned_mesh_with_a_geometric_transform(self):
        """Vertex = joint · (joint when bound)⁻¹ · (mesh when bound) · geometry · v. (14)"""
        fbx = Fbx()
        body = fbx.model("Body", what="Mesh", GeometricTranslation=(0, 0, 7), GeometricRotation=(0, 0, 90))
        arm = fbx.model("Arm", Lcl_Translation=(0, 2, 0))
        bound = moved(0, 2, 0)
        fbx.skin(fbx.mesh(body), [(arm, ALL, bound, product(inverse(bound), IDENTITY))])
        layer, = fbx.stack("Wave", 0, 1)
        fbx.curves(layer, arm, "Lcl Rotation", [0, 1], [(0, 0, 0), (0, 0, 90)])
        dump = self.pose(self.save(fbx), "Wave", [1])
        world = product(moved(0, 2, 0), euler(0, 0, 90), moved(0, -2, 0), moved(0, 0, 7), euler(0, 0, 90))
        self.assert_points(dump["clips"][0]["frames"][0]["pos"][0], [at(world, p) for p in POINTS])

    def test_the_rest_pose_is_that_of_the_nodes(self):
        """Not that of the binding: an export in the middle of a clip rests in the middle of the clip."""
        fbx = Fbx()
        body = fbx.model("Body", what="Mesh")
        arm = fbx.model("Arm", Lcl_Rotation=(0, 0, 90))
        fbx.skin(fbx.mesh(body), [(arm, ALL, IDENTITY, IDENTITY)])
        dump = self.pose(self.save(fbx))
        self.assert_points(dump["rest"]["pos"][0], [(0, 0, 0), (0, 1, 0), (-1, 0, 0)])

    def test_a_mirrored_joint_stays_mirrored_where_a_clip_turns_it(self):
        """A matrix does not say along which axis it mirrors: the scale is that of the file."""
        for scale in ((-1, 1, 1), (1, -2, 1), (1, 1, -1), (-1, -1, -1), (1, 0, 1)):
            fbx = Fbx()
            arm = fbx.model("Arm", Lcl_Rotation=(20, 30, 40), Lcl_Scaling=scale)
            layer, = fbx.stack("Wave", 0, 1)
            fbx.curves(layer, arm, "Lcl Rotation", [0, 1], [(0, 0, 0), (0, 0, 80)])
            dump = self.pose(self.write("model.fbx", fbx.text()), "Wave", [0.5])
            self.assert_world(dump, None, "Arm", product(euler(20, 30, 40), scaled(*scale)))
            self.assert_world(dump, 0, "Arm", product(euler(0, 0, 40), scaled(*scale)), 1e-3)

    def test_units_and_axes_are_the_files(self):
        """Inches, z up, −y front. (17)"""
        fbx = Fbx(UpAxis=2, UpAxisSign=1, FrontAxis=1, FrontAxisSign=-1, CoordAxis=0, CoordAxisSign=1,
                  UnitScaleFactor=2.54)
        arm = fbx.model("Arm", Lcl_Translation=(100, 0, 0))
        fbx.model("Hand", arm, Lcl_Translation=(0, 200, 300))
        path = self.save(fbx)
        dump = self.pose(path, None, (), "--vertices")
        self.assert_near(dump["rest"]["world"][self.node(dump, "Hand")][12:15], (2.54, 7.62, -5.08))
        dump = self.pose(path)
        self.assert_world(dump, None, "Hand", moved(100, 200, 300))

    def test_every_system_of_axes_in_every_unit(self):
        """24 right-handed ones, and as many that are none; at rest and in a clip."""
        point, later = (100, 200, 300), (500, 200, 300)
        for number, (axes, signs) in enumerate(itertools.product(itertools.permutations(range(3)),
                                                                 itertools.product((1, -1), repeat=3))):
            unit = (1, 100, 2.54)[number % 3]
            settings = {f"{name}{part}": value for name, axis, sign in zip(("Coord", "Up", "Front"), axes, signs)
                        for part, value in (("Axis", axis), ("AxisSign", sign))}
            fbx = Fbx(UnitScaleFactor=unit, **settings)
            arm = fbx.model("Arm", Lcl_Translation=point)
            layer, = fbx.stack("Wave", 0, 1)
            fbx.curves(layer, arm, "Lcl Translation", [0, 1], [point, later])
            dump = self.pose(self.save(fbx), "Wave", [1], "--vertices")
            swaps = sum(a > b for i, a in enumerate(axes) for b in axes[i + 1:])
            right_handed = signs[0] * signs[1] * signs[2] * (-1) ** swaps > 0
            for frame, p in ((dump["rest"], point), (dump["clips"][0]["frames"][0], later)):
                expected = [s * p[a] * unit / 100 for a, s in zip(axes, signs)] if right_handed else [v * unit / 100 for v in p]
                self.assert_near(frame["world"][self.node(dump, "Arm")][12:15], expected, 1e-4 * unit, settings)

    def test_axes_that_are_no_system_are_taken_as_y_up(self):
        fbx = Fbx(UpAxis=2, UpAxisSign=1, FrontAxis=2, FrontAxisSign=1, CoordAxis=0, CoordAxisSign=1)
        fbx.model("Arm", Lcl_Translation=(0, 100, 0))
        path = self.save(fbx)
        self.assert_noted(self.info(path), "axes")
        dump = self.pose(path, None, (), "--vertices")
        self.assert_near(dump["rest"]["world"][0][12:15], (0, 1, 0))

    # ---- clips ----

    def test_times_begin_at_the_take(self):
        fbx = Fbx()
        arm = fbx.model("Arm")
        layer, = fbx.stack("Late", 2, 3)
        fbx.curves(layer, arm, "Lcl Translation", [2, 3], [(0, 0, 0), (4, 0, 0)])
        path = self.save(fbx)
        clip, = self.info(path)["clips"]
        self.assertAlmostEqual(clip["duration"], 1, delta=1e-5)
        self.assert_world(self.pose(path, "Late", [0.5]), 0, "Arm", moved(2, 0, 0))

    def test_morph_weights(self):
        """At rest 0; 50 % in the clip is 0.5. (15)"""
        fbx = Fbx()
        face = fbx.model("Face", what="Mesh")
        smile = fbx.shape(fbx.mesh(face), {1: (0, 0, 4)}, 0)
        layer, = fbx.stack("Smile", 0, 1)
        fbx.curves(layer, smile, "DeformPercent", [0, 1], [(0,), (50,)])
        dump = self.pose(self.save(fbx), "Smile", [0, 1])
        self.assert_points(dump["rest"]["pos"][0], POINTS)
        self.assert_points(dump["clips"][0]["frames"][0]["pos"][0], POINTS)
        self.assert_points(dump["clips"][0]["frames"][1]["pos"][0], [(0, 0, 0), (1, 0, 2), (0, 1, 0)])

    def test_a_morph_target_that_the_mesh_names_too(self):
        """Blender writes its curve at the channel, and again as a property of the mesh, which is none that is missing."""
        fbx = Fbx()
        face = fbx.model("Face", what="Mesh")
        mesh = fbx.mesh(face)
        smile = fbx.shape(mesh, {1: (0, 0, 4)}, 0)
        layer, = fbx.stack("Talk", 0, 1)
        fbx.curves(layer, smile, "DeformPercent", [0, 1], [(0,), (100,)])
        fbx.curves(layer, mesh, "Smile", [0, 1], [(0,), (100,)])
        path = self.save(fbx)
        self.assert_not_noted(self.info(path), "Smile")
        self.assert_points(self.pose(path, "Talk", [1])["clips"][0]["frames"][0]["pos"][0], [(0, 0, 0), (1, 0, 4), (0, 1, 0)])
        fbx.curves(layer, mesh, "Mood", [0, 1], [(0,), (100,)])
        self.assert_noted(self.info(self.save(fbx)), "1 animated", "'Mood'")

    def test_two_morph_targets_with_keys_of_their_own(self):
        fbx = Fbx()
        face = fbx.model("Face", what="Mesh")
        mesh = fbx.mesh(face)
        smile, frown = fbx.shape(mesh, {1: (0, 0, 4)}, 0), fbx.shape(mesh, {2: (0, 0, 8)}, 0, "Frown")
        layer, = fbx.stack("Talk", 0, 1)
        fbx.curves(layer, smile, "DeformPercent", [0, 1], [(0,), (100,)])
        fbx.curves(layer, frown, "DeformPercent", [0, 0.5, 1], [(0,), (50,), (0,)])
        dump = self.pose(self.save(fbx), "Talk", [0.25, 0.75])
        for frame, (x, y) in enumerate(((1, 2), (3, 2))):
            self.assert_points(dump["clips"][0]["frames"][frame]["pos"][0], [(0, 0, 0), (1, 0, x), (0, 1, y)], 1e-3)

    # ---- names ----

    def test_a_mesh_named_like_a_joint_does_not_take_its_place(self):
        """(4)"""
        fbx = Fbx()
        body = fbx.model("Arm", what="Mesh", Lcl_Translation=(50, 0, 0))
        arm = fbx.model("Arm")
        fbx.skin(fbx.mesh(body), [(arm, ALL, IDENTITY, IDENTITY)])
        layer, = fbx.stack("Wave", 0, 1)
        fbx.curves(layer, arm, "Lcl Rotation", [0, 1], [(0, 0, 0), (0, 0, 90)])
        dump = self.pose(self.save(fbx), "Wave", [1])
        self.assert_points(dump["clips"][0]["frames"][0]["pos"][0], [(0, 0, 0), (0, 1, 0), (-1, 0, 0)])

    def test_two_joints_of_one_name_in_one_mesh(self):
        """Joints are told apart by the file's connections, not by their names. (18)"""
        fbx = Fbx()
        body = fbx.model("Body", what="Mesh")
        root = fbx.model("Root")
        left, right = fbx.model("Arm", root), fbx.model("Arm", root, Lcl_Translation=(1, 0, 0))
        fbx.skin(fbx.mesh(body), [(left, {0: 1}, IDENTITY, IDENTITY), (right, {1: 1}, moved(1, 0, 0), moved(-1, 0, 0)),
                                  (root, {2: 1}, IDENTITY, IDENTITY)])
        layer, = fbx.stack("Up", 0, 1)
        fbx.curves(layer, right, "Lcl Translation", [0, 1], [(1, 0, 0), (1, 0, 3)])
        dump = self.pose(self.save(fbx), "Up", [1])
        self.assert_points(dump["rest"]["pos"][0], POINTS)
        self.assert_points(dump["clips"][0]["frames"][0]["pos"][0], [(0, 0, 0), (1, 0, 3), (0, 1, 0)])

    def test_a_clip_that_mixamo_names_is_called_after_its_file(self):
        fbx = Fbx()
        arm = fbx.model("mixamorig:Arm")
        layer, = fbx.stack("mixamo.com", 0, 1)
        fbx.curves(layer, arm, "Lcl Translation", [0, 1], [(0, 0, 0), (1, 0, 0)])
        told = self.info(self.write("Big Walk.fbx", fbx.text()))
        self.assertEqual([clip["name"] for clip in told["clips"]], ["Big Walk"])
        self.assertEqual(told["nodes"][-1]["name"], "mixamorig:Arm")

    # ---- versions ----

    def test_versions_that_nobody_knows_are_refused(self):
        for version in (2000, 20000):
            path = self.write("model.fbx", b"Kaydara FBX Binary  \0\x1a\0" + struct.pack("<I", version) + bytes(40))
            self.refused(path, str(version), "3000")


if __name__ == "__main__":
    unittest.main()

"""Collada, MD5, BVH, X, SMD and what is not read: small files of our own, poses from each format's definition."""
import re
import unittest

from imported import Case, at, euler, moved, product, program, scaled, turned
import write_text

POINTS = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
SHOWN = '<instance_geometry url="#tri"/>'


class Collada(Case):
    def save(self, *words, name="model.dae", **more):
        return self.write(name, write_text.collada(*words, **more))

    def test_utf_16(self):
        """In either byte order, with a mark and without, and letters outside the first plane."""
        text = write_text.collada('<node id="a" name="Ärm\U0001F9B4"><translate>1 2 3</translate>' + SHOWN + '</node>')
        text = text.replace('"utf-8"', '"utf-16"')
        for codec, mark in (("utf-16-le", b"\xff\xfe"), ("utf-16-be", b"\xfe\xff"), ("utf-16-le", b""), ("utf-16-be", b"")):
            path = self.write("model.dae", mark + text.encode(codec))
            self.assert_world(self.pose(path), None, "Ärm\U0001F9B4", moved(1, 2, 3))
        for broken in (b"\xff\xfe<\0", b"\xff\xfe<\0\0\xd8" * 9, mark + text.encode(codec)[:99]):
            self.refused(self.write("model.dae", broken))

    def test_units_and_z_up(self):
        """(20)"""
        path = self.save(f'<node id="a" name="Arm"><translate>10 20 30</translate>{SHOWN}</node>', unit=0.01, up="Z_UP")
        dump = self.pose(path, None, (), "--vertices")
        self.assert_points(dump["rest"]["pos"][0], [(0.1, 0.3, -0.2), (0.11, 0.3, -0.2), (0.1, 0.3, -0.21)])
        self.assert_world(self.pose(path), None, "Arm", moved(10, 20, 30))

    def test_names_are_names_and_not_ids(self):
        path = self.save('<node id="id7" name="Upper Arm"/><node id="id8" name="Hand"/>')
        self.assertEqual([node["name"] for node in self.info(path)["nodes"]], ["scene", "Upper Arm", "Hand"])

    def test_two_nodes_of_one_name(self):
        """The mesh's node has the joint's name and comes first. (4)"""
        joint, mesh = write_text.SKINNED.split('<node id="m" name="m">')
        path = self.save('<node id="m" name="J">' + mesh + joint, write_text.MOVED, write_text.SKIN)
        self.assertEqual([node["name"] for node in self.info(path)["nodes"]], ["scene", "J", "J"])
        frame, = self.pose(path, "#0", [1])["clips"][0]["frames"]
        self.assert_points(frame["pos"][0], [(2, 0, 0), (2, 1, 0), (1, 0, 0)])

    TWINS = (write_text.SKIN.replace("</controller></library", '</controller><controller id="d">' + write_text.SKIN.split(
        '<controller id="c">')[1].replace('"j', '"dj').replace('"#j', '"#dj').replace('"ib', '"dib').replace('"#ib', '"#dib')
        .replace('"wt', '"dwt').replace('"#wt', '"#dwt').split("</controller>")[0] + "</controller></library"))

    @staticmethod
    def twin(name, x):
        """A joint J and the mesh that hangs on it, whose skin's instance says which J."""
        return (f'<node id="{name}"><node id="{name}-J" sid="J" name="J" type="JOINT"><translate sid="t">{x} 0 0</translate></node>'
                f'<node id="{name}-m"><instance_controller url="#{name}"><skeleton>\n#{name}-J </skeleton>'
                '</instance_controller></node></node>')

    def test_two_skeletons_of_one_kind(self):
        """Each skin moves with its own joint, and both clips are one: times of their own, and a part of the value each."""
        animations = write_text.channel("x", "c-J/t.X", [0, 1], [1, 2]) + '<animation id="all">' + write_text.channel(
            "y", "d-J/t.Y", [0, 2], [0, 4]) + write_text.channel("z", "d-J/t.Z", [0, 2], [0, 8]) + "</animation>"
        path = self.save(self.twin("d", 5) + self.twin("c", 1), animations, self.TWINS)
        self.assertEqual([(clip["name"], clip["duration"]) for clip in self.info(path)["clips"]], [("model", 2)])
        frame, = self.pose(path, "#0", [1])["clips"][0]["frames"]
        self.assert_points(frame["pos"][0], [at(moved(5, 2, 4), p) for p in POINTS])
        self.assert_points(frame["pos"][1], [at(moved(2, 0, 0), p) for p in POINTS])

    def test_a_joint_and_a_mesh_share_a_name(self):
        """Blender gives the joint an id with the armature's name in front, and the mesh's node the plain one."""
        mesh = f'<node id="J" name="J"><translate>0 9 0</translate>{SHOWN}</node>'
        for nodes in (mesh + self.twin("c", 1), self.twin("c", 1) + mesh):
            path = self.save(nodes, write_text.channel("x", "c-J/t.X", [0, 1], [1, 3]), write_text.SKIN)
            frame, = self.pose(path, "#0", [0.5])["clips"][0]["frames"]
            bound = frame["pos"][nodes.startswith(mesh)]
            self.assert_points(bound, [at(moved(2, 0, 0), p) for p in POINTS])

    MORPH = ('<controller id="mc"><morph source="#tri" method="NORMALIZED">' +
             write_text.source("mt", ["tri2"], 1, "IDREF", "IDREF") + write_text.source("mw", [0.5], 1) +
             '<targets><input semantic="MORPH_TARGET" source="#mt"/><input semantic="MORPH_WEIGHT" source="#mw"/></targets>'
             '</morph></controller>')

    def test_morphs_are_left_out(self):
        """The mesh stays, alone or under a skin, and a note says what is missing."""
        library = write_text.SKIN.replace('<library_controllers>', '<library_controllers>' + self.MORPH)
        weights = write_text.channel("w", "mw(0)", [0, 1], [0, 1])
        bodies = (('<node id="m" name="m"><translate>0 9 0</translate><instance_controller url="#mc"/></node>', (0, 9, 0)),
                  ('<node id="m"><instance_controller url="#mc">  </instance_controller></node>', (0, 0, 0)),
                  (self.twin("c", 1), (2, 0, 0)))
        for body, where in bodies:
            path = self.save(body + '<node id="a" name="Arm"><translate sid="t">0 0 0</translate></node>',
                             weights + write_text.channel("y", "a/t.Y", [0, 1], [0, 4]) +
                             write_text.channel("x", "c-J/t.X", [0, 1], [1, 3]),
                             library.replace('<skin source="#tri"', '<skin source="#mc"'))
            notes = self.info(path)["notes"]
            self.assertTrue(any("1 mesh is read without morph targets" in note for note in notes), notes)
            dump = self.pose(path, "#0", [0.5])
            self.assert_world(dump, 0, "Arm", moved(0, 2, 0))
            self.assert_points(dump["clips"][0]["frames"][0]["pos"][0], [at(moved(*where), p) for p in POINTS])

    def test_clips_that_the_file_names(self):
        """An animation goes into any number of them, from `start` to `end`; what is in none is one clip more."""
        clips = "".join(f'<animation_clip {words}>' + "".join(f'<instance_animation url="#{url}"/>' for url in urls) +
                        "</animation_clip>" for words, urls in (('id="go" name="Go" start="0.5" end="1.5"', ["all"]),
                                                                ('id="Rise" start="0"', ["y", "w"]), ('name="Away"', ["v"])))
        animations = ('<animation id="all">' + write_text.channel("x", "a/t.X", [0, 2], [0, 4]) +
                      write_text.channel("y", "a/t.Y", [0, 2], [0, 2]) + "</animation>" +
                      write_text.channel("w", "b/t.Z", [0, 3], [0, 3]) + write_text.channel("v", "a/t.X", [0, 1], [5, 3]) +
                      write_text.channel("u", "b/t.X", [0, 4], [0, 4]) + write_text.channel("r", "a/t.Y", [0, 4], [0, 8]))
        path = self.save("".join(f'<node id="{n}" name="{n}"><translate sid="t">0 0 0</translate></node>' for n in "ab"),
                         animations, f"<library_animation_clips>{clips}</library_animation_clips>")
        found = self.info(path)["clips"]
        self.assertEqual([(clip["name"], clip["start"], round(clip["duration"], 6)) for clip in found],
                         [("Go", 0.5, 1), ("Rise", 0, 3), ("Away", 0, 1), ("model", 0, 4)])
        for clip, name, where in (("Go", "a", (2, 1, 0)), ("Rise", "a", (0, 1, 0)), ("Rise", "b", (0, 0, 1)),
                                  ("Away", "a", (3, 0, 0)), ("model", "b", (1, 0, 0)), ("model", "a", (0, 2, 0))):
            self.assert_world(self.pose(path, clip, [1]), 0, name, moved(*where))

    def test_broken_text_is_a_sentence(self):
        whole = write_text.collada(write_text.SKINNED, write_text.MOVED, write_text.SKIN)
        node = whole.index("<node ")
        for text in (whole[:node + 6], whole[:node] + "<node name=", whole[:node] + "<node name=>", whole[:node] + '<node name="',
                     whole[:node] + "<node name='a\0' >", whole[:node] + '<node id="a" name="b>', "<node ", ">  ", "\0"):
            self.refused(self.write("model.dae", text))

    def test_transforms_are_multiplied_in_the_files_order(self):
        path = self.save(f'<node id="a" name="Arm"><translate>1 2 3</translate><rotate>0 0 1 90</rotate>'
                         f'<scale>2 2 2</scale><rotate>1 0 0 45</rotate>{SHOWN}</node>')
        world = product(moved(1, 2, 3), turned(2, 90), scaled(2, 2, 2), turned(0, 45))
        dump = self.pose(path)
        self.assert_world(dump, None, "Arm", world)
        self.assert_points(dump["rest"]["pos"][0], [at(world, p) for p in POINTS])

    def test_white_space_before_numbers(self):
        """(21)"""
        plain = write_text.collada(write_text.SKINNED, write_text.MOVED, write_text.SKIN)
        spaced = re.sub(r"(<(float_array|p|v|vcount|matrix|bind_shape_matrix|translate|rotate)( [^>]*)?>)", r"\1\r\n\t  ",
                        plain)
        self.assertNotEqual(plain, spaced)
        for text in (plain, spaced):
            frame, = self.pose(self.write("model.dae", text), "#0", [1])["clips"][0]["frames"]
            self.assert_points(frame["pos"][0], [(2, 0, 0), (2, 1, 0), (1, 0, 0)])

    def test_the_first_key_may_be_late(self):
        """Before it the first key holds. (23)"""
        path = self.save('<node id="a" name="Arm"><translate sid="t">9 0 0</translate></node>',
                         write_text.channel("x", "a/t.X", [0.5, 1.5], [10, 30]))
        clip, = self.info(path)["clips"]
        self.assertAlmostEqual(clip["start"], 0.5, delta=1e-6)
        self.assertAlmostEqual(clip["duration"], 1, delta=1e-6)
        dump = self.pose(path, "#0", [0, 0.5, 1, 2])
        for frame, x in enumerate((10, 10, 20, 30)):
            self.assert_world(dump, frame, "Arm", moved(x, 0, 0), 1e-3)

    def test_matrix_channels(self):
        keys = [[1, 0, 0, x, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1] for x in (0, 4)]
        path = self.save('<node id="a" name="Arm"><matrix sid="m">1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</matrix></node>',
                         write_text.channel("m", "a/m", [0, 1], keys[0] + keys[1], 16))
        self.assert_world(self.pose(path, "#0", [0.5]), 0, "Arm", moved(2, 0, 0))

    def test_curves_between_sparse_keys_are_told(self):
        """(22)"""
        node = self.ARM
        for mode, told in (("BEZIER", True), ("CARDINAL", True), ("STEP", False), ("LINEAR", False)):
            info = self.info(self.save(node, write_text.channel("x", "a/t.X", [0, 1], [0, 1], mode=mode)))
            self.assertEqual(["straight" in note for note in info["notes"]], [True] * told)
        dense = [i / 30 for i in range(31)]
        info = self.info(self.save(node, write_text.channel("x", "a/t.X", dense, dense, mode="BEZIER")))
        self.assertEqual(info["notes"], [])

    ARM = ('<node id="a" name="Arm"><translate sid="t">0 0 0</translate></node>'
           '<node id="b" name="Wall"><translate>0 0 30</translate></node>')

    def x_of(self, asked, *animations):
        """Where the arm is at these times."""
        path = self.save(self.ARM, "".join(animations))
        self.assertEqual(self.info(path)["notes"], [])
        return [frame["world"][next(i for i, node in enumerate(dump["nodes"]) if node["name"] == "Arm")][12:15]
                for dump in [self.pose(path, "#0", asked)] for frame in dump["clips"][0]["frames"]]

    def assert_curve(self, found, expected):
        for one, other in zip(found, expected, strict=True):
            self.assertAlmostEqual(one, other, delta=2e-3)

    @staticmethod
    def bezier(times, values, time):
        """By bisection, from the definition."""
        at = lambda p, t: (1 - t) ** 3 * p[0] + 3 * (1 - t) ** 2 * t * p[1] + 3 * (1 - t) * t * t * p[2] + t ** 3 * p[3]
        low, high = 0, 1
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if at(times, middle) < time else (low, middle)
        return at(values, low)

    ASKED = [0, 0.1, 0.3, 0.5, 0.77, 1, 1.25, 1.5, 2]

    def test_bezier_curves(self):
        """Tangents are points: with times, or values alone a third of the way apart."""
        times, values = [0, 1, 2], [0, 4, 1]
        with_times = write_text.channel("x", "a/t.X", times, values, mode="BEZIER",
                                        tangents=([-1, 0, 0.9, 7, 1.5, 1], [0.6, 0, 1.2, 4, 3, 1], 2))
        self.assert_curve([p[0] for p in self.x_of(self.ASKED, with_times)],
                          [self.bezier([0, 0.6, 0.9, 1], [0, 0, 7, 4], t) if t <= 1 else
                           self.bezier([1, 1.2, 1.5, 2], [4, 4, 1, 1], t) for t in self.ASKED])
        alone = write_text.channel("x", "a/t.X", times, values, mode="BEZIER", tangents=([0, 5, 1], [-2, 4, 0], 1))
        self.assert_curve([p[0] for p in self.x_of(self.ASKED, alone)],
                          [self.bezier([0, 1 / 3, 2 / 3, 1], [0, -2, 5, 4], t) if t <= 1 else
                           self.bezier([1, 4 / 3, 5 / 3, 2], [4, 4, 1, 1], t) for t in self.ASKED])

    def test_hermite_curves(self):
        """Tangents are differences."""
        found = self.x_of(self.ASKED[:6], write_text.channel("x", "a/t.X", [0, 1], [1, 2], mode="HERMITE",
                                                             tangents=([0, 0, 1, -6], [1, 9, 0, 0], 2)))
        self.assert_curve([p[0] for p in found], [(2 * t**3 - 3 * t**2 + 1) + 9 * (t**3 - 2 * t**2 + t) +
                                                  2 * (-2 * t**3 + 3 * t**2) - 6 * (t**3 - t**2) for t in self.ASKED[:6]])

    def test_steps(self):
        found = self.x_of([0, 0.5, 0.99, 1, 1.5, 2], write_text.channel("x", "a/t.X", [0, 1, 2], [3, 5, 4], mode="STEP"))
        self.assert_curve([p[0] for p in found], [3, 3, 3, 5, 5, 4])

    def test_each_part_of_a_value_bends(self):
        """Three parts with one tangent each, and a mode for each segment."""
        pairs = lambda *points: [number for point in points for number in point]
        animation = write_text.channel(
            "x", "a/t", [0, 1, 2], [0, 0, 0, 1, 2, 3, 3, 2, 1], 3, mode=["BEZIER", "LINEAR", "LINEAR"],
            tangents=(pairs((0, 0), (0, 0), (0, 0), (0.9, 1), (0.5, 5), (0.7, 3), (2, 3), (2, 2), (2, 1)),
                      pairs((0.2, 3), (0.3, 0), (0.1, -1), (1, 1), (1, 2), (1, 3), (2, 3), (2, 2), (2, 1)), 6))
        found = self.x_of(self.ASKED, animation)
        for part, (times, values, last) in enumerate((([0, 0.2, 0.9, 1], [0, 3, 1, 1], 3),
                                                      ([0, 0.3, 0.5, 1], [0, 0, 5, 2], 2),
                                                      ([0, 0.1, 0.7, 1], [0, -1, 3, 3], 1))):
            self.assert_curve([p[part] for p in found],
                              [self.bezier(times, values, t) if t <= 1 else values[3] + (t - 1) * (last - values[3])
                               for t in self.ASKED])

    def test_a_clip_without_a_name_has_the_files(self):
        path = self.save('<node id="a" name="Arm"><translate sid="t">0 0 0</translate></node>',
                         write_text.channel("x", "a/t.X", [0, 1], [0, 1]), name="run.fast.dae")
        self.assertEqual([clip["name"] for clip in self.info(path)["clips"]], ["run.fast"])


class Md5(Case):
    def save(self, rate=10, ends="\n"):
        frames = [(0, 0, 2), (1, 0, 2), (2, 0, 2)]
        self.write("imp.md5anim", write_text.md5_animation(rate, frames).replace("\n", ends))
        return self.write("imp.md5mesh", write_text.MD5_MESH.replace("\n", ends))

    def test_the_animation_beside_it(self):
        """Read by itself, named after the file, y up. (24)"""
        path = self.save()
        clip, = self.info(path)["clips"]
        self.assertEqual(clip["name"], "imp")
        dump = self.pose(path, "imp", [0.1, 0.2], "--vertices")
        for frame, x in enumerate((1, 2)):
            self.assert_points(dump["clips"][0]["frames"][frame]["pos"][0], [(0, 0, 0), (1 + x, 2, 0), (x, 3, 0)])

    def test_the_frame_rate_whatever_ends_the_lines(self):
        """The last frame is frames − 1 after the first. (24)"""
        for ends in ("\n", "\r\n"):
            for rate in (10, 60):
                with self.subTest(ends=ends, rate=rate):
                    path = self.save(rate, ends)
                    for file in (path, path.with_suffix(".md5anim")):
                        self.assertAlmostEqual(self.info(file)["clips"][0]["duration"], 2 / rate, delta=1e-6)

    def test_without_an_animation_it_is_a_model(self):
        path = self.write("imp.md5mesh", write_text.MD5_MESH)
        info = self.info(path)
        self.assertEqual((len(info["clips"]), info["meshes"][0]["vertices"]), (0, 3))


class Others(Case):
    def test_bvh(self):
        """Z, X, Y in the file's order; the offset of the root is replaced by its channels. (24)"""
        path = self.write("walk.bvh", write_text.BVH)
        info = self.info(path)
        self.assertEqual([clip["name"] for clip in info["clips"]], ["walk"])
        self.assertAlmostEqual(info["clips"][0]["duration"], 0.5, delta=1e-6)
        dump = self.pose(path, "walk", [0, 0.25, 0.5])
        self.assert_world(dump, 0, "Spine", moved(0, 100, 0), 1e-3)
        hips, spine = product(moved(1, 90, 0), euler(0, 0, 90)), product(moved(0, 10, 0), turned(0, 30))
        self.assert_world(dump, 1, "Spine", product(hips, spine), 1e-3)
        self.assert_world(dump, 2, "Spine", product(moved(2, 100, 0), turned(1, 90)), 1e-3)

    def test_bvh_joints_with_fewer_channels(self):
        """Two rotations, one, a position alone, none at all, and positions behind rotations."""
        joints = (("Hips", "Xrotation Zposition Yposition Xposition Zrotation"), ("Knee", "Yrotation"),
                  ("Slide", "Yposition"), ("Still", ""), ("Foot", "Zrotation Xrotation"))
        text, ends = "HIERARCHY\n", ""
        for i, (name, channels) in enumerate(joints):
            text += (f"{'JOINT' if i else 'ROOT'} {name}\n{{\nOFFSET {i} 2 0.5\n"
                     f"CHANNELS {len(channels.split())} {channels}\n")
            ends += "}\n"
        text += "End Site\n{\nOFFSET 0 1 0\n}\n" + ends
        frames = ((30, 3, 2, 1, 40, 50, 7, 60, 70), (-30, 1, 2, 3, 20, 10, 6, 5, 4))
        text += "MOTION\nFrames: 2\nFrame Time: 0.5\n" + "".join(" ".join(map(str, f)) + "\n" for f in frames)
        dump = self.pose(self.write("walk.bvh", text), "walk", [0, 0.5])
        for at, (x, move_z, move_y, move_x, z, knee, slide, foot_z, foot_x) in enumerate(frames):
            hips = product(moved(move_x, move_y, move_z), turned(0, x), turned(2, z))
            upper = product(hips, moved(1, 2, 0.5), turned(1, knee))
            lower = product(upper, moved(2, slide, 0.5))
            still = product(lower, moved(3, 2, 0.5))
            foot = product(still, moved(4, 2, 0.5), turned(2, foot_z), turned(0, foot_x))
            for name, matrix in (("Hips", hips), ("Knee", upper), ("Slide", lower), ("Still", still), ("Foot", foot)):
                self.assert_world(dump, at, name, matrix, 2e-3)

    def test_bvh_joints_with_spaces_in_their_names(self):
        """A name ends where its line does, or at the brace."""
        text = write_text.BVH.replace("ROOT Hips\n{", "ROOT  Lower Body \r\n{").replace("JOINT Spine\n{", "JOINT\tupper \t body {")
        path = self.write("walk.bvh", text)
        self.assertEqual([node["name"] for node in self.info(path)["nodes"]],
                         ["Lower Body", "upper \t body", "EndSite_upper \t body"])
        hips, spine = product(moved(1, 90, 0), euler(0, 0, 90)), product(moved(0, 10, 0), turned(0, 30))
        self.assert_world(self.pose(path, "walk", [0.25]), 0, "upper \t body", product(hips, spine), 1e-3)

    def test_x_counts_in_25ths_where_it_does_not_say(self):
        """(5)"""
        path = self.write("model.x", write_text.X)
        clip, = self.info(path)["clips"]
        self.assertEqual(clip["name"], "Wave")
        self.assertAlmostEqual(clip["duration"], 1, delta=1e-6)
        self.assert_world(self.pose(path, "Wave", [0.5]), 0, "Arm", moved(2, 5, 0))

    def test_an_x_file_of_clips_alone(self):
        """Its curves go to the frames that they name."""
        bare = write_text.X[:write_text.X.index("AnimationSet")]
        alone = write_text.X[:write_text.X.index("Material")] + write_text.X[write_text.X.index("AnimationSet"):]
        model, clips = self.write("model.x", bare), self.write("wave.x", alone)
        self.assertEqual([c["name"] for c in self.info(clips)["clips"]], ["Wave"])
        dump = self.pose(model, "wave", [0.5], "--clips", str(clips))
        self.assert_world(dump, 0, "Arm", moved(2, 5, 0))
        for broken in (alone[:-20], alone.replace("{ Arm }", "{ Arm"), alone.replace("Animation {", "")):
            program.sinew("info", self.write("wave.x", broken))  # ends, in a sentence or not

    def test_smd(self):
        path = self.write("model.smd", write_text.SMD)
        dump = self.pose(path)
        self.assert_world(dump, None, "Arm", moved(0, 0, 2))
        self.assert_points(dump["rest"]["pos"][0], POINTS)
        self.assertEqual(self.info(path)["meshes"][0]["joints"], 2)

    def test_of_iqm_the_mesh_alone(self):
        """(25)"""
        info = self.info(self.write("model.iqm", write_text.iqm()))
        self.assertEqual((info["meshes"][0]["triangles"], len(info["clips"])), (1, 0))
        self.assert_noted(info, "IQM", "joints and clips")

    def test_what_is_not_read_is_told(self):
        """(25)"""
        self.refused(self.write("model.m3d", "3DMO"), ".m3d", "glTF")
        self.refused(self.write("model.usdz", "PK"), ".usdz", "glTF")
        self.refused(self.write("model", "?"), "extension")
        self.refused(self.write("model.fbx", "hello"), "not an FBX file")
        self.refused(self.write("model.glb", "hello"), "glTF")


if __name__ == "__main__":
    unittest.main()

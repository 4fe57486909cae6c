"""Containers, meshes and inherited scales of FBX files of our own; what is expected is computed here."""
import base64
import struct
import unittest
import zlib

from fbx_binary import binary
from imported import Case, IDENTITY, euler, moved, product, scaled
from write_fbx import Fbx, array

QUAD = ((0, 0, 0), (2, 0, 0), (2, 2, 0), (0, 2, 0))


def element(kind, mapping, data, index=None, reference=None, name=None):
    """A layer's element; data and index: (name, numbers)."""
    lines = [f'LayerElement{kind}: 0 {{', f'MappingInformationType: "{mapping}"',
             f'ReferenceInformationType: "{reference or ("IndexToDirect" if index else "Direct")}"', array(*data)]
    return "\n".join(lines + ([array(*index)] if index else []) + ["}"])


def picture(width, height):
    """A PNG that hardly packs."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = b"".join(b"\0" + bytes((7 * x * x + 13 * y * x + c * 50) % 256 for x in range(width) for c in range(3))
                    for y in range(height))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(rows, 0)) + chunk(b"IEND", b""))


class FbxMeshes(Case):
    def geometry(self, positions, polygons, *elements, materials=()):
        """A file with one mesh; the last index of a polygon is stored as its complement."""
        fbx = Fbx()
        body = fbx.model("Body", what="Mesh")
        indices = [i for p in polygons for i in (*p[:-1], ~p[-1])]
        body_text = "\n".join([array("Vertices", [v for p in positions for v in p]), array("PolygonVertexIndex", indices),
                               *elements])
        fbx.connect(fbx.add("Geometry", "Geometry::", "Mesh", body_text), body)
        for color in materials:
            fbx.material(body, DiffuseColor=color)
        return fbx

    def load(self, fbx):
        return self.info(self.write("model.fbx", fbx.text()))

    # ---- pictures ----

    def test_pictures_in_several_strings_of_text(self):
        """Text files cut large pictures up, and pad each part on its own."""
        data = picture(37, 29)
        for size in (10 ** 6, 1000, 999, 998):  # one string; with padding of two, none and one
            parts = [base64.b64encode(data[at:at + size]).decode() for at in range(0, len(data), size)]
            fbx = self.geometry(QUAD, [(0, 1, 2)], element("UV", "ByPolygonVertex", ("UV", [0, 0, 1, 0, 1, 1])))
            body = fbx.next - 1
            fbx.texture(fbx.material(body), "DiffuseColor", "skin.png", "skin.png")
            fbx.add("Video", "Video::v", "Clip", 'FileName: "skin.png"\nContent: ,\n' + ",".join(f'"{part}"' for part in parts))
            told = self.load(fbx)
            self.assertEqual([(i["width"], i["height"]) for i in told["images"]], [(37, 29)], told["notes"])
            self.assertFalse(any("image" in note for note in told["notes"]), told["notes"])

    # ---- containers ----

    def test_every_container_says_the_same(self):
        fbx = Fbx(UnitScaleFactor=2.54)
        body, arm = fbx.model("Body", what="Mesh"), fbx.model("Arm", Lcl_Rotation=(0, 0, 30))
        fbx.skin(fbx.mesh(body), [(arm, {0: 1, 1: 0.5, 2: 1}, IDENTITY, moved(0, 1, 0))])
        layer, = fbx.stack("Wave", 0, 1)
        fbx.curves(layer, arm, "Lcl Rotation", [0, 0.5, 1], [(0, 0, 0), (30, 0, 90), (0, 9, 0)], (0x408,),
                   data=[(90.0, -60.0, 0, 0)])
        text = fbx.text()
        expected = self.pose(self.write("model.fbx", text), "Wave", [0.3, 0.8])
        for version in (7400, 7500):
            for ways in ({}, {"big": True}, {"deflated": True}, {"nulls": False}, {"big": True, "deflated": True}):
                with self.subTest(version=version, **ways):
                    path = self.write("model.fbx", binary(text, version, **ways))
                    self.assertEqual(self.pose(path, "Wave", [0.3, 0.8])["clips"], expected["clips"])

    def test_arrays_that_lie_are_refused(self):
        fbx = Fbx()
        fbx.mesh(fbx.model("Body", what="Mesh"), [(i, i % 7, 0) for i in range(50)])
        good = binary(fbx.text(), deflated=True)
        at_array = good.index(b"Verticesd") + len(b"Verticesd")
        for offset, value in ((0, 0xffffffff), (0, 7), (4, 2), (8, 3), (8, 0xffffffff)):
            with self.subTest(offset=offset, value=value):
                bad = bytearray(good)
                bad[at_array + offset:at_array + offset + 4] = value.to_bytes(4, "little")
                self.refused(self.write("model.fbx", bytes(bad)), "broken")

    def test_nesting_without_end_is_refused(self):
        self.refused(self.write("model.fbx", "; FBX 7.4.0\n" + "Objects: {\n" * 100000), "nested too deep")

    # ---- meshes ----

    def test_polygons_of_each_material_are_a_mesh(self):
        polygons = [(0, 1, 2), (0, 2, 3)]
        fbx = self.geometry(QUAD, polygons, element("Material", "ByPolygon", ("Materials", [1, 0])),
                            materials=((1, 0, 0), (0, 1, 0)))
        told = self.load(fbx)
        colors = [told["materials"][mesh["material"]]["base_color"][:3] for mesh in told["meshes"]]
        self.assertEqual(sorted(colors), [[0, 1, 0], [1, 0, 0]])
        self.assertEqual([mesh["triangles"] for mesh in told["meshes"]], [1, 1])

    def test_vertices_are_joined_where_all_their_values_agree(self):
        """Four corners, two triangles: as many vertices as there are different corners."""
        polygons = [(0, 1, 2), (0, 2, 3)]
        normal = [0, 0, 1]
        corners, points = normal * 6, normal * 4
        for kind, elements, count in (
                ("by corner", [element("Normal", "ByPolygonVertex", ("Normals", corners))], 4),
                ("by point", [element("Normal", "ByVertice", ("Normals", points))], 4),
                ("by polygon", [element("Normal", "ByPolygon", ("Normals", [0, 0, 1, 0, 1, 0]))], 6),
                ("all the same", [element("Normal", "AllSame", ("Normals", normal))], 4),
                ("by index", [element("Normal", "ByPolygonVertex", ("Normals", [0, 0, 1, 0, 1, 0]),
                                      ("NormalsIndex", [0, 0, 0, 1, 0, 0]))], 5),
                ("a seam of texture", [element("Normal", "AllSame", ("Normals", normal)),
                                       element("UV", "ByPolygonVertex", ("UV", [0, 0, 1, 1]),
                                               ("UVIndex", [0, 0, 0, 1, 0, 0]))], 5)):
            with self.subTest(kind=kind):
                told = self.load(self.geometry(QUAD, polygons, *elements))
                self.assertEqual(told["meshes"][0]["vertices"], count)

    def test_smoothing_groups_and_edges_tell_normals_apart(self):
        """Two faces at a right angle share an edge: smooth, its two points are one vertex each; else two."""
        roof = ((0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (1, 0, 1), (0, 0, 1))
        polygons = [(0, 1, 2, 3), (1, 0, 5, 4)]
        for groups, count in (((1, 1), 6), ((1, 2), 8), ((3, 2), 6), ((0, 0), 8), ((1 | 1 << 30, 1), 6), ((1 | 1 << 30, 2), 8)):
            told = self.load(self.geometry(roof, polygons, element("Smoothing", "ByPolygon", ("Smoothing", groups))))
            self.assertEqual(told["meshes"][0]["vertices"], count, groups)
        for smooth, count in ((1, 6), (0, 8)):
            told = self.load(self.geometry(roof, polygons, array("Edges", [0]),
                                           element("Smoothing", "ByEdge", ("Smoothing", [smooth]))))
            self.assertEqual(told["meshes"][0]["vertices"], count, smooth)

    def test_polygons_of_points_that_are_not_there_are_dropped(self):
        told = self.load(self.geometry(QUAD, [(0, 1, 2), (0, 2, 9), (0, 1)]))
        self.assertEqual(told["meshes"][0]["triangles"], 1)
        self.assert_noted(told, "2 of 3 polygons dropped")

    def test_one_mesh_at_three_nodes(self):
        fbx = Fbx()
        nodes = [fbx.model(f"Body{i}", what="Mesh", Lcl_Translation=(5 * i, 0, 0)) for i in range(3)]
        geometry = fbx.mesh(nodes[0])
        for node in nodes[1:]:
            fbx.connect(geometry, node)
        dump = self.pose(self.write("model.fbx", fbx.text()))
        self.assertEqual(len(dump["rest"]["pos"]), 3)
        for i, points in enumerate(dump["rest"]["pos"]):
            self.assert_points(points, [(5 * i, 0, 0), (5 * i + 1, 0, 0), (5 * i, 1, 0)])

    def test_normals_that_point_inwards_are_turned(self):
        """Of a tetrahedron whose triangles face outwards, and of the same turned inside out, which is left as it is."""
        corners = ((0, 0, 0), (4, 0, 0), (0, 4, 0), (0, 0, 4))
        outwards = ((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3))
        for faces, sign, noted in ((outwards, 1, False), (outwards, -1, True), ([f[::-1] for f in outwards], 1, False)):
            with self.subTest(faces=faces, sign=sign):
                normals = [sign * (p - 1) for face in faces for i in face for p in corners[i]]
                fbx = Fbx()
                fbx.mesh(fbx.model("Body", what="Mesh"), corners, element("Normal", "ByPolygonVertex", ("Normals", normals)))
                indices = [i if k < 2 else -i - 1 for face in faces for k, i in enumerate(face)]
                text = fbx.text().replace(array("PolygonVertexIndex", [0, 1, -3]), array("PolygonVertexIndex", indices))
                path = self.write("model.fbx", text)
                (self.assert_noted if noted else self.assert_not_noted)(self.info(path), "inwards")

    # ---- shapes ----

    def test_shapes_in_between(self):
        """At 50 % the first shape, at 100 % the second; lines between them, and beyond."""
        fbx = Fbx()
        mesh = fbx.mesh(fbx.model("Face", what="Mesh"))
        channel = fbx.shape(mesh, {1: (0, 0, 4)}, 25)
        later = fbx.add("Geometry", "Geometry::Later", "Shape", "\n".join([
            array("Indexes", [2]), array("Vertices", [0, 0, 8]), array("Normals", [0, 0, 0])]))
        fbx.connect(later, channel)
        layer, = fbx.stack("Smile", 0, 1)
        fbx.curves(layer, channel, "DeformPercent", [0, 1], [(0,), (150,)])
        text = fbx.text().replace(array("FullWeights", [100]), array("FullWeights", [50, 100]))
        dump = self.pose(self.write("model.fbx", text), "Smile", [p / 150 for p in (25, 50, 75, 100, 150)])
        self.assert_points(dump["rest"]["pos"][0], [(0, 0, 0), (1, 0, 2), (0, 1, 0)])
        for frame, (a, b) in enumerate(((0.5, 0), (1, 0), (0.5, 0.5), (0, 1), (-1, 2))):
            self.assert_points(dump["clips"][0]["frames"][frame]["pos"][0], [(0, 0, 0), (1, 0, 4 * a), (0, 1, 8 * b)], 2e-3)

    # ---- inherited scale ----

    def test_three_ways_to_inherit_scale(self):
        """Parent scaled by (2, 1, 1), child turned: 1 shears it, 0 scales it along its own axes, 2 leaves it."""
        turn = euler(0, 0, 30)
        for kind, expected in ((1, product(scaled(2, 1, 1), moved(3, 0, 0), turn, scaled(1, 4, 1))),
                               (0, product(moved(6, 0, 0), turn, scaled(2, 4, 1))),
                               (2, product(moved(6, 0, 0), turn, scaled(1, 4, 1)))):
            with self.subTest(kind=kind):
                fbx = Fbx()
                arm = fbx.model("Arm", Lcl_Scaling=(2, 1, 1))
                fbx.model("Hand", arm, Lcl_Translation=(3, 0, 0), Lcl_Rotation=(0, 0, 30), Lcl_Scaling=(1, 4, 1),
                          InheritType=kind)
                self.assert_world(self.pose(self.write("model.fbx", fbx.text())), None, "Hand", expected)

    def test_a_scale_that_skips_a_parent(self):
        """Type 2 below type 0 takes its grandparent's scale: s = S · s of the parent's own source."""
        fbx = Fbx()
        root = fbx.model("Root", Lcl_Scaling=(2, 3, 1), InheritType=1)
        arm = fbx.model("Arm", root, Lcl_Scaling=(5, 1, 1), InheritType=0)
        fbx.model("Hand", arm, Lcl_Translation=(1, 0, 0), InheritType=2)
        dump = self.pose(self.write("model.fbx", fbx.text()))
        self.assert_world(dump, None, "Arm", scaled(10, 3, 1))
        self.assert_world(dump, None, "Hand", product(moved(10, 0, 0), scaled(2, 3, 1)))

    def test_only_the_parents_own_scale_is_taken_away(self):
        """Type 2 below type 1, as Maya defines it: W · S⁻¹ · r with the parent's matrix W and its own scale S."""
        fbx = Fbx()
        root = fbx.model("Root", Lcl_Scaling=(2, 1, 1))
        arm = fbx.model("Arm", root, Lcl_Scaling=(1, 3, 1), InheritType=1)
        fbx.model("Hand", arm, Lcl_Rotation=(0, 0, 30), InheritType=2)
        self.assert_world(self.pose(self.write("model.fbx", fbx.text())), None, "Hand", product(scaled(2, 1, 1), euler(0, 0, 30)))

    # ---- skins ----

    def test_a_cluster_may_leave_out_where_it_was_bound(self):
        """Transform is the mesh as its joint saw it; without it TransformLink and the mesh's rest say it, and without both
        the joint was bound where it rests."""
        link = moved(0, 2, 0)
        for given, expected in (((link, moved(0, 0, 7)), (0, 5, 7)), ((link, None), (1, 3, 0)), ((None, None), (1, 0, 0))):
            with self.subTest(given=given):
                fbx = Fbx()
                body = fbx.model("Body", what="Mesh", Lcl_Translation=(1, 0, 0))
                arm = fbx.model("Arm", Lcl_Translation=(0, 5, 0))
                fbx.skin(fbx.mesh(body), [(arm, {0: 1, 1: 1, 2: 1}, *given)])
                dump = self.pose(self.write("model.fbx", fbx.text()))
                x, y, z = expected
                self.assert_points(dump["rest"]["pos"][0], [(x, y, z), (x + 1, y, z), (x, y + 1, z)])

    def test_link_modes(self):
        """Total1 and Normalize are the same where weights add up to 1. Where they do not, and for Additive, a note says so."""
        for mode, given, noted in (("Normalize", (0.5, 0.5), False), ("Total1", (0.5, 0.5), False),
                                   ("Total1", (0.5, 0.25), True), ("Additive", (0.5, 0.5), True)):
            with self.subTest(mode=mode, given=given):
                fbx = Fbx()
                body = fbx.model("Body", what="Mesh")
                arms = [fbx.model(name, Lcl_Translation=(x, 0, 0)) for name, x in (("Left", 0), ("Right", 6))]
                fbx.skin(fbx.mesh(body), [(arm, {v: weight for v in range(3)}, IDENTITY, IDENTITY)
                                          for arm, weight in zip(arms, given)])
                text = fbx.text().replace('"Cluster" {', f'"Cluster" {{\nMode: "{mode}"')
                path = self.write("model.fbx", text)
                told = self.info(path)
                (self.assert_noted if noted else self.assert_not_noted)(told, mode)
                x = 6 * given[1] / sum(given)
                self.assert_points(self.pose(path)["rest"]["pos"][0], [(x, 0, 0), (x + 1, 0, 0), (x, 1, 0)])

    # ---- what is said ----

    def test_what_nobody_can_play_is_said(self):
        fbx = Fbx()
        body = fbx.model("Body", what="Mesh", RotationOrder=6, RotationActive=1, Lcl_Rotation=(30, 40, 50))
        uvs = [element("UV", "ByVertice", ("UV", [0, 0, 1, 0, 0, 1])).replace("UV: 0", f"UV: {i}") for i in range(2)]
        fbx.mesh(body, extra="\n".join(uvs))
        path = self.write("model.fbx", fbx.text())
        told = self.info(path)
        self.assert_noted(told, "1 node turns", "spheric", "MotionBuilder")
        self.assert_noted(told, "1 more set of texture coordinates")
        self.assert_world(self.pose(path), None, "Body", euler(30, 40, 50))

    def test_what_is_not_evaluated_has_a_note(self):
        """With what to do about it, and where. One of each; nothing of it is said of a file without."""
        notes = []
        for kind, what, words in (
                ("Constraint", "Parent-Child", ("1 constraint is", "Maya", "Bake Simulation", "Blender", "Bake Action")),
                ("Constraint", "Character", ("1 character", "MotionBuilder", "To Skeleton", "Maya")),
                ("Deformer", "VertexCacheDeformer", ("1 deformer", "Bake Deformers to Skin Weights", "Apply as Shape Key")),
                ("Geometry", "NurbsSurface", ("1 curve or surface", "convert it", "Maya", "Blender")),
                ("NodeAttribute", "Camera", ("1 camera",)), ("NodeAttribute", "Light", ("1 light",)),
                ("LayeredTexture", "", ("1 layered texture", "lowest layer")), ("Audio", "Clip", ("1 audio clip",))):
            fbx = Fbx()
            body = fbx.model("Body", what="Mesh")
            fbx.mesh(body)
            fbx.add(kind, f"{kind}::x", what, "Version: 100")
            told = self.info(self.write("model.fbx", fbx.text()))
            self.assert_noted(told, *words)
            self.assertEqual(len(told["notes"]), 1, told["notes"])
            notes += told["notes"]
        self.assertEqual(len(set(notes)), 8)

    def test_a_mesh_shown_smooth_is_said(self):
        """Smoothness: 0 the cage, 1 its hull, 2 both, 3 the smooth surface alone."""
        for smoothness, levels, noted in ((3, 2, True), (2, 1, True), (3, 0, False), (1, 2, False), (0, 2, False)):
            with self.subTest(smoothness=smoothness, levels=levels):
                fbx = Fbx()
                fbx.mesh(fbx.model("Body", what="Mesh"), extra=f"Smoothness: {smoothness}\nPreviewDivisionLevels: {levels}")
                told = self.info(self.write("model.fbx", fbx.text()))
                (self.assert_noted if noted else self.assert_not_noted)(told, "smooth surface")

    def test_properties_that_nothing_plays_are_said(self):
        fbx = Fbx()
        body = fbx.model("Body", what="Mesh")
        fbx.mesh(body)
        layer, = fbx.stack("Wave", 0, 1)
        fbx.curves(layer, body, "Lcl Translation", [0, 1], [(0, 0, 0), (1, 0, 0)])
        fbx.curves(layer, body, "Visibility", [0, 1], [(1,), (0,)])
        told = self.info(self.write("model.fbx", fbx.text()))
        self.assert_noted(told, "1 animated property", "Visibility")


if __name__ == "__main__":
    unittest.main()

"""Materials of every format as those that light them want them: base colour, roughness, metallic, emission, pictures."""
import struct
import unittest

from imported import Case
from write_fbx import Fbx, ONE_MATERIAL
from write_gltf import Gltf
import write_text


def picture(red, green, blue):
    """A TGA of one pixel."""
    return bytes([0, 0, 2] + [0] * 9) + struct.pack("<HHBB", 1, 1, 24, 0) + bytes([blue, green, red])


class Materials(Case):
    def setUp(self):
        super().setUp()
        self.write("skin.tga", picture(200, 100, 50))
        self.write("glow.tga", picture(1, 2, 3))

    def material(self, path):
        """The first mesh's; `found` are the images that are there."""
        self.told = self.info(path)
        self.found = [image["name"] for image in self.told["images"] if image["width"] == 1]
        return self.told["materials"][self.told["meshes"][0]["material"]]

    def image(self, material, kind):
        return self.told["images"][material[kind + "_image"]]["name"] if material[kind + "_image"] >= 0 else None

    def assert_plain(self, material):
        """What no older format says."""
        self.assertEqual((material["metallic"], material["double_sided"]), (0, True))

    # ---- glTF ----

    def test_gltf(self):
        gltf = Gltf()
        gltf.mesh({"POSITION": gltf.positions(), "TEXCOORD_0": gltf.accessor("VEC2", [0] * 6)}, material=0)
        gltf.node(mesh=0)
        texture = {"index": 0}
        gltf.more = {
            "images": [{"uri": "skin.tga"}, {"uri": "glow.tga"}], "textures": [{"source": 0}, {"source": 1}],
            "materials": [{"name": "Skin", "doubleSided": True, "alphaMode": "MASK", "alphaCutoff": 0.25,
                           "emissiveFactor": [0.5, 0.25, 0.125], "emissiveTexture": {"index": 1},
                           "normalTexture": texture, "pbrMetallicRoughness": {
                               "baseColorFactor": [0.5, 0.25, 0.125, 0.75], "metallicFactor": 0.75,
                               "roughnessFactor": 0.375, "baseColorTexture": texture,
                               "metallicRoughnessTexture": texture}}]}
        m = self.material(self.write("model.gltf", gltf.text()))
        self.assert_near(m["base_color"], [0.5, 0.25, 0.125, 0.75], 1e-6)
        self.assert_near(m["emissive"], [0.5, 0.25, 0.125], 1e-6)
        self.assertEqual((m["metallic"], m["roughness"], m["alpha"], m["alpha_cutoff"], m["double_sided"]),
                         (0.75, 0.375, "mask", 0.25, True))
        self.assertEqual([self.image(m, kind) for kind in ("base_color", "normal", "metallic_roughness", "emissive")],
                         ["skin.tga", "skin.tga", "skin.tga", "glow.tga"])

    def test_gltf_pictures_wrap_as_their_samplers_say(self):
        gltf = Gltf()
        gltf.mesh({"POSITION": gltf.positions(), "TEXCOORD_0": gltf.accessor("VEC2", [0] * 6)}, material=0)
        gltf.node(mesh=0)
        gltf.more = {
            "images": [{"uri": "skin.tga"}],
            "samplers": [{"wrapS": 33071, "wrapT": 33648}, {"wrapS": 10497}],
            "textures": [{"source": 0, "sampler": 0}, {"source": 0, "sampler": 1}, {"source": 0}],
            "materials": [{"normalTexture": {"index": 1}, "emissiveTexture": {"index": 2},
                           "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}]}
        m = self.material(self.write("model.gltf", gltf.text()))
        self.assertEqual([self.told["images"][m[kind + "_image"]]["wrap"] for kind in ("base_color", "normal", "emissive")],
                         [["clamp", "mirror"], ["repeat", "repeat"], ["repeat", "repeat"]])
        self.assertEqual(len(self.found), 2)  # one picture, two ways to wrap it

    # ---- FBX ----

    def fbx(self, files, **properties):
        """files: channel → the path on its author's machine"""
        fbx = Fbx()
        body = fbx.model("Body", what="Mesh")
        fbx.mesh(body, extra=ONE_MATERIAL)
        material = fbx.material(body, **properties)
        for channel, path in files.items():
            fbx.texture(material, channel, path, path)
        return self.material(self.write("model.fbx", fbx.text()))

    def test_fbx_colours(self):
        m = self.fbx({}, DiffuseColor=(0.5, 0.25, 0.125), EmissiveColor=(0.1, 0.2, 0.3), ShininessExponent=36,
                     SpecularColor=(1, 1, 1), Opacity=0.5)
        self.assert_near(m["base_color"], [0.5, 0.25, 0.125, 0.5], 1e-6)
        self.assert_near(m["emissive"], [0.1, 0.2, 0.3], 1e-6)
        self.assertAlmostEqual(m["roughness"], 0.4, delta=1e-6)
        self.assertEqual(m["alpha"], "blend")
        self.assert_plain(m)

    def lies(self, **properties):
        """What the coordinates (u, v), v downwards, become."""
        fbx = Fbx()
        body = fbx.model("Body", what="Mesh")
        fbx.mesh(body, extra=ONE_MATERIAL)
        fbx.texture(fbx.material(body), "DiffuseColor", "skin.tga", "skin.tga", **properties)
        t = self.material(self.write("model.fbx", fbx.text())).get("base_color_transform", [1, 0, 0, 0, 1, 0])
        return lambda u, v: (t[0] * u + t[1] * v + t[2], t[3] * u + t[4] * v + t[5])

    def test_fbx_pictures_lie_as_their_textures_say(self):
        """A place in the picture is turned, scaled and moved to the coordinates that show it; v points up in the file."""
        places = [(0.2, 0.3), (0.9, 0.1), (0.5, 0.75)]
        for properties, to_uv in (
                ({}, lambda x, y: (x, y)),
                ({"Translation": (0.5, 0.25, 0)}, lambda x, y: (x + 0.5, y + 0.25)),
                ({"Scaling": (2, 4, 1)}, lambda x, y: (2 * x, 4 * y)),
                ({"Scaling": (2, 4, 1), "TextureScalingPivot": (0.5, 1, 0)}, lambda x, y: (2 * x - 0.5, 4 * y - 3)),
                ({"Rotation": (0, 0, 90)}, lambda x, y: (-y, x)),
                ({"Rotation": (0, 0, 90), "TextureRotationPivot": (0.5, 0.5, 0), "Translation": (0, 0.25, 0)},
                 lambda x, y: (1 - y, x + 0.25)),
                ({"Scaling": (2, 1, 1), "Rotation": (0, 0, 90), "UVSwap": 1}, lambda x, y: (2 * x, -y))):
            with self.subTest(**properties):
                lies = self.lies(**properties)
                for x, y in places:
                    u, v = to_uv(x, y)
                    self.assert_near(lies(u, 1 - v), (x, 1 - y), 1e-6)

    def test_an_fbx_picture_without_size_lies_as_the_coordinates_say(self):
        self.assertEqual(self.lies(Scaling=(0, 1, 1))(0.25, 0.5), (0.25, 0.5))
        self.assert_noted(self.told, "scale is zero")

    def test_fbx_pictures_of_another_machine_lie_beside_the_model(self):
        for path in (r"C:\Users\me\art\skin.tga", "/home/me/art/skin.tga", r"..\..\art\skin.tga", "../skin.tga",
                     "http://example.com/skin.tga"):
            with self.subTest(path=path):
                m = self.fbx({"DiffuseColor": path}, DiffuseColor=(0.5, 0.25, 0.125))
                self.assertEqual(len(self.found), 1, self.told["notes"])
                self.assertEqual(m["base_color"], [1, 1, 1, 1])

    def test_a_picture_that_is_not_there_is_neutral_and_a_sentence(self):
        m = self.fbx({"DiffuseColor": r"C:\art\coat.tga"})
        self.assertEqual((self.found, m["base_color_image"], m["base_color"][:3]), ([], -1, [1, 1, 1]))
        self.assert_noted(self.told, "coat.tga", "do without it")

    def test_textures_that_name_no_picture_are_one_sentence(self):
        """Blender writes "." for a picture that only its own file holds."""
        fbx = Fbx()
        body = fbx.model("Body", what="Mesh")
        fbx.mesh(body, extra=ONE_MATERIAL)
        material = fbx.material(body)
        for channel, path in (("DiffuseColor", "."), ("NormalMap", ""), ("EmissiveColor", "C:\\\\art\\\\")):
            fbx.texture(material, channel, path, path)
        self.material(self.write("model.fbx", fbx.text()))
        notes = [note for note in self.told["notes"] if "pictur" in note]
        self.assertEqual(len(notes), 1, self.told["notes"])
        self.assertIn("textures that name no picture and hold none are left out, 't' among them", notes[0])

    def test_of_a_glow_that_is_not_there_nothing_glows(self):
        gltf = Gltf()
        gltf.mesh({"POSITION": gltf.positions()}, material=0)
        gltf.node(mesh=0)
        gltf.more = {"images": [{"uri": "gone.png"}], "textures": [{"source": 0}], "materials": [
            {"emissiveFactor": [1, 1, 1], "emissiveTexture": {"index": 0}, "normalTexture": {"index": 0}}]}
        m = self.material(self.write("model.gltf", gltf.text()))
        self.assertEqual((m["emissive"], m["emissive_image"], m["normal_image"]), ([0, 0, 0], -1, -1))
        self.assertEqual(sum("gone.png" in note for note in self.told["notes"]), 1)

    def test_fbx_channels(self):
        m = self.fbx({"DiffuseColor": "skin.tga", "NormalMap": "glow.tga", "EmissiveColor": "glow.tga"})
        self.assertEqual([self.image(m, kind) for kind in ("base_color", "normal", "emissive")],
                         ["skin.tga", "glow.tga", "glow.tga"])
        self.assertGreater(min(m["emissive"]), 0)  # a picture that nothing dims

    # ---- opacity ----

    def test_a_picture_of_opacity_goes_into_the_alpha_of_the_colours(self):
        half = [bytes([0, 0, 2] + [0] * 9) + struct.pack("<HHBB", 8, 1, 24, 0) + bytes(row)
                for row in ([0] * 12 + [255] * 12, list(range(0, 240, 10)))]
        for hard, data in zip((True, False), half):
            self.write("leaf.tga", data)
            m = self.fbx({"DiffuseColor": "skin.tga", "TransparentColor": "leaf.tga"})
            self.assertEqual((self.image(m, "base_color"), m["alpha"]),
                             ("skin.tga and leaf.tga", "mask" if hard else "blend"))
            m = self.fbx({"TransparentColor": "leaf.tga"}, DiffuseColor=(0.5, 0.25, 0.125))
            self.assertEqual((self.image(m, "base_color"), m["base_color"][:3]),
                             ("opacity of leaf.tga", [0.5, 0.25, 0.125]))

    def test_a_picture_that_is_its_own_opacity_is_taken_as_it_is(self):
        self.write("leaf.tga", bytes([0, 0, 2] + [0] * 9) + struct.pack("<HHBB", 2, 1, 32, 8) +
                   bytes([1, 2, 3, 0, 4, 5, 6, 255]))
        m = self.fbx({"DiffuseColor": "leaf.tga", "TransparentColor": "leaf.tga"})
        self.assertEqual((self.image(m, "base_color"), m["alpha"]), ("leaf.tga", "mask"))

    def test_a_material_whose_opacity_is_missing_is_whole(self):
        m = self.fbx({"DiffuseColor": "skin.tga", "TransparentColor": "none.tga"})
        self.assertEqual((self.image(m, "base_color"), m["alpha"]), ("skin.tga", "opaque"))
        self.assert_noted(self.told, "none.tga")

    # ---- older ones ----

    def collada(self, effect):
        libraries = ('<library_images><image id="skin"><init_from>file:///C:/art/skin.tga</init_from></image>'
                     '<image id="glow"><init_from>./glow.tga</init_from></image></library_images>'
                     '<library_effects><effect id="e"><profile_COMMON>' + "".join(
                         f'<newparam sid="{name}-surface"><surface type="2D"><init_from>{name}</init_from></surface>'
                         f'</newparam><newparam sid="{name}-sampler"><sampler2D><source>{name}-surface</source>'
                         f'</sampler2D></newparam>' for name in ("skin", "glow")) +
                     f'<technique sid="common"><phong>{effect}</phong></technique></profile_COMMON></effect>'
                     '</library_effects><library_materials><material id="mat" name="Skin"><instance_effect url="#e"/>'
                     '</material></library_materials>')
        node = ('<node id="a"><instance_geometry url="#tri"><bind_material><technique_common><instance_material '
                'symbol="m" target="#mat"/></technique_common></bind_material></instance_geometry></node>')
        return self.material(self.write("model.dae", write_text.collada(node, "", libraries)))

    def test_collada_colours(self):
        m = self.collada("<emission><color>0.1 0.2 0.3 1</color></emission><ambient><color>1 1 1 1</color></ambient>"
                         "<diffuse><color>0.5 0.25 0.125 1</color></diffuse><specular><color>1 1 1 1</color></specular>"
                         "<shininess><float>36</float></shininess>")
        self.assert_near(m["base_color"], [0.5, 0.25, 0.125, 1], 1e-6)
        self.assert_near(m["emissive"], [0.1, 0.2, 0.3], 1e-6)
        self.assertAlmostEqual(m["roughness"], 0.4, delta=1e-6)
        self.assertEqual((m["name"], m["alpha"]), ("Skin", "opaque"))
        self.assert_plain(m)

    def test_collada_pictures(self):
        m = self.collada('<emission><texture texture="glow-sampler" texcoord="UV"/></emission>'
                         '<diffuse><texture texture="skin-sampler" texcoord="UV"/></diffuse>')
        self.assertEqual(len(self.found), 2, self.told["notes"])
        self.assertIn("skin.tga", self.image(m, "base_color"))
        self.assertIn("glow.tga", self.image(m, "emissive"))
        self.assertEqual((m["base_color"], m["emissive"]), ([1, 1, 1, 1], [1, 1, 1]))

    def test_collada_transparency(self):
        m = self.collada("<diffuse><color>1 1 1 1</color></diffuse>"
                         '<transparent opaque="A_ONE"><color>1 1 1 0.5</color></transparent>'
                         "<transparency><float>1</float></transparency>")
        self.assertEqual((m["base_color"][3], m["alpha"]), (0.5, "blend"))

    def test_x(self):
        m = self.material(self.write("model.x", write_text.X))
        self.assert_near(m["base_color"], [0.5, 0.25, 0.125, 1], 1e-6)
        self.assert_near(m["emissive"], [0.1, 0.2, 0.3], 1e-6)
        self.assertAlmostEqual(m["roughness"], 0.4, delta=1e-6)
        self.assert_plain(m)

    def test_smd_and_md5_name_a_picture(self):
        for name, text in (("model.smd", write_text.SMD.replace("skin.bmp", "skin.tga")),
                           ("model.md5mesh", write_text.MD5_MESH)):
            m = self.material(self.write(name, text))
            self.assertEqual((self.found, m["base_color"]), (["skin.tga"], [1, 1, 1, 1]))
            self.assert_plain(m)

    def test_obj(self):
        """Its shininess goes up to 1000: 1 − √0.36."""
        self.write("model.mtl", "newmtl Skin\nKd 0.5 0.25 0.125\nKa 1 1 1\nKe 0.1 0.2 0.3\nNs 360\nd 0.5\n")
        m = self.material(self.write("model.obj", "mtllib model.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl Skin\nf 1 2 3\n"))
        self.assert_near(m["base_color"], [0.5, 0.25, 0.125, 0.5], 1e-6)
        self.assert_near(m["emissive"], [0.1, 0.2, 0.3], 1e-6)
        self.assertAlmostEqual(m["roughness"], 0.4, delta=1e-6)
        self.assertEqual(m["alpha"], "blend")
        self.assert_plain(m)


if __name__ == "__main__":
    unittest.main()

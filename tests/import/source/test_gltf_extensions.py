"""Extensions of glTF and VRM, each in a small file of our own; values are computed from the specifications."""
import base64
import math
import struct
import unittest
import zlib

from imported import Case, moved, program
from test_gltf_files import HALF, POINTS, matrix
from write_gltf import Gltf
import write_meshopt


def png(rows):
    """8-bit RGBA, as a data URI."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    data = b"".join(b"\0" + bytes(v for texel in row for v in texel) for row in rows)
    head = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 6, 0, 0, 0)
    whole = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(data)) + chunk(b"IEND", b"")
    return "data:image/png;base64," + base64.b64encode(whole).decode()


class Extensions(Case):
    def save(self, gltf, name="model.gltf", required=()):
        used = [e for e in gltf.more.get("extensionsUsed", [])] + list(required)
        gltf.more.update({"extensionsUsed": used, **({"extensionsRequired": list(required)} if required else {})})
        text = gltf.text().encode()
        if not name.endswith(".vrm"):
            return self.write(name, text.decode())
        text += b" " * (-len(text) % 4)
        return self.write(name, b"glTF" + struct.pack("<III4s", 2, 20 + len(text), len(text), b"JSON") + text)

    def triangle(self, **primitive):
        gltf = Gltf()
        gltf.mesh({"POSITION": gltf.positions(), "NORMAL": gltf.accessor("VEC3", [0, 0, 1] * 3)}, **primitive)
        return gltf

    # ---- extensions that are not read ----

    def test_looks_never_refuse_a_file(self):
        """Whatever is required: without it the shape is the same. What may change the shape is refused."""
        looks = ["KHR_lights_punctual", "KHR_materials_variants", "EXT_texture_avif",
                 "KHR_materials_ior", "KHR_materials_of_tomorrow", "MSFT_texture_dds", "EXT_lights_image_based"]
        for name in looks:
            gltf = self.triangle()
            gltf.node(mesh=0)
            told = self.info(self.save(gltf, required=[name]))
            self.assertEqual(told["meshes"][0]["triangles"], 1)
            self.assert_noted(told, name)
        for name in ("EXT_of_ours", "VRMC_springBone", "KHR_materialsX", "KHR_light", "KHR_geometry_of_tomorrow"):
            gltf = self.triangle()
            gltf.node(mesh=0)
            self.refused(self.save(gltf, required=[name]), name)

    def test_pictures_that_are_not_read_leave_their_material(self):
        for name, kind in (("KHR_texture_basisu", "ktx2"), ("EXT_texture_avif", "avif")):
            gltf = self.triangle(material=0)
            gltf.node(mesh=0)
            gltf.more.update({"images": [{"mimeType": "image/" + kind, "uri": f"a.{kind}"}],
                              "textures": [{"extensions": {name: {"source": 0}}}],
                              "materials": [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0},
                                                                      "baseColorFactor": [0.5, 0.25, 1, 1]}}]})
            self.write(f"a.{kind}", "no picture that is read")
            material = self.info(self.save(gltf, required=[name]))["materials"][0]
            self.assert_near(material["base_color"], [0.5, 0.25, 1, 1])
            self.assertEqual(material["base_color_image"], -1)

    def test_a_pointer_of_git_lfs_says_so(self):
        pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 123\n"
        self.refused(self.write("pointer.glb", pointer), "Git LFS")
        gltf = self.triangle(material=0)
        gltf.node(mesh=0)
        gltf.more.update({"images": [{"uri": "skin.png"}], "textures": [{"source": 0}],
                          "materials": [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}]})
        self.write("skin.png", pointer)
        self.assert_noted(self.info(self.save(gltf)), "skin.png", "Git LFS")

    # ---- compressed buffers ----

    def packed(self, gltf, data, stride, count, encoded, mode):
        """A view that a reader without the extension finds nothing in."""
        gltf.views.append({"buffer": 1, "byteOffset": 0, "byteLength": len(data), "extensions": {
            "EXT_meshopt_compression": {"buffer": 0, "byteOffset": len(gltf.data), "byteLength": len(encoded),
                                        "byteStride": stride, "count": count, "mode": mode}}})
        gltf.data += encoded + bytes(-len(encoded) % 4)
        return len(gltf.views) - 1

    def meshopt(self, points, order, spoil=None):
        gltf = Gltf()
        data = b"".join(struct.pack("<3f", *p) for p in points)
        encoded = write_meshopt.attributes(data, 12)
        positions = self.packed(gltf, data, 12, len(points), spoil or encoded, "ATTRIBUTES")
        numbers = struct.pack(f"<{len(order)}H", *order)
        triangles = self.packed(gltf, numbers, 2, len(order), write_meshopt.indices(order), "INDICES")
        gltf.accessors = [{"bufferView": positions, "componentType": 5126, "type": "VEC3", "count": len(points)},
                          {"bufferView": triangles, "componentType": 5123, "type": "SCALAR", "count": len(order)}]
        gltf.mesh({"POSITION": 0}, indices=1)
        gltf.node(mesh=0)
        gltf.more["buffers"] = [{"byteLength": len(gltf.data), "uri": "data:application/octet-stream;base64," +
                                 base64.b64encode(gltf.data).decode()}, {"byteLength": len(data)}]
        return self.save(gltf, required=["EXT_meshopt_compression"])

    def test_meshopt(self):
        """Three blocks of vertices, and indices that go back and forth."""
        points = [(math.sin(i), i / 8, math.cos(3 * i)) for i in range(600)]
        order = [v for i in range(0, 598) for v in (i, 599 - i, i + 1)]
        found = self.pose(self.meshopt(points, order))["rest"]["pos"][0]
        seen = {tuple(round(v, 4) for v in found[i:i + 3]) for i in range(0, len(found), 3)}
        self.assertEqual(seen, {tuple(round(struct.unpack("<f", struct.pack("<f", v))[0], 4) + 0.0 for v in p) for p in points})

    def test_broken_meshopt_is_said(self):
        path = self.meshopt(POINTS, [0, 1, 2], spoil=b"\xA0" + bytes(40))
        self.assert_noted(self.info(path), "EXT_meshopt_compression", "broken")

    def test_broken_draco_is_said(self):
        """What the accessors hold is shown in its place."""
        gltf = self.triangle()
        view = gltf.view(b"DRACO\2\2\1\1" + bytes(40))
        gltf.meshes[0]["primitives"][0]["extensions"] = {
            "KHR_draco_mesh_compression": {"bufferView": view, "attributes": {"POSITION": 0}}}
        gltf.node(mesh=0)
        path = self.save(gltf)
        self.assert_noted(self.info(path), "Draco", "broken")
        self.assert_points(self.pose(path)["rest"]["pos"][0], POINTS)

    # ---- nodes and clips ----

    def test_instances(self):
        gltf = self.triangle()
        moves = gltf.accessor("VEC3", [0, 0, 0, 5, 0, 0, 0, 7, 0])
        turns = gltf.accessor("VEC4", [0, 0, 0, 127, 0, 0, 0, 127, 0, 0, 90, 90], 5120, normalized=True)
        gltf.node(name="many", mesh=0, translation=[0, 0, 1], extensions={
            "EXT_mesh_gpu_instancing": {"attributes": {"TRANSLATION": moves, "ROTATION": turns}}})
        path = self.save(gltf, required=["EXT_mesh_gpu_instancing"])
        found = self.pose(path)["rest"]["pos"]
        self.assertEqual(len(found), 3)
        self.assert_points(found[0], [(x, y, 1) for x, y, _ in POINTS])
        self.assert_points(found[1], [(x + 5, y, 1) for x, y, _ in POINTS])
        self.assert_points(found[2], [(-y, x + 7, 1) for x, y, _ in POINTS])
        self.assertEqual([node["name"] for node in self.pose(path)["nodes"]], ["many"])

    def test_a_skin_stands_once(self):
        """Its joints place it, so that all instances would be in one place."""
        gltf = Gltf()
        gltf.mesh({"POSITION": gltf.positions(), "JOINTS_0": gltf.accessor("VEC4", [0] * 12, 5121),
                   "WEIGHTS_0": gltf.accessor("VEC4", [1, 0, 0, 0] * 3)})
        joint = gltf.node(name="joint", translation=[0, 5, 0])
        gltf.skins.append({"joints": [joint]})
        gltf.node(name="many", mesh=0, skin=0, extensions={
            "EXT_mesh_gpu_instancing": {"attributes": {"TRANSLATION": gltf.accessor("VEC3", [9, 0, 0, 8, 0, 0])}}})
        path = self.save(gltf)
        found = self.pose(path)["rest"]["pos"]
        self.assertEqual(len(found), 1)
        self.assert_points(found[0], [(x, y + 5, z) for x, y, z in POINTS])
        self.assert_noted(self.info(path), "'many'", "only one instance")

    def pointer(self, gltf, pointers):
        """pointers: (pointer, shape, times, numbers)"""
        gltf.animations.append({"name": "clip", "samplers": [], "channels": []})
        for pointer, shape, times, numbers in pointers:
            made = gltf.animations[-1]
            made["channels"].append({"sampler": len(made["samplers"]), "target": {
                "path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": pointer}}}})
            made["samplers"].append({"input": gltf.accessor("SCALAR", times), "output": gltf.accessor(shape, numbers)})

    def test_pointers(self):
        gltf = Gltf()
        lifts = [gltf.positions([(0, 0, k), (0, 0, 0), (0, 0, 0)]) for k in (1, 10)]
        gltf.mesh({"POSITION": gltf.positions()}, targets=[{"POSITION": lift} for lift in lifts])
        gltf.node(name="a", mesh=0)
        gltf.node(name="b")
        self.pointer(gltf, [("/nodes/1/translation", "VEC3", [0, 1], [0, 0, 0, 2, 4, 6]),
                            ("/nodes/1/rotation", "VEC4", [0, 1], [0, 0, 0, 1, 0, 0, HALF, HALF]),
                            ("/nodes/0/weights/1", "SCALAR", [0, 1], [0, 3]),
                            ("/materials/0/alphaCutoff", "SCALAR", [0, 1], [0, 3]),
                            ("/nodes/7/translation", "VEC3", [0, 1], [0] * 6)])
        path = self.save(gltf, required=["KHR_animation_pointer"])
        dump = self.pose(path, "clip", [1])
        self.assert_world(dump, 0, "b", matrix((2, 4, 6), (0, 0, HALF, HALF)))
        self.assert_points(dump["clips"][0]["frames"][0]["pos"][0], [(0, 0, 30), POINTS[1], POINTS[2]], 2e-3)
        self.assert_noted(self.info(path), "2 curves", "/materials/0/alphaCutoff")

    def test_pointers_at_all_weights_of_a_mesh(self):
        gltf = Gltf()
        lifts = [gltf.positions([(0, 0, k), (0, 0, 0), (0, 0, 0)]) for k in (1, 10)]
        gltf.mesh({"POSITION": gltf.positions()}, targets=[{"POSITION": lift} for lift in lifts])
        gltf.node(name="a", mesh=0)
        self.pointer(gltf, [("/meshes/0/weights", "SCALAR", [0, 1], [0, 0, 2, 3])])
        dump = self.pose(self.save(gltf), "clip", [1])
        self.assert_points(dump["clips"][0]["frames"][0]["pos"][0], [(0, 0, 32), POINTS[1], POINTS[2]], 2e-3)

    # ---- materials ----

    def material(self, material, images=(), **more):
        gltf = self.triangle(material=0)
        gltf.meshes[0]["primitives"][0]["attributes"]["TEXCOORD_0"] = gltf.accessor("VEC2", [0, 0, 1, 0, 0, 1])
        gltf.node(mesh=0)
        gltf.more.update({"materials": [material], "images": [{"uri": uri} for uri in images],
                          "textures": [{"source": i} for i in range(len(images))], **more})
        self.told = self.info(self.save(gltf))
        return self.told["materials"][0]

    def test_layers_of_a_material(self):
        grey = png([[(128, 128, 128, 255)]])
        m = self.material({"normalTexture": {"index": 0, "scale": 0.5}, "occlusionTexture": {"index": 0, "strength": 0.25},
                           "emissiveFactor": [0.5, 0.25, 1], "extensions": {
                               "KHR_materials_unlit": {}, "KHR_materials_emissive_strength": {"emissiveStrength": 4},
                               "KHR_materials_clearcoat": {"clearcoatFactor": 0.75, "clearcoatRoughnessFactor": 0.125,
                                                           "clearcoatTexture": {"index": 0},
                                                           "clearcoatNormalTexture": {"index": 0, "scale": 0.25}},
                               "KHR_materials_sheen": {"sheenColorFactor": [1, 0.5, 0.25], "sheenRoughnessFactor": 0.375}}},
                          [grey])
        self.assertEqual((m["unlit"], m["normal_scale"], m["occlusion_strength"]), (True, 0.5, 0.25))
        self.assert_near(m["emissive"], [2, 1, 4], 1e-6)
        self.assertEqual((m["clearcoat"], m["clearcoat_roughness"], m["sheen_roughness"]), (0.75, 0.125, 0.375))
        self.assert_near(m["sheen_color"], [1, 0.5, 0.25], 1e-6)
        self.assertEqual((m["clearcoat_normal_image"], m["clearcoat_normal_scale"]), (0, 0.25))
        self.assertEqual([m[role + "_image"] for role in ("normal", "occlusion", "clearcoat", "sheen_color", "base_color")],
                         [0, 0, 0, -1, -1])

    def test_texture_transforms(self):
        """T · R · S, with the texCoord of the extension before the core's."""
        m = self.material({"pbrMetallicRoughness": {"baseColorTexture": {"index": 0, "texCoord": 0, "extensions": {
            "KHR_texture_transform": {"offset": [0.1, 0.2], "rotation": 0.5, "scale": [2, 3], "texCoord": 1}}}}},
                          [png([[(1, 2, 3, 255)]])])
        c, s = math.cos(0.5), math.sin(0.5)
        self.assert_near(m["base_color_transform"], [2 * c, 3 * s, 0.1, -2 * s, 3 * c, 0.2], 1e-6)
        self.assertEqual(m["base_color_uv_set"], 1)

    def test_specular_glossiness(self):
        """A dielectric keeps its colour; a surface that reflects as gold does becomes a metal of that colour."""
        plain = {"diffuseFactor": [0.5, 0.25, 0.125, 0.5], "specularFactor": [0.04] * 3, "glossinessFactor": 0.25}
        m = self.material({"extensions": {"KHR_materials_pbrSpecularGlossiness": plain}})
        self.assert_near(m["base_color"], [0.5, 0.25, 0.125, 0.5], 1e-3)
        self.assertEqual((round(m["metallic"], 3), m["roughness"]), (0, 0.75))
        gold = {"diffuseFactor": [0, 0, 0, 1], "specularFactor": [1, 0.766, 0.336], "glossinessFactor": 1}
        m = self.material({"extensions": {"KHR_materials_pbrSpecularGlossiness": gold}})
        self.assert_near(m["base_color"], [1, 0.766, 0.336, 1], 1e-3)
        self.assertEqual((round(m["metallic"], 3), m["roughness"]), (1, 0))

    def test_specular_glossiness_in_pictures(self):
        gloss = {"diffuseTexture": {"index": 0}, "specularGlossinessTexture": {"index": 1}, "glossinessFactor": 0.5}
        m = self.material({"extensions": {"KHR_materials_pbrSpecularGlossiness": gloss}},
                          [png([[(200, 100, 50, 128)]]), png([[(0, 0, 0, 255), (0, 0, 0, 0)]])])
        self.assertEqual((m["metallic"], m["roughness"], m["base_color"]), (1, 1, [1, 1, 1, 1]))
        images = self.told["images"]
        self.assertEqual([(images[m[role]]["width"]) for role in ("base_color_image", "metallic_roughness_image")], [2, 2])

    def test_a_third_set_of_coordinates_is_said(self):
        self.material({"normalTexture": {"index": 0, "texCoord": 2}}, [png([[(1, 2, 3, 255)]])])
        self.assert_noted(self.told, "third")

    def test_ktx2_is_said(self):
        """Without a picture to fall back on, the material is as it would be without one."""
        ktx = "data:image/ktx2;base64," + base64.b64encode(b"\xabKTX 20\xbb\r\n\x1a\n" + bytes(80)).decode()
        m = self.material({"normalTexture": {"index": 0}}, [ktx])
        self.assert_noted(self.told, "KTX2")
        self.assertEqual(m["normal_image"], -1)

    # ---- VRM ----

    BODY = (("hips", None), ("spine", "hips"), ("chest", "spine"), ("neck", "chest"), ("head", "neck"),
            *((side + part, above if above in ("hips", "chest") else side + above) for side in ("left", "right")
              for part, above in (("UpperLeg", "hips"), ("LowerLeg", "UpperLeg"), ("Foot", "LowerLeg"), ("Shoulder", "chest"),
                                  ("UpperArm", "Shoulder"), ("LowerArm", "UpperArm"), ("Hand", "LowerArm"))))

    def person(self, name_of):
        """A body whose nodes are called as `name_of` says; the file's node of each part."""
        gltf, nodes = Gltf(), {}
        steps = {"hips": (0, 1, 0), "UpperLeg": (0.1, 0, 0), "LowerLeg": (0, -0.5, 0), "Foot": (0, -0.4, 0),
                 "Shoulder": (0.05, 0.1, 0), "UpperArm": (0.15, 0, 0), "LowerArm": (0.3, 0, 0), "Hand": (0.25, 0, 0)}
        for part, above in self.BODY:
            side = -1 if part.startswith("right") else 1
            step = steps.get(part.removeprefix("left").removeprefix("right"), (0, 0.2, 0))
            nodes[part] = gltf.node(name=name_of(part), translation=[side * step[0], *step[1:]])
            if above:
                gltf.nodes[nodes[above]].setdefault("children", []).append(nodes[part])
        return gltf, nodes

    def vrm(self, version, name_of, more=None, face=True):
        gltf, nodes = self.person(name_of)
        if version == 0:
            bones = [{"bone": part, "node": node} for part, node in nodes.items()]
            gltf.more["extensions"] = {"VRM": {"humanoid": {"humanBones": bones}, **(more or {})}}
        else:
            bones = {part: {"node": node} for part, node in nodes.items()}
            gltf.more["extensions"] = {"VRMC_vrm": {"specVersion": "1.0", "humanoid": {"humanBones": bones}, **(more or {})}}
        gltf.more["extensionsUsed"] = list(gltf.more["extensions"])
        if face:
            lifts = [gltf.positions([(0, 0, k), (0, 0, 0), (0, 0, 0)]) for k in (1, 10)]
            gltf.mesh({"POSITION": gltf.positions()}, targets=[{"POSITION": lift} for lift in lifts])
            gltf.meshes[0]["extras"] = {"targetNames": ["mouth", "brow"]}
            gltf.node(name="face", mesh=0)
        return gltf, nodes

    def test_vrm_0_looks_the_right_way(self):
        for version, sign in ((0, -1), (1, 1)):
            gltf, _ = self.vrm(version, str)
            path = self.save(gltf, f"person{version}.vrm")
            world = self.pose(path, None, (), "--vertices")["rest"]["world"][0]
            self.assert_near([world[0], world[5], world[10]], [sign, 1, sign])
            hand = [node["name"] for node in self.pose(path)["nodes"]].index("leftHand")
            self.assertAlmostEqual(self.pose(path, None, (), "--vertices")["rest"]["world"][hand][12], sign * 0.75, delta=1e-5)

    def test_expressions_are_morph_targets(self):
        groups = {"blendShapeMaster": {"blendShapeGroups": [
            {"name": "Joy", "presetName": "joy", "binds": [{"mesh": 0, "index": 0, "weight": 50},
                                                           {"mesh": 0, "index": 1, "weight": 100}]},
            {"name": "", "presetName": "angry", "binds": [{"mesh": 0, "index": 1, "weight": 25}]},
            {"name": "brow", "binds": [{"mesh": 0, "index": 0, "weight": 100}]}, {"name": "nothing", "binds": []}]}}
        first = self.save(self.vrm(0, str, groups)[0], "a.vrm")
        face = len(self.BODY)
        happy = {"morphTargetBinds": [{"node": face, "index": 0, "weight": 0.5}, {"node": face, "index": 1, "weight": 1}]}
        second = self.save(self.vrm(1, str, {"expressions": {"preset": {"happy": happy}, "custom": {"odd": happy}}})[0], "b.vrm")
        for path, names in ((first, ["mouth", "brow", "Joy", "angry"]), (second, ["mouth", "brow", "happy", "odd"])):
            mesh, = self.info(path)["meshes"]
            self.assertEqual([morph["name"] if isinstance(morph, dict) else morph for morph in mesh["morphs"]], names)

    def test_the_humanoid_map_finds_the_body(self):
        """Names that say nothing; a clip whose names are another program's."""
        gltf, nodes = self.vrm(1, lambda part: f"n{len(part)}x{sum(map(ord, part))}", face=False)
        model = self.save(gltf, "person.vrm")
        usual = {"hips": "Hips", "spine": "Spine", "chest": "Chest", "neck": "Neck", "head": "Head"}
        clip, others = self.person(lambda part: usual.get(part, part[0].upper() + part[1:]))
        clip.animation("wave", [(others["leftUpperArm"], "rotation", [0, 1], [0, 0, 0, 1, 0, 0, HALF, HALF], "LINEAR")])
        path = self.save(clip, "wave.gltf")
        result = program.sinew("pose", model, "--clips", path, "--clip", "wave", "--time", "1", "--json", SINEW_CACHE="off")
        self.assertEqual(result.status, 0, result)
        import json
        dump = json.loads(result.out)
        world = dump["clips"][0]["frames"][0]["world"][dump["nodes"].index(next(
            node for node in dump["nodes"] if node["name"] == gltf.nodes[nodes["leftHand"]]["name"]))]
        self.assert_near(world[12:15], [0.2, 1.5 + 0.55, 0], 5e-3)


if __name__ == "__main__":
    unittest.main()

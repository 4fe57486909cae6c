"""A model that asks for more than a picture may cost: it is drawn in part, one note says so, and copies are cheap."""
import json
import pathlib
import struct
import unittest

import program

TRIANGLE = struct.pack("<9f", -0.5, 0, 0, 0.5, 0, 0, 0, 1, 0)


def glb(path, meshes, nodes):
    """`meshes`: the accessor of the positions of each primitive of each mesh; all accessors have the same triangle."""
    count = 1 + max(accessor for mesh in meshes for accessor in mesh)
    text = json.dumps({
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": list(range(len(nodes)))}], "nodes": nodes,
        "meshes": [{"primitives": [{"attributes": {"POSITION": a}} for a in mesh]} for mesh in meshes],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}] * count,
        "bufferViews": [{"buffer": 0, "byteLength": 36}], "buffers": [{"byteLength": 36}]}).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<II", len(text), 0x4E4F534A) + text + struct.pack("<II", 36, 0x004E4942) + TRIANGLE
    path.write_bytes(b"glTF" + struct.pack("<II", 2, 12 + len(chunks)) + chunks)


class Budgets(program.Case):
    def draw(self, name, *words):
        picture = self.folder / f"{name}.png"
        scene = self.folder / f"{name}.lua"
        scene.write_text(f"local sinew = require 'sinew'\nsinew.actor('a', sinew.model '{name}.glb')\n"
                         "sinew.camera.position, sinew.camera.target = { 1, 3, 9 }, { 0, 1, 0 }\n")
        result = program.sinew("run", scene, "--headless", "--frames", "2", "--size", "160x90", "--capture", picture,
                               *words)
        self.assertEqual(result.status, 0, result)
        return picture.read_bytes(), result.err

    def test_copies_look_like_meshes_of_their_own(self):
        places = [{"translation": [i - 3, i % 3, -i % 4], "scale": [1, 1 + i % 2, 1]} for i in range(8)]
        places[5]["scale"] = [-1, 1, 1]  # mirrored
        glb(self.folder / "copies.glb", [[0, 0], [0]], [dict(p, mesh=i % 2) for i, p in enumerate(places)])
        glb(self.folder / "own.glb", [[2 * i, 2 * i + 1] if i % 2 == 0 else [2 * i] for i in range(8)],
            [dict(p, mesh=i) for i, p in enumerate(places)])
        copies, own = self.draw("copies"), self.draw("own")
        self.assertEqual(copies[0], own[0])
        self.assertNotIn("not drawn", copies[1] + own[1])

    def test_what_a_picture_has_no_room_for_is_said_once(self):
        glb(self.folder / "many.glb", [[0]], [{"mesh": 0, "name": f"n{i}"} for i in range(20000)])
        limited, errors = self.draw("many", "--vertices", "1")
        self.assertEqual(errors.count("meshes are not drawn, because a picture may cost 1 million vertices"), 1, errors)
        self.assertIn("--vertices", errors)
        glb(self.folder / "none.glb", [[0]], [{"name": "n"}])
        self.assertNotEqual(limited, self.draw("none")[0])

    def test_more_instances_than_a_model_has_nodes(self):
        path = self.folder / "instances.glb"
        glb(path, [[0]], [{"mesh": 0, "name": "n", "extensions": {
            "EXT_mesh_gpu_instancing": {"attributes": {"TRANSLATION": 1}}}}])
        data = path.read_bytes()
        size, = struct.unpack_from("<I", data, 12)
        text = json.loads(data[20:20 + size])
        text["extensionsUsed"] = ["EXT_mesh_gpu_instancing"]
        text["accessors"].append({"componentType": 5126, "count": 50000, "type": "VEC3"})
        (self.folder / "tri.bin").write_bytes(TRIANGLE)
        text["buffers"][0]["uri"] = "tri.bin"
        path = self.folder / "instances.gltf"
        path.write_text(json.dumps(text))
        told = json.loads(program.sinew("info", path, "--json").out)
        self.assertIn("node 'n': instances of its mesh are left out (18011), because a model has no room for more nodes",
                      told["notes"])


if __name__ == "__main__":
    unittest.main()

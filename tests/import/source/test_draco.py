"""KHR_draco_mesh_compression: a skinned strip of two squares, compressed with libdraco 1.5 by its two methods."""
import base64
import unittest

from imported import Case, program
from write_gltf import Gltf

# In the file's order, exactly.
SEQUENTIAL = ("RFJBQ08CAgEAAAAEBgEAAQICAQMCAwQEAwUBBAAJAwAAAwkCAAEEAgQAAgQJBAADAAABAAAAAL8AAAAAAAAAAAAAAD8AAAAAAAAA"
              "AAAAAL8AAIA/AAAAAAAAAD8AAIA/AAAAAAAAAL8AAABAAAAAAAAAAD8AAABAAAAAAAAAAAAAAIA/AACAPwAAgD8AAAAAAAAAPwAA"
              "gD8AAAA/AAAAAAAAAAAAAIA/AAAAAAABAQEBAlU9rQIDL56OAAAAAAEAAAAAAIA/AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAA"
              "AAAAAD8AAAA/AAAAAAAAAAAAAAA/AAAAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/AAAAAAAAAAA=")
# In an order of its own, positions in 14 bits, coordinates in 12.
EDGEBREAKER = ("RFJBQ08CAgEBAAAABgQDBAAAAl8H/wER/wEz/wEz/wEzBP8AAQAAAAEAAAIAAAEACQMAAAIBAwkCAAECAQQCBAACAQEECQQAAwAB"
               "AQEADwOtKi9VFQNHZYr6//t/AAAA8P8BAAgAAAAA/z8AAAAAAL8AAAAAAAAAAAAAAEAOBQEBAA0DVRUjVRVZFQS69XOABMD/AyAA"
               "9L///B8ABAAAAAECQEAAAAAA/w8AAAAAAAAAAAAAAACAPwwBAQEBBAJVPa0CAy+ejgAAAAABAAAAAAAAAAAAgD8AAAAAAAAAAAAA"
               "AD8AAAA/AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAPwAAAD8AAAAAAAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/AAAAAAAAAAAA"
               "AAAA")
POINTS = [(x, y, 0) for y in (0, 1, 2) for x in (-0.5, 0.5)]


def bent(point):
    """A quarter turn of the upper joint, which stands at y = 1 and has as much of a vertex as it is high."""
    x, y, z = point
    share = y / 2
    turned = (1 - y, 1 + x, z)
    return tuple((1 - share) * a + share * b for a, b in zip(point, turned))


class Draco(Case):
    def save(self, packed):
        gltf = Gltf()
        view = gltf.view(packed)
        accessor = lambda shape, component: (gltf.accessors.append(
            {"componentType": component, "type": shape, "count": 6}), len(gltf.accessors) - 1)[1]
        attributes = {"POSITION": accessor("VEC3", 5126), "TEXCOORD_0": accessor("VEC2", 5126),
                      "JOINTS_0": accessor("VEC4", 5121), "WEIGHTS_0": accessor("VEC4", 5126)}
        gltf.accessors.append({"componentType": 5123, "type": "SCALAR", "count": 12})
        gltf.mesh(attributes, indices=len(gltf.accessors) - 1, extensions={"KHR_draco_mesh_compression": {
            "bufferView": view, "attributes": {"POSITION": 0, "TEXCOORD_0": 1, "JOINTS_0": 2, "WEIGHTS_0": 3}}})
        identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]
        binds = gltf.accessor("MAT4", identity + [0, 0, 0, 1] + identity + [0, -1, 0, 1])
        low, high = gltf.node(name="low", children=[1]), gltf.node(name="high", translation=[0, 1, 0])
        gltf.skins.append({"joints": [low, high], "inverseBindMatrices": binds})
        gltf.node(name="strip", mesh=0, skin=0)
        gltf.animation("bend", [(high, "rotation", [0, 1], [0, 0, 0, 1, 0, 0, 0.5 ** 0.5, 0.5 ** 0.5], "LINEAR")])
        gltf.more.update({"extensionsUsed": ["KHR_draco_mesh_compression"],
                          "extensionsRequired": ["KHR_draco_mesh_compression"]})
        return self.write("strip.gltf", gltf.text())

    def check(self, packed, tolerance):
        path = self.save(base64.b64decode(packed))
        info = self.info(path)
        self.assertEqual(info["notes"], [])
        self.assertEqual([(mesh["vertices"], mesh["triangles"]) for mesh in info["meshes"]], [(6, 4)])
        for frame, expected in zip(self.pose(path, "bend", [0, 1])["clips"][0]["frames"],
                                   (POINTS, [bent(p) for p in POINTS]), strict=True):
            numbers = frame["pos"][0]
            self.assertEqual(len(numbers), 18)
            for point in expected:
                nearest = min(max(abs(a - b) for a, b in zip(point, numbers[i:i + 3])) for i in range(0, 18, 3))
                self.assertLess(nearest, tolerance)

    def test_sequential(self):
        self.check(SEQUENTIAL, 1e-5)

    def test_edgebreaker(self):
        self.check(EDGEBREAKER, 2e-4)

    def test_broken_data_is_told(self):
        """Cut off, or spoiled at each place: a sentence or a note, and never a crash."""
        packed = base64.b64decode(EDGEBREAKER)
        cut = program.sinew("info", self.save(packed[:len(packed) // 2]))
        self.assertIn(cut.status, (0, 1))
        self.assertIn("Draco", cut.out + cut.err)
        for at in range(0, len(packed), 17):
            spoiled = packed[:at] + bytes([packed[at] ^ 0xff]) + packed[at + 1:]
            result = program.sinew("info", self.save(spoiled))
            self.assertIn(result.status, (0, 1))
            self.assertNotIn("crashed", result.err)


if __name__ == "__main__":
    unittest.main()

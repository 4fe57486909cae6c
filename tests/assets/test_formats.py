"""Every format's file of the hero walks as hero.glb does: the joints stand where its joints stand."""
import json
import unittest

import program

TIMES = [0, 0.17, 0.3, 0.511, 0.8]
TOLERANCE = 5e-4  # metres; MD5 leaves out a quaternion's w, which costs 0.3 mm where it is nearly 0
AT_LEAST = 60  # joints that both files name


def walk(file, clip):
    words = ["pose", program.ROOT / "assets" / file, "--json", "--clip", clip, "--time", ",".join(map(str, TIMES))]
    result = program.sinew(*words)
    assert result.status == 0, result
    told = json.loads(result.out)
    names = [node["name"] for node in told["nodes"]]
    return [dict(zip(names, (matrix[12:15] for matrix in frame["world"]))) for frame in told["clips"][0]["frames"]]


class Formats(program.Case):
    @classmethod
    def setUpClass(cls):
        cls.expected = walk("hero.glb", "Walk")

    def check(self, file, clip):
        for moment, joints in enumerate(walk(file, clip)):
            shared = [name for name in self.expected[moment] if name in joints and name != "Hero"]
            self.assertGreaterEqual(len(shared), AT_LEAST)
            for name in shared:
                for is_at, should in zip(joints[name], self.expected[moment][name]):
                    self.assertAlmostEqual(is_at, should, delta=TOLERANCE, msg=f"{file}: {name} at {TIMES[moment]} s")

    def test_gltf_in_parts(self):
        self.check("hero.gltf", "Walk")

    def test_collada_with_z_up(self):
        self.check("hero_zup.dae", "Walk")

    def test_md5_with_its_animation_beside_it(self):
        self.check("hero.md5mesh", "hero")

    def test_bvh(self):
        self.check("hero_walk.bvh", "hero_walk")


if __name__ == "__main__":
    unittest.main()

"""`sinew cook` writes a file that stands for its source everywhere, `sinew cache` says what is kept."""
import json
import unittest

import program


class Cook(program.Case):
    def setUp(self):
        super().setUp()
        self.cache = self.folder / "cache"

    def sinew(self, *words, **environment):
        return program.sinew(*words, **{"SINEW_CACHE": str(self.cache), **environment})

    def cook(self, *words):
        cooked = self.folder / "hero.sinew"
        result = self.sinew("cook", program.HERO, "-o", cooked, *words)
        self.assertEqual(result.status, 0, result)
        self.assertIn("hero.sinew", result.out)
        return cooked

    def test_a_cooked_model_is_its_source(self):
        cooked = self.cook("--influences", "8")
        words = ("--json", "--vertices", "--clip", "#0", "--time", "0,0.1,0.37")
        asked = [self.sinew("pose", path, *words) for path in (program.HERO, cooked)]
        for result in asked:
            self.assertEqual(result.status, 0, result)
        self.assertTrue(json.loads(asked[0].out)["clips"])
        self.assertEqual(asked[0].out, asked[1].out)
        told = [self.sinew("info", path, "--json") for path in (program.HERO, cooked)]
        facts = [json.loads(result.out) for result in told]
        self.assertEqual(facts[1].pop("path"), str(cooked))
        self.assertEqual(facts[0].pop("path"), str(program.HERO))
        self.assertEqual(facts[0], facts[1])

    def test_the_same_source_gives_the_same_bytes(self):
        first = self.cook().read_bytes()
        again = self.folder / "again.sinew"
        result = self.sinew("cook", program.HERO, "-o", again, SINEW_IMPORT="in-process", MALLOC_PERTURB_="165",
                            SINEW_CACHE="off")
        self.assertEqual(result.status, 0, result)
        self.assertTrue(first == again.read_bytes(), "memory that nobody wrote is in the file")

    def test_the_name_comes_from_the_model(self):
        mine = self.write("my hero.glb", program.HERO.read_bytes())
        self.assertEqual(self.sinew("cook", mine).status, 0)
        self.assertTrue((self.folder / "my hero.sinew").is_file())
        self.assert_says(self.sinew("cook", self.folder / "my hero.sinew"), 1, "cooked already")

    def test_clips_of_another_file_are_cooked_in(self):
        plain = json.loads(self.sinew("info", self.cook(), "--json").out)
        more = json.loads(self.sinew("info", self.cook("--clips", program.ROOT / "assets/hero_extra.glb"), "--json").out)
        self.assertGreater(len(more["clips"]), len(plain["clips"]))

    def test_a_folder(self):
        """A line for each model; what is up to date stays, a model that fails is counted, its neighbours are cooked."""
        (self.folder / "in/deep").mkdir(parents=True)
        self.write("in/hero.glb", program.HERO.read_bytes())
        self.write("in/deep/fox.glb", (program.ROOT / "assets/fox.glb").read_bytes())
        self.write("in/notes.txt", "no model")
        out = self.folder / "out"

        def cook():
            result = self.sinew("cook", self.folder / "in", "-o", out)
            return result, {line["file"].rpartition("/in/")[2]: line for line in map(json.loads, result.out.splitlines())}
        result, lines = cook()
        self.assertEqual(result.status, 0, result)
        self.assertEqual({name: line["status"] for name, line in lines.items()},
                         {"hero.glb": "cooked", "deep/fox.glb": "cooked"})
        self.assertEqual((out / "hero.sinew").read_bytes(), self.cook().read_bytes())
        self.assertEqual(lines["deep/fox.glb"]["bytes"], (out / "deep/fox.sinew").stat().st_size)
        before = (out / "hero.sinew").stat().st_mtime_ns
        self.write("in/deep/fox.glb", program.HERO.read_bytes())  # new content
        self.write("in/broken.glb", b"glTF")
        self.write("in/hero.gltf", "{}")
        self.write("out/broken.sinew", "a diary")
        result, lines = cook()
        self.assertEqual(result.status, 1)
        self.assertIn("2 of 4 models could not be cooked", result.err)
        self.assertEqual({name: line["status"] for name, line in lines.items()},
                         {"broken.glb": "failed", "deep/fox.glb": "cooked", "hero.glb": "up to date", "hero.gltf": "failed"})
        self.assertIn("not replaced", lines["broken.glb"]["error"])
        self.assertIn("hero.glb", lines["hero.gltf"]["error"])
        self.assertEqual((out / "hero.sinew").stat().st_mtime_ns, before)
        self.assertEqual((out / "broken.sinew").read_text(), "a diary")
        self.assertEqual((out / "deep/fox.sinew").read_bytes(), (out / "hero.sinew").read_bytes())

    def test_wrong_words(self):
        self.assert_says(self.sinew("cook"), 2, "MODEL")
        self.assert_says(self.sinew("cook", self.folder), 2, "-o names one")
        self.assert_says(self.sinew("cook", self.folder, "-o", self.folder / "out"), 1, "no model in this folder")
        self.assert_says(self.sinew("cook", program.HERO, "--influences", "5"), 2, "4 or 8")
        self.assert_says(self.sinew("cook", program.HERO, "-o", self.folder / "hero.glb"), 1, ".sinew")
        self.assertFalse((self.folder / "hero.glb").exists())
        self.assert_says(self.sinew("cook", self.folder / "nobody.glb"), 1, "nobody.glb")
        self.assert_says(self.sinew("cook", program.HERO, "-o", self.folder / "no/where.sinew"), 1, "where.sinew")

    def test_a_damaged_file(self):
        whole = self.cook().read_bytes()
        self.assert_says(self.sinew("info", self.write("cut.sinew", whole[:5000])), 1, "cut.sinew", "cook the source")
        bent = bytearray(whole)
        bent[len(bent) // 2] ^= 1
        self.assert_says(self.sinew("info", self.write("bent.sinew", bytes(bent))), 1, "checksum")
        self.assert_says(self.sinew("info", self.write("text.sinew", "Dear diary. " * 20)), 1, "not a cooked model")
        self.assert_says(self.sinew("info", self.write("empty.sinew", "")), 1, "empty.sinew")

    def test_the_cache_is_listed_and_cleared(self):
        self.assertIn("0 models", self.sinew("cache").out)
        first = self.sinew("info", program.HERO)
        listed = self.sinew("cache")
        self.assertIn("1 model", listed.out)
        self.assertIn("hero.glb", listed.out)
        self.assertEqual(first.out, self.sinew("info", program.HERO).out)
        self.assertIn("1 model removed", self.sinew("cache", "--clear").out)
        self.assertIn("0 models", self.sinew("cache").out)
        self.assertEqual(self.sinew("cache", "more").status, 2)

    def test_the_cache_can_be_off(self):
        self.assertEqual(self.sinew("info", program.HERO, SINEW_CACHE="off").status, 0)
        self.assertIn("off", self.sinew("cache", SINEW_CACHE="off").out)
        self.assertFalse(self.cache.exists())


if __name__ == "__main__":
    unittest.main(verbosity=2)

"""`sinew-dev bench` says what it measured. The times themselves are nobody's promise here."""
import json
import shutil
import statistics
import unittest

import program


class Bench(program.Case):
    def test_json(self):
        result = program.sinew_dev("bench", "--json", "--filter", "pose")
        self.assertEqual(result.status, 0, result)
        report = json.loads(result.out)
        self.assertGreater(report["joints"], 50)
        self.assertEqual([r["name"] for r in report["results"]], ["blend 3 poses"])
        self.assertGreater(report["results"][0]["value"], 0)
        self.assertGreater(report["results"][0]["goal"], 0)

    def test_the_backend_can_be_forced(self):
        def backend(**environment):
            return json.loads(program.sinew_dev("bench", "--json", "--filter", "blend", **environment).out)["simd"]

        self.assertEqual(backend(SINEW_SIMD="scalar"), "scalar")
        self.assertEqual(backend(SINEW_SIMD="none such"), backend())

    def test_every_job_has_a_row(self):
        wanted = {"palette": ("dual quaternion palette", "joint"), "bounds": ("bounds", "joint"),
                  "additive": ("additive", "joint"), "inertialize": ("inertialize", "joint"),
                  "root motion": ("root motion", None), "root removal": ("root removal", None),
                  "skinning, dual": ("CPU skinning, dual quaternions", "vertex")}
        for filter, (name, part) in wanted.items():
            report = json.loads(program.sinew_dev("bench", "--json", "--filter", filter).out)
            rows = {r["name"]: r for r in report["results"]}
            self.assertIn(name, rows)
            self.assertEqual(rows[name].get("part"), part)
            self.assertGreater(rows[name]["least"], 0)
            self.assertNotIn("goal", rows[name])
            self.assertGreater(rows[name].get("instructions", 1), 0)  # only where the machine counts them

    def test_against_another_build(self):
        result = program.sinew_dev("bench", "--json", "--filter", "blend 3", "--turns", "2", "--against", program.DEV)
        self.assertEqual(result.status, 0, result)
        report = json.loads(result.out)
        self.assertEqual(report["turns"], 2)
        row, = report["results"]
        self.assertEqual((row["name"], row["unit"]), ("blend 3 poses", "ns"))
        self.assertAlmostEqual(row["ratio"], row["new"] / row["old"], 2)
        table = program.sinew_dev("bench", "--filter", "blend 3", "--turns", "1", "--against", program.DEV).out
        self.assertRegex(table, r"blend 3 poses +[0-9.]+ ns +[0-9.]+ ns +[0-9.]+\n")

    def test_against_what_is_no_build(self):
        self.assert_says(program.sinew_dev("bench", "--against", "/no/such/sinew"), 1, "/no/such/sinew")
        self.assert_says(program.sinew_dev("bench", "--against", shutil.which("true")), 1, "is it a build of sinew?")
        self.assert_says(program.sinew_dev("bench", "--filter", "none such", "--against", program.DEV), 1,
                         "no measurement is called 'none such'")
        self.assert_says(program.sinew_dev("bench", "--turns", "0"), 2, "--turns is 1 to 1000", "sinew-dev bench --help")
        self.assert_says(program.sinew_dev("bench", "--gpu", "--against", program.DEV), 2, "does not measure drawing")

    def test_crowds(self):
        result = program.sinew_dev("bench", "--json", "--filter", "of 100, ", SINEW_THREADS="3")
        self.assertEqual(result.status, 0, result)
        report = json.loads(result.out)
        self.assertEqual(report["threads"], 3)
        rows = {r["name"]: r for r in report["results"]}
        for clips in ("one clip", "three clips"):
            alone, shared = rows.pop(f"crowd of 100, {clips}"), rows.pop(f"crowd of 100, {clips}, all threads")
            self.assertAlmostEqual(alone["goal"] / shared["goal"], 3, 3)
            for row in (alone, shared):
                self.assertGreaterEqual(row["value"], row["least"])
                self.assertGreater(row["least"], 0)
                self.assertEqual(row["part"], "joint")
                self.assertAlmostEqual(row["value"] / row["per_part"], report["joints"], 1)
        self.assertEqual(rows, {})

    def test_the_past_stays_within_its_bounds(self):
        result = program.sinew_dev("bench", "--json", "--filter", "past: ")
        self.assertEqual(result.status, 0, result)
        rows = {r["name"]: r for r in json.loads(result.out)["results"]}
        self.assertEqual(len(rows), 4)
        ring, log = rows["past: ring of 50 actors, crowd of 100"], rows["past: recording of half an hour"]
        self.assertTrue(10 < ring["value"] <= 48, ring)  # megabytes
        self.assertTrue(1 < log["value"] <= 256, log)
        for name in ("past: frame of 50 actors, crowd of 100", "past: ten seconds again"):
            self.assertGreater(rows[name]["value"], 0)

    def test_scripts(self):
        result = program.sinew_dev("bench", "--json", "--filter", "script: ")
        self.assertEqual(result.status, 0, result)
        rows = json.loads(result.out)["results"]
        self.assertEqual([r["unit"] for r in rows], ["ms", "ms", "ms", "ns"])
        for row in rows:
            self.assertGreaterEqual(row["value"], row["least"])
            self.assertGreater(row["least"], 0)
            self.assertGreater(row["goal"], 0)

    def test_lua_in_a_scene_beside_lua(self):
        result = program.sinew_dev("bench", "--json", "--filter", "Lua: ", "--turns", "3")
        self.assertEqual(result.status, 0, result)
        rows = json.loads(result.out)["results"]
        self.assertEqual([r["unit"] for r in rows[:3]], ["ms"] * 3)
        self.assertTrue(all(r["value"] > 0 for r in rows))
        if shutil.which("lua5.4"):
            ratio = statistics.median(r["value"] / (r["goal"] / 1.1) for r in rows[:3])
            self.assertAlmostEqual(rows[3]["value"], ratio * 100, 1)
            self.assertEqual((rows[3]["unit"], rows[3]["goal"]), ("%", 110))

    def test_from_a_save_to_its_frame(self):
        result = program.sinew_dev("bench", "--json", "--filter", "save ")
        self.assertEqual(result.status, 0, result)
        rows = json.loads(result.out)["results"]
        self.assertEqual([(row["name"], row["unit"], row["goal"]) for row in rows],
                         [("save by rename to change", "ms", 50), ("save in place to change", "ms", 70)])
        for row in rows:
            self.assertGreater(row["least"], 0)
            self.assertGreaterEqual(row["value"], row["least"])

    def test_an_import_is_compared_with_assimp(self):
        result = program.sinew_dev("bench", "--json", "--filter", "import")
        self.assertEqual(result.status, 0, result)
        rows = {r["name"]: r for r in json.loads(result.out)["results"]}
        self.assertEqual(list(rows), ["import by Assimp alone", "import in this process", "import in a child"])
        alone, child = rows["import by Assimp alone"], rows["import in a child"]
        self.assertAlmostEqual(child["goal"], 1.5 * alone["value"] + 30, 2)
        for row in rows.values():
            self.assertGreaterEqual(row["value"], row["least"])
            self.assertGreater(row["least"], 0)

    def test_help(self):
        self.assertIn("usage: sinew-dev bench", program.sinew_dev("bench", "--help").out)
        self.assert_says(program.sinew_dev("bench", "--jsno"), 2, "did you mean '--json'?")
        self.assertIn("sinew-dev bench", program.sinew_dev("--help").out)
        self.assert_says(program.sinew_dev("tea"), 2, "usage: sinew-dev bench")

    def test_a_filter_that_finds_nothing(self):
        self.assert_says(program.sinew_dev("bench", "--filter", "tea"), 1, "tea")

    def test_drawing_is_measured_at_each_stage_and_its_limit_named(self):
        result = program.sinew_dev("bench", "--gpu", "--characters", "2")
        if result.status == 1 and "EGL" in result.err:
            self.skipTest(result.err)
        self.assertEqual(result.status, 0, result)
        for stage in result.out.split("\nskinned by ")[1:]:
            rows = [line.split() for line in stage.splitlines() if line.strip()[:1].isdigit()]
            if "needs OpenGL 4.3" in stage:
                continue
            self.assertEqual([row[0] for row in rows], ["1", "2"], stage)
            self.assertTrue(all(float(row[6]) > 0 and float(row[9]) > 0 for row in rows), "MB and milliseconds of each")
            once = ["0.000"] * 2 if stage.startswith("vertex") else [row[4] for row in rows]
            self.assertEqual([row[5] for row in rows], once, "what the stage skins, the vertex shader in each pass")
            self.assertIn("limited by the ", stage)
        self.assertEqual(result.out.count("skinned by"), 3)

    def test_a_missing_model(self):
        self.assert_says(program.sinew_dev("bench", "--model", self.folder / "nobody.glb"), 1, "nobody.glb")


if __name__ == "__main__":
    unittest.main(verbosity=2)

"""Names that several nodes have: which is meant, and how a path names another."""
import json
import shutil
import unittest

from imported import Case, program, read_glb, write_glb
from write_gltf import Gltf

HERO = program.ROOT / "assets/hero.glb"
REAL = program.ROOT.parent / "shared/models/real"


class JointNames(Case):
    def hero_with_twins(self):
        """The hero between nodes at the top that have the names of joints; one carries a mesh."""
        told, rest = read_glb(HERO)
        skinned = next(i for i, node in enumerate(told["nodes"]) if "mesh" in node)
        twins = [{"name": "Head", "translation": [5, 0, 0], "mesh": told["nodes"][skinned]["mesh"]},
                 {"name": "LeftHand", "translation": [0, 5, 0]}]
        for twin in twins:
            told["scenes"][0]["nodes"].insert(0, len(told["nodes"]))
            told["nodes"].append(twin)
        told["scenes"][0]["nodes"].append(len(told["nodes"]))
        told["nodes"].append({"name": "Rack", "children": [len(told["nodes"]) + 1]})
        told["nodes"].append({"name": "Hook", "translation": [0, 0, 7], "children": [len(told["nodes"]) + 1]})
        told["nodes"].append({"name": "Head"})
        return write_glb(self.folder / "twins.glb", told, rest)

    def run_scene(self, text):
        result = program.sinew("test", self.write("scene.lua", text), SINEW_CACHE="off")
        self.assertEqual(result.status, 0, result)

    def test_a_name_means_the_joint_of_the_skin(self):
        self.hero_with_twins()
        self.run_scene("""
            local man = sinew.model("twins.glb", { exact = true })
            local twin = sinew.actor("twin", man)
            local hero = sinew.actor("hero", sinew.model("hero.glb", { exact = true }))
            twin:play "Walk" hero:play "Walk"
            local ball = sinew.actor("ball", sinew.model "hero.glb")
            twin:attach("Head", ball)
            local upper = twin:layer("upper", { mask = { Head = 1, ["Spine/**"] = 1 } })
            upper:play "Wave"
            local function near(a, b, what)
              for i, x in ipairs { "x", "y", "z" } do
                assert(math.abs(a[x] - b[x]) < 2e-5, what .. ": " .. tostring(a) .. " is not " .. tostring(b))
              end
            end
            function sinew.test()
              local plain = hero:layer("upper", { mask = { Head = 1, ["Spine/**"] = 1 } })
              sinew.simulate { frames = 20 }
              for _, name in ipairs { "Hips", "LeftFoot" } do near(twin:joint(name), hero:joint(name), name) end
              near(twin:joint "Head", ball.position, "what hangs from the head")
              assert((twin:joint "Head").y > 1 and (twin:joint "LeftHand").y < 4)
              near(twin:joint "Rack/Head", { x = 0, y = 0, z = 7 }, "a path")
              near(twin:joint "Hook/Head", { x = 0, y = 0, z = 7 }, "a path of neighbours")
              near(twin:joint "Neck/Head", twin:joint "Head", "a path to what the name means")
              near(twin:joint "Hips/Head", twin:joint "Head", "a path with gaps")
              assert(not pcall(twin.joint, twin, "Hook/Hips") and not pcall(twin.joint, twin, "/Hook")
                and not pcall(twin.joint, twin, "Head/Hips"))
              for i, name in ipairs(man:joints()) do
                near(twin:joint(name), twin:joint(i), name)
              end
            end""")

    def test_a_note_lists_them(self):
        told = self.info(self.hero_with_twins())
        self.assert_noted(told, "2 names are shared by several nodes (Head, LeftHand)", "Hook/Head")
        self.assert_not_noted(self.info(HERO), "shared by several")

    def test_paths_name_joints_of_maps_and_masks(self):
        model = self.hero_with_twins()
        told = json.loads(program.sinew("info", model, "--clips", HERO, "--json", "--map", "Neck/Head=Hook/Head",
                                        SINEW_CACHE="off").out)
        matches = {m["theirs"]: m for m in told["clip_files"][0]["joints"]}
        self.assertEqual(matches["Head"]["match"], "map", matches["Head"])
        self.run_scene("""
            local man = sinew.model "twins.glb"
            local hero = sinew.actor("hero", man)
            hero:set_modifiers { sinew.copy_transform { "hook", joint = "Hook/Head", source = "Neck/Head" } }
            hero:root_motion { joint = "Hips" }
            local hook = hero:layer("hook", { mask = { ["Rack/Hook/**"] = 1 } })
            function sinew.test()
              sinew.simulate { frames = 3 }
              local a, b = hero:joint "Rack/Head", hero:joint "Head"
              assert(math.abs(a.y - b.y) < 1e-3 and math.abs(a.z - b.z) < 1e-3, tostring(a) .. tostring(b))
            end""")


@unittest.skipUnless((REAL / "duplicate_names.json").exists(), "../shared is absent")
class Robot(Case):
    def test_names_of_a_robot_mean_its_joints(self):
        known = json.loads((REAL / "duplicate_names.json").read_text())
        shutil.copy(REAL / "files/robot.glb", self.folder)
        checks = []
        for clip in known["clips"]:
            for frame in clip["frames"]:
                for kind in ("joints", "mesh_nodes"):
                    for name, place in frame[kind].items():
                        joint = next(j for j in known["joints"] if j["name"] == name)
                        words = [name, joint["joint_path"]] if kind == "joints" else [joint["mesh_node_path"]]
                        checks += [f'{{ "{clip["clip"]}", {frame["t"]}, "{word}", {place[0]}, {place[1]}, {place[2]} }},'
                                   for word in words]
        self.assertGreater(len(checks), 500)
        self.write("checks.lua", "return {" + "\n".join(checks) + "}")
        scene = self.write("scene.lua", """
            local checks = require "checks"
            local robot = sinew.actor("robot", sinew.model "robot.glb")
            function sinew.test()
              local clip, time
              for _, c in ipairs(checks) do
                if c[1] ~= clip or c[2] ~= time then
                  clip, time = c[1], c[2]
                  robot:play(clip, { speed = 0, time = time, fade = 0 })
                  sinew.simulate { frames = 2 }
                end
                local p = robot:joint(c[3])
                local off = math.max(math.abs(p.x - c[4]), math.abs(p.y - c[5]), math.abs(p.z - c[6]))
                assert(off < 1e-3, ("%s at %g: %s is %g m off"):format(clip, time, c[3], off))
              end
            end""")
        result = program.sinew("test", scene)
        self.assertEqual(result.status, 0, result)


class Siblings(Case):
    def test_no_path_is_promised_that_does_not_tell_siblings_apart(self):
        for parents, noted in (("Root", "Root"), False), (("Root", "Rack"), True):
            gltf = Gltf()
            for parent in dict.fromkeys(parents):
                gltf.node(name=parent, children=[])
            for parent in parents:
                names = [node["name"] for node in gltf.nodes]
                gltf.nodes[names.index(parent)]["children"].append(gltf.node(name="Arm"))
            gltf.mesh({"POSITION": gltf.positions()})
            gltf.node(name="mesh", mesh=0)
            told = self.info(self.write("model.gltf", gltf.text()))
            self.assert_noted(told, "1 name is", "Arm")
            self.assertEqual(any("/Arm' names another" in note for note in told["notes"]), noted, told["notes"])


if __name__ == "__main__":
    unittest.main()

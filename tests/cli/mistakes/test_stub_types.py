"""The stubs of a scene are strict: their types show wrong names and shapes before the scene runs, and nothing else."""
import unittest

import program
import stub_check

HEAD = ('local sinew = require "sinew"\nlocal task, tween = require "sinew.task", require "sinew.tween"\n'
        'local man = sinew.model "hero.glb"\n'
        'local hero = sinew.actor("hero", man, { params = { speed = 0 } })\n'
        'man:markers("Walk", { { 0.1, "left" } })\n'
        'hero:layer("arm", { mask = { Head = 1 } })\n'
        'local walk = hero:play("Walk", { fade = 0.2 })\n'
        'hero:set_graph(sinew.state_machine { start = "a", states = { a = "Idle", b = "Walk" },\n'
        '  transitions = { { "a", "b", on = "go" } } }, { layer = "arm" })\n'
        'hero:set_modifiers { sinew.look_at { "look", chain = { "Head" } } }\n')
# Each after the head, which is right.
WRONG = (
    "hero:on('finsh', function() end)", "hero:send 'og'", "hero:set_modifiers { look = sinew.look_at { 'look', chain = { 'Head' } } }",
    "man:markers('Walk', { left = 0.1 })", "man:curve('Walk', 'grip', { [0.1] = 1, [0.4] = 0 })",
    "hero:set_graph(sinew.state_machine { states = { a = 'Idle' }, transitions = { a_b = { 'a', 'b', on = 'go' } } })",
    "sinew.debug.text(20, 20, 'hi', { 1, 1, 1 }, 30)", "task.wiat(1)", "hero:play 'Wlak'", "hero:joint 'Hed'",
    "hero.params.sped = 1", "hero.morphs.Smil = 1", "hero.modifiers.lok.weight = 1", "hero:play('Walk', { fad = 0.2 })",
    "hero:play('Walk', { layer = 'amr' })", "hero:play('Walk', { loop = 'twice' })", "walk.sped = 2", "hero.visible = 1",
    "sinew.on('updaet', function() end)", "function sinew.updat() end", "hero.play 'Walk'", "hero:play()",
    "sinew.camera.fovy = 1", "sinew.light.environment = 'sunset'", "hero:set_graph {}", "sinew.is_down 'spce'",
    "hero:set_graph(sinew.blend_space_1d { param = 'sped', { 0, 'Idle' } })", "tween.to(hero, 'position', { 0, 0, 1 }, 1, { eas = 'in' })",
    "hero.position = 'x'", "hero:root_motion { joint = 'Hip' }",
)
RIGHT = (
    "hero:on('left', function(e) print(e.time) end) hero:on('finish', function() end)", "hero:send 'go'", "hero:play(man:clips()[1])",
    "hero.position = hero.position + { 0, 0, 1 }", "hero.rotation = 1.5", "hero:play('Walk', { loop = 3, layer = 'arm' })",
    "for i = 1, 3 do local n = sinew.actor('x' .. i, man) n.position = { i, 0, 0 } end",
    "task.run(function() task.wait(0.5) walk:wait 'finish' end)", "function sinew.update(dt) hero.params.speed = dt end",
    "local a = hero:layer 'arm' a:play 'Wave' a.weight = 0.5", "local v = sinew.is_down 'w' and 1 or 0 hero.opacity = v",
)


class StubTypes(program.Case):
    def stubs_of(self, text):
        scene = self.write("scene.lua", text)
        result = program.sinew("stubs", scene)
        self.assertEqual(result.status, 0, result)
        return result.out

    def test_wrong_names_and_shapes_are_shown_at_their_line(self):
        stubs, line = self.stubs_of(HEAD), HEAD.count("\n") + 1
        self.assertEqual(stub_check.check(stubs, HEAD), [])
        for code in WRONG:
            with self.subTest(code=code):
                self.assertEqual([found[0] for found in stub_check.check(stubs, HEAD + code)][:1], [line])

    def test_what_is_right_passes(self):
        stubs = self.stubs_of(HEAD)
        for code in RIGHT:
            with self.subTest(code=code):
                self.assertEqual(stub_check.check(stubs, HEAD + code), [])

    def test_the_examples_pass_with_their_own_stubs(self):
        for scene in sorted((program.ROOT / "scripts/examples").glob("*.lua")):
            with self.subTest(scene=scene.name):
                result = program.sinew("stubs", scene)
                text = scene.read_text(encoding="utf-8").split("function sinew.test")[0]  # tests load what scenes lack
                self.assertEqual(stub_check.check(result.out, text), [])

    def test_a_run_writes_the_names_anew(self):
        scene = self.write("main.lua", HEAD)
        stubs = self.write("sinew.d.lua", self.stubs_of(HEAD))
        before = stubs.stat().st_mtime_ns
        self.assertEqual(program.sinew("run", scene, "--headless", "--frames", 2).status, 0)
        self.assertEqual(stubs.stat().st_mtime_ns, before, "nothing has changed")
        self.write("main.lua", HEAD + 'hero:layer("legs", {})\n')
        self.assertEqual(program.sinew("run", scene, "--headless", "--frames", 2).status, 0)
        self.assertIn('---| "arm"\n---| "base"\n---| "legs"\n', stubs.read_text(encoding="utf-8"))
        other = self.write("sinew.d.lua", "-- mine\n")
        self.assertEqual(program.sinew("run", scene, "--headless", "--frames", 2).status, 0)
        self.assertEqual(other.read_text(encoding="utf-8"), "-- mine\n", "a file of another kind stays")


if __name__ == "__main__":
    unittest.main(verbosity=2)

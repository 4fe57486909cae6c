"""What a script gets wrong is said: with its line, in a sentence, and without blaming Sinew's own files."""
import re
import unittest

import program

HEAD = ('local sinew = require "sinew"\nlocal man = sinew.model "hero.glb"\n'
        'local hero = sinew.actor("hero", man, { params = { speed = 0 } })\n')
MACHINE = "hero:set_graph(sinew.state_machine { states = { a = 'Idle', b = 'Walk' }, transitions = %s }) "
ONE_WAY = MACHINE % "{ { 'a', 'b', on = 'go' } }"

# Each is the fourth line of a scene of 40 frames.
MISTAKES = (
    (ONE_WAY + "function sinew.update() hero:send 'og' end", "no transition of 'hero' waits for 'og'; did you mean 'go'?"),
    (ONE_WAY + "function sinew.update() hero:state 'x' end", "the graph of 'hero' has no machine 'x'"),
    (MACHINE % "{ a_b = { 'a', 'b', on = 'go' } }", "transitions must be a list"),
    ("sinew.light.color = { 255, 0, 0 }", "a colour {red, green, blue}, each from 0 to 1 (got { 255, 0, 0 })"),
    ("sinew.light.direction = { 0, 0, 0 }", "a direction {x, y, z} that is not zero"),
    ("hero.rotation = 90", "90 radians are 14.3 turns; math.rad(90) converts degrees"),
    ("hero:attach('RightHand', man, { offset = { rotation = 90 } })", "math.rad(90) converts degrees"),
    ("hero:play('Walk', { time = 50 })", "50 s is past the end of 'Walk', which lasts 0.9333 s"),
    ("local a = hero:play 'Walk' a.time = 70", "70 s is past the end of 'Walk'"),
    ("hero:set_graph(sinew.clip { 'Walk', from = 5, to = 6 })", "the part to play begins after the end of the clip"),
    ("hero:set_graph(sinew.blend { { 'Walk', -1 }, { 'Idle', 1 } })", "a weight is 0 or more"),
    ("hero:set_graph(sinew.blend_space_1d { param = 'speed', [1] = { 0, 'Idle' }, [3] = { 1.4, 'Walk' } })", "a gap"),
    ("hero:set_modifiers { look = sinew.look_at { 'look', chain = { 'Head' } } }", "(got one with the name 'look')"),
    ("man:curve('Walk', 'grip', { [0.1] = 1, [0.4] = 0 })", "(got one with the key [0.1])"),
    ("hero:layer('up', { weight = 5 })", "a number from 0 to 1 (got 5"),
    ("hero.opacity = 50", "a number from 0 to 1 (got 50)"),
    ("hero.morphs.Smile = 80", "actor.morphs.Smile is 80; 1 is the whole of a morph target"),
    ("hero:motor { turn_rate = 360 }", "radians per second, up to 63"),
    ("sinew.view.joint = 'Hed'", "no actor has a joint 'Hed'"),
    ("function sinew.draw() sinew.debug.text(20, 20, 'hi', { 1, 1, 1 }, 30) end",
     "sinew.debug.text takes 4 arguments; those after have no effect"),
    ("sinew.camera.target = hero:joint('Head', 1)", "actor:joint takes 1 argument;"),
    ("function sinew.update() hero:play 'Walk' end", "asks for what plays already in each frame"),
    ("function sinew.update() hero:set_graph 'Walk' end", "begins a graph in each frame"),
    ("function sinew.update() hero:motor() end", "makes a motor in each frame"),
    ("function sinew.update() sinew.on('draw', function() end) end", "adds a handler in each frame"),
    ("function sinew.update() hero:set_modifiers {} end", "gives modifiers in each frame"),
    ("print(os.getenv 'HOME')", "os.getenv is not available to scenes"),
    ("math.flor(1.5)", "'flor' is nil, so it cannot be called; did you mean 'floor'?"),
    ("prnt 'x'", "'prnt' is nil, so it cannot be called; did you mean 'print'?"),
    ("local a = nothing.x", "'nothing' is nil, so it has no fields"),
    ("local a = nothing + 1", "'nothing' is nil, and a calculation needs a number"),
    ("local a = 'x' .. nothing", "'nothing' is nil; only texts and numbers can be joined"),
    ("local a = #nothing", "'nothing' is nil, so it has no length"),
    ("hero:model()", "'model' is a model and no function: write it without parentheses"),
    ("require 'sinew.task'.run(function() prnt 'x' end)", "'prnt' is nil, so it cannot be called"),
    ("require 'sinew.task'.wiat(1)", "task has no field 'wiat'; did you mean 'wait'?"),
)
# Right, so that nothing may be said.
RIGHT = (
    "function sinew.update() hero.rotation = sinew.time * 40.5 end",
    "hero:play('Walk', { time = 0.9 }) hero:on('loop', sinew.quit)",
    ONE_WAY + "function sinew.update() hero:send 'go' hero:state() end",
    "hero:layer('up', { mode = 'additive', weight = -2 }) local n = 0 function sinew.update() n = n + 1 if n % 9 == 0 "
    "then hero:play(n % 2 == 0 and 'Walk' or 'Run') end end",
    "pcall(function() local a = nothing.x end)",
)


class WrongScenes(program.Case):
    def run_scene(self, code):
        scene = self.write("scene.lua", HEAD + code + "\n")
        result = program.sinew("run", scene, "--headless", "--frames", 40, "--size", "32x32")
        return [line for line in (result.out + result.err).split("\n")
                if line and not re.search(r"imported in|llvmpipe|OpenGL|softpipe", line)]

    def test_each_mistake_is_said_with_its_line(self):
        for code, words in MISTAKES:
            with self.subTest(code=code):
                said = self.run_scene(code)
                self.assertTrue(said, "nothing is said")
                self.assertIn("scene.lua:4: ", said[0])
                self.assertIn(words, said[0])
                self.assertNotRegex(said[0], r"sinew/\w+\.lua:\d|a nil value")

    def test_what_is_right_is_silent(self):
        for code in RIGHT:
            with self.subTest(code=code):
                self.assertEqual(self.run_scene(code), [])


if __name__ == "__main__":
    unittest.main(verbosity=2)

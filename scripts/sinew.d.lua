---@meta sinew
-- The functions and fields for scenes, for editors that run the Lua language server. The program writes this file
-- from its description of the API: `sinew stubs > scripts/sinew.d.lua`. Given a scene, it includes that scene's
-- names: `sinew stubs scene.lua > sinew.d.lua`.

---@class sinew.Vec3
---@field x number
---@field y number
---@field z number

---@class sinew.Quat: sinew.Vec3
---@field w number

---@class sinew.Mask

---@class sinew.Node

---@class sinew.Modifier

---@alias sinew.Key
---| "a"
---| "b"
---| "c"
---| "d"
---| "e"
---| "f"
---| "g"
---| "h"
---| "i"
---| "j"
---| "k"
---| "l"
---| "m"
---| "n"
---| "o"
---| "p"
---| "q"
---| "r"
---| "s"
---| "t"
---| "u"
---| "v"
---| "w"
---| "x"
---| "y"
---| "z"
---| "0"
---| "1"
---| "2"
---| "3"
---| "4"
---| "5"
---| "6"
---| "7"
---| "8"
---| "9"
---| "space"
---| "left"
---| "right"
---| "up"
---| "down"
---| "escape"
---| "enter"
---| "tab"
---| "backspace"
---| "delete"
---| "insert"
---| "home"
---| "end"
---| "page_up"
---| "page_down"
---| "f1"
---| "f2"
---| "f3"
---| "f4"
---| "f5"
---| "f6"
---| "f7"
---| "f8"
---| "f9"
---| "f10"
---| "f11"
---| "f12"
---| "left_shift"
---| "left_ctrl"
---| "left_alt"
---| "left_super"
---| "right_shift"
---| "right_ctrl"
---| "right_alt"
---| "right_super"
---| "minus"
---| "equal"
---| "left_bracket"
---| "right_bracket"
---| "backslash"
---| "semicolon"
---| "apostrophe"
---| "grave"
---| "comma"
---| "period"
---| "slash"
---| "caps_lock"
---| "pause"
---| "menu"
---| "kp_0"
---| "kp_1"
---| "kp_2"
---| "kp_3"
---| "kp_4"
---| "kp_5"
---| "kp_6"
---| "kp_7"
---| "kp_8"
---| "kp_9"
---| "kp_add"
---| "kp_subtract"
---| "kp_multiply"
---| "kp_divide"
---| "kp_decimal"
---| "kp_enter"
---| "pad_a"
---| "pad_b"
---| "pad_x"
---| "pad_y"
---| "pad_left_bumper"
---| "pad_right_bumper"
---| "pad_back"
---| "pad_start"
---| "pad_guide"
---| "pad_left_stick"
---| "pad_right_stick"
---| "pad_up"
---| "pad_right"
---| "pad_down"
---| "pad_left"
---| "left_stick_left"
---| "left_stick_right"
---| "left_stick_up"
---| "left_stick_down"
---| "right_stick_left"
---| "right_stick_right"
---| "right_stick_up"
---| "right_stick_down"
---| "left_trigger"
---| "right_trigger"

---@alias sinew.CallbackName
---| "update"
---| "draw"
---| "key_pressed"
---| "key_released"
---| "mouse_pressed"
---| "mouse_released"
---| "file_dropped"
---| "reloaded"

---@alias sinew.ClipName
---| string

---@alias sinew.JointName
---| string

---@alias sinew.ActorName
---| string

---@alias sinew.LayerName
---| string

---@alias sinew.StateName
---| string

---@alias sinew.EventName
---| string

---@alias sinew.SentEventName
---| string

---@alias sinew.ParamName
---| string

---@class sinew.Morphs
---@field [string] number

---@class sinew.Params
---@field [string] number

---@class sinew.Modifiers
---@field [string] sinew.ActorModifier

---@class sinew
---@field ui sinew.ui Sliders, buttons, panels.
---@field view sinew.view Debug views.
---@field debug sinew.debug Lines and text to draw in the scene.
---@field camera sinew.camera The camera.
---@field light sinew.light The sun, the sky, the exposure.
---@field selected table|nil The picked joint, { actor =, joint = }, or nil. Ctrl+click picks; so does a click while the scene is paused. (read only)
---@field time number Seconds of scene time since the scene was started. (read only)
---@field frame integer Number of the current frame since the scene was started, from 1. (read only)
---@field version string The version of Sinew. (read only)
---@field renderer string The renderer in words: the device, the OpenGL version, and what was reduced for a software rasteriser. Empty if nothing draws. (read only)
---@field help_text string The help line that the window shows at first.
---@field test function|nil The function that `sinew test` runs; an error is a failure.
---@field tests table More tests by name: function sinew.tests.waves() … end. Each gets a freshly loaded scene. (read only)
---@field update function|nil function(dt): runs before each frame; dt is the scene time since the last frame, in seconds.
---@field draw function|nil function(): runs after actors have moved; draw widgets and lines here.
---@field key_pressed function|nil function(key).
---@field key_released function|nil function(key).
---@field mouse_pressed function|nil function(x, y, button): 1 left, 2 right, 3 middle.
---@field mouse_released function|nil function(x, y, button).
---@field file_dropped function|nil function(path): a file was dropped on the window.
---@field reloaded function|nil function(old): after a save; old has the variables of the last version by name, for what no rule carries over.
sinew = {}

---Ends the run after this frame.
function sinew.quit() end

---Starts recording the picture as a video: a .mp4, .webm or .gif in the scene's own folder, replacing one recorded before. While it records, each frame takes 1 / rate seconds of the scene, however long it takes to draw. Naming the same file again continues; naming none ends the video. Returns false if the run draws nothing.
---@param file? string
---@param options? sinew.RecordOptions
---@return boolean
function sinew.record(file, options) end

---Writes to the log on the picture and to the terminal, like print.
---@param ... any
function sinew.log(...) end

---Shows an error on the picture as if a callback had failed, and continues. With a coroutine, the message says where it failed. Repeated errors are counted.
---@param message any
---@param task? any
function sinew.report(message, task) end

---How far a gamepad's stick is pushed in that direction ("left_stick_up"), or a trigger is pulled, from 0 to 1. For any other key 1 while it is held, otherwise 0.
---@param key sinew.Key
---@return number
function sinew.strength(key) end

---Whether a key is held.
---@param key sinew.Key
---@return boolean
function sinew.is_down(key) end

---How far the mouse wheel has turned in this frame, in notches, positive away from you; 0 over a panel.
---@return number
function sinew.wheel() end

---The mouse position in pixels from the top left, and whether the left, right and middle buttons are held.
---@return number
---@return number
---@return boolean
---@return boolean
---@return boolean
function sinew.mouse() end

---Moves a value towards another for dt seconds, at any frame rate alike: to + (from - to) * exp(-rate * dt). At a rate of 8 it covers 93 % of the distance in a third of a second.
---@param from number
---@param to number
---@param rate number
---@param dt number
---@return number
function sinew.damp(from, to, rate, dt) end

---The value, limited to a range.
---@param value number
---@param minimum number
---@param maximum number
---@return number
function sinew.clamp(value, minimum, maximum) end

---Interpolates linearly: from at t = 0, to at t = 1.
---@param from number|sinew.Vec3|number[]
---@param to number|sinew.Vec3|number[]
---@param t number
---@return number|sinew.Vec3|number[]
function sinew.lerp(from, to, t) end

---A vector that can be added, subtracted, and multiplied by a number.
---@param x number
---@param y number
---@param z number
---@return sinew.Vec3|number[]
function sinew.vec3(x, y, z) end

---A table that survives saves. If a default changes in the file, it replaces the value; other values stay.
---@param name string
---@param defaults? table
---@return table
function sinew.keep(name, defaults) end

---Starts the variable or the kept table of that name anew: it is again what the scripts declare.
---@param name string
function sinew.forget(name) end

---Adds a handler next to the callback of that name. Modules use this.
---@param event sinew.CallbackName
---@param handler function
function sinew.on(event, handler) end

---In sinew.test(): runs the scene for a while, with keys and mouse.
---@param options sinew.SimulateOptions
function sinew.simulate(options) end

---In sinew.test(): if the value is false or nil, notes a failure with its line and the values in the expression, and goes on; the test fails at its end. Returns the value.
---@param value? any
---@param message? string
---@return any
function sinew.check(value, message) end

---Prints the description of a name, sinew.help("actor.play"), or lists names, sinew.help("actor").
---@param name? string
---@return string
function sinew.help(name) end

---Loads a model from the scene's folder or from Sinew's assets. Raises an error if it cannot be read. With { wait = false } the scene runs while it loads; calls on its actors are queued until then.
---@param path string
---@param options? sinew.ModelOptions
---@return sinew.Model
function sinew.model(path, options) end

---Like sinew.model, but returns nil and the reason instead of raising an error.
---@param path string
---@param options? sinew.ModelOptions
---@return sinew.Model?
---@return string?
function sinew.try_model(path, options) end

---Declares an actor. With the name alone it finds an existing actor; a file name alone ("hero.glb") declares an actor named after the file.
---@param name sinew.ActorName
---@param model? sinew.Model|string
---@param options? sinew.ActorOptions
---@return sinew.Actor
function sinew.actor(name, model, options) end

---A node that plays a clip: sinew.clip { "Jump", loop = "once" }. Without options, the clip's name alone is enough.
---@param definition sinew.ClipNode
---@return sinew.Node
function sinew.clip(definition) end

---A node that blends by weights: sinew.blend { { "Walk", 2 }, { "Limp", "hurt" } }; a weight is a number or a parameter.
---@param definition sinew.BlendNode
---@return sinew.Node
function sinew.blend(definition) end

---A node that blends the two samples around a parameter: sinew.blend_space_1d { param = "speed", { 0, "Idle" }, { 1.4, "Walk" } }. A position may be a function, which is called in each frame.
---@param definition sinew.Space1dNode
---@return sinew.Node
function sinew.blend_space_1d(definition) end

---A node that blends the samples around a point given by two parameters: { x, y, node }. Outside all samples, the nearest point on their edge is used.
---@param definition sinew.Space2dNode
---@return sinew.Node
function sinew.blend_space_2d(definition) end

---A node that plays one of its children, selected by a parameter, from 0.
---@param definition sinew.SwitchNode
---@return sinew.Node
function sinew.switch(definition) end

---A node that plays one state at a time. Transitions lead from state to state: { "move", "jump", on = "jump" }, or from any state, "*".
---@param definition sinew.MachineNode
---@return sinew.Node
function sinew.state_machine(definition) end

---A modifier that turns a chain of joints until the last one looks at a target.
---@param definition sinew.LookAtModifier
---@return sinew.Modifier
function sinew.look_at(definition) end

---A modifier that bends an arm or a leg until its tip reaches a target (two-bone IK).
---@param definition sinew.IkModifier
---@return sinew.Modifier
function sinew.ik(definition) end

---A modifier that brings the tip of a chain of any length to a target (FABRIK).
---@param definition sinew.ChainModifier
---@return sinew.Modifier
function sinew.chain(definition) end

---A modifier that lets joints swing: hair, tails, straps.
---@param definition sinew.SpringModifier
---@return sinew.Modifier
function sinew.spring(definition) end

---A modifier that keeps a joint's swing from its rest rotation within a cone, and its twist between two angles.
---@param definition sinew.LimitModifier
---@return sinew.Modifier
function sinew.limit(definition) end

---A modifier that gives a joint the transform of another one.
---@param definition sinew.CopyTransformModifier
---@return sinew.Modifier
function sinew.copy_transform(definition) end

---A modifier that turns a helper joint by a fraction of another joint's rotation.
---@param definition sinew.TwistModifier
---@return sinew.Modifier
function sinew.twist(definition) end

---A modifier that puts feet on uneven ground, and lowers the pelvis until every leg reaches.
---@param definition sinew.PlantModifier
---@return sinew.Modifier
function sinew.plant(definition) end

---A modifier that fits strides to the actor's true velocity, however it is moved: it makes them shorter or longer, and turns them with the hips. List it before sinew.plant.
---@param definition sinew.WarpModifier
---@return sinew.Modifier
function sinew.warp(definition) end

---A modifier that calls a function: sinew.modifier { "lean", function(pose, actor, dt) … end }. The pose is valid during the call.
---@param definition sinew.ModifierModifier
---@return sinew.Modifier
function sinew.modifier(definition) end

---What characters stand on: a list of parts, { "floor", box = { 20, 0.2, 20 }, position = { 0, -0.1, 0 } }. Each part is an actor, called "level.floor", that you find as level.floor: move it, and what is said of it moves along. Questions and motors see the parts where they were when the frame began.
---@param parts sinew.LevelOptions
---@return sinew.Level
function sinew.level(parts) end

---The first surface of a level between two points, or nil.
---@param from sinew.Vec3|number[]
---@param to sinew.Vec3|number[]
---@param options? sinew.RaycastOptions
---@return sinew.RaycastHit|nil
function sinew.raycast(from, to, options) end

---The height of the highest surface of a level at x and z that is not above y (default 1000), its normal and the name of its part; nil where there is none. Two storeys differ by y.
---@param x number
---@param z number
---@param y? number
---@return number|nil
---@return sinew.Vec3
---@return string
function sinew.ground(x, z, y) end

---Reads a saved pose for a model, and matches the joints by name; the second result lists names that did not match. Raises an error if the file is incomplete.
---@param file string
---@param model sinew.Model
---@return sinew.Pose
---@return sinew.PoseReport
function sinew.load_pose(file, model) end

---Raises an error if a joint of the actor is farther from the saved pose than the tolerance. `sinew test --update` writes the file instead.
---@param actor sinew.Actor
---@param file string
---@param options? sinew.ExpectOptions
function sinew.expect_pose(actor, file, options) end

---The events of an actor's motion since actor:measure, for tests: { pops, slides, transitions, refusals, marks, seconds, slid, lost }. Each entry has time, finish and text. A pop also has its joint (nil: the actor itself or a morph target jumped), how far it was displaced at that instant as angle (rad) and metres, the speed that the angle is over 1/60 s (rad/s), its rank, and cause: the call, the transition, the seam or the modifier. A slide has the foot's joint, the metres that it slid in one contact, its rank and its cause. A transition or refusal has layer, from, to, reason and line. marks lists all of them in the order in which they ended. Print the result to read it.
---@param actor sinew.Actor
---@return table
function sinew.timeline(actor) end

---Makes a model from tables: joints, meshes with weights, clips. Equal tables make the same model. When a save changes them, the actors get the new model and keep their stride.
---@param description sinew.BuildOptions
---@return sinew.Model
function sinew.build_model(description) end

---Declares thousands of characters that share a model and a graph. Each property of the members is an array: crowd.x[3] = 1.5 for one member, crowd.params.speed = 1.4 for all. With a name alone it finds an existing crowd.
---@param model sinew.Model|string
---@param count? integer
---@param options? sinew.CrowdOptions
---@return sinew.Crowd
function sinew.crowd(model, count, options) end

---@class sinew.ui
sinew.ui = {}

---ui.slider(table, "field", 0, 1) edits the field; ui.slider("label", value, 0, 1) returns the new value.
---@param target any
---@param field string|number
---@param minimum number
---@param maximum number
---@param label? string
---@return number
function sinew.ui.slider(target, field, minimum, maximum, label) end

---ui.checkbox(table, "field") or ui.checkbox("label", value).
---@param target any
---@param field string|boolean
---@param label? string
---@return boolean
function sinew.ui.checkbox(target, field, label) end

---A slider without ends: the number changes by `step` (0.01) for each pixel that the mouse moves.
---@param target any
---@param field string|number
---@param step? number
---@param minimum? number
---@param maximum? number
---@param label? string
---@return number
function sinew.ui.drag(target, field, step, minimum, maximum, label) end

---ui.combo(table, "clip", {"Idle", "Walk"}) or ui.combo("label", "Idle", items): one of several strings.
---@param target any
---@param field string
---@param items any[]
---@param label? string
---@return string
function sinew.ui.combo(target, field, items, label) end

---A color {red, green, blue} from 0 to 1: ui.color(table, "field") or ui.color("label", {1, 0, 0}).
---@param target any
---@param field string|sinew.Vec3|number[]
---@param label? string
---@return sinew.Vec3|number[]
function sinew.ui.color(target, field, label) end

---Plots a list of numbers, the last 1,024 of them.
---@param label string
---@param values any[]
---@param minimum? number
---@param maximum? number
function sinew.ui.plot(label, values, minimum, maximum) end

---A timeline to scrub: ui.timeline(walk, "time", walk.duration, { { 0.4, "step" } }).
---@param target any
---@param field string|number
---@param duration number
---@param marks? table
---@param label? string
---@return number
function sinew.ui.timeline(target, field, duration, marks, label) end

---A button; true in the frame in which it is pressed.
---@param label string
---@return boolean
function sinew.ui.button(label) end

---A line of text.
---@param text any
function sinew.ui.text(text) end

---A line between widgets.
function sinew.ui.separator() end

---Puts the widgets that the function makes into a panel of their own.
---@param title string
---@param widgets function
function sinew.ui.panel(title, widgets) end

---Widgets that can be folded away; with open = true they start unfolded.
---@param label string
---@param widgets function
---@param open? boolean
function sinew.ui.tree(label, widgets, open) end

---Tabs, one of which is open: ui.tabs("parts", { { "Body", function() end }, { "Face", function() end } }).
---@param label string
---@param tabs any[]
function sinew.ui.tabs(label, tabs) end

---@class sinew.debug
sinew.debug = {}

---Draws an actor's joints in this frame.
---@param actor sinew.Actor
function sinew.debug.skeleton(actor) end

---Draws a line in the world in this frame; colours are {red, green, blue} from 0 to 1.
---@param from sinew.Vec3|number[]
---@param to sinew.Vec3|number[]
---@param color? sinew.Vec3|number[]
---@param on_top? boolean
function sinew.debug.line(from, to, color, on_top) end

---Writes text in this frame at a pixel, counted from the top left. Without a colour it is amber on a dark ground, legible on any picture.
---@param x number
---@param y number
---@param text any
---@param color? sinew.Vec3|number[]
function sinew.debug.text(x, y, text, color) end

---@class sinew.view
---@field skinners table The names of those that work here. (read only)
---@field wireframe boolean Triangles over the shaded picture.
---@field skeleton boolean Joints of every actor.
---@field names boolean Names of joints.
---@field axes boolean Axes of joints: x red, y green, z blue.
---@field bind_pose boolean Shows every actor in its bind pose.
---@field bounds boolean The bounding box by which each actor is culled.
---@field root_path boolean The path of each actor's root.
---@field contacts boolean Rings where feet touch the ground: green for planted feet, orange for sliding ones.
---@field scale boolean Metres along the axes of the ground: x red, z blue.
---@field ground boolean The ground with its metre grid.
---@field stats boolean Numbers about performance.
---@field inspector boolean The panel that shows and edits what every actor does.
---@field graph boolean The panel that draws an actor's graph: the weight of each node, the transitions out of a state, blend spaces.
---@field console boolean The panel with the log, and a line that is evaluated in the scene.
---@field paused boolean Stops time: dt is 0, and only the camera and panels move. F6 does the same; F7 steps one frame.
---@field speed number The speed of scene time; 0.25 is slow motion, default 1. F8 steps through 1, ¼ and 1/16.
---@field surface "shaded"|"normals"|"joints"|"weight"|"velocity" The display of surfaces: "shaded", "normals", "joints", "weight" (of sinew.view.joint) or "velocity".
---@field joint string The joint whose weights the surface "weight" shows.
---@field skinner string Where actors are skinned: "cpu", "vertex" (in the vertex shader of each pass), "feedback" or "compute" (once for all passes). The picture is the same.
sinew.view = {}

---@class sinew.camera
---@field position sinew.Vec3|number[] Its position in metres, in world space.
---@field target sinew.Vec3|number[] The point it looks at.
---@field fov number The vertical field of view, in radians.
---@field orbit boolean Whether the mouse orbits the camera about its target.
sinew.camera = {}

---@class sinew.light
---@field environment "colors"|"studio"|"noon"|"golden_hour"|"overcast"|"night" What shines from all around: "studio", "noon", "golden_hour", "overcast" or "night", each with a sun of its own; or "colors", the default: direction, color, intensity, sky and ground of this table.
---@field direction sinew.Vec3|number[] Towards the sun.
---@field color sinew.Vec3|number[] The sun's colour, linear {red, green, blue} from 0 to 1.
---@field intensity number The brightness of the sun; 3 is a clear day.
---@field sky sinew.Vec3|number[] The light from above, linear {red, green, blue}.
---@field ground sinew.Vec3|number[] The light from below, linear {red, green, blue}.
---@field exposure number The brightness of the picture; 1 is neutral.
---@field curve "neutral"|"aces" How light becomes colours: "neutral" keeps those of the materials (Khronos' PBR Neutral), "aces" has the contrast of film.
---@field fog number The density of the fog per metre: exp(-fog * metres) of the light arrives. 0 is clear, 0.02 a misty morning.
sinew.light = {}

---@class sinew.Model
---@field path string The file it was loaded from. (read only)
---@field loaded boolean Whether it is loaded. (read only)
---@field problem string|nil Why it could not be loaded in the background, or nil. (read only)
local model = {}

---Waits until it is loaded, and returns it. Raises an error if it cannot be read.
---@return sinew.Model
function model:wait() end

---The names of its clips.
---@return string[]
function model:clips() end

---The names of its joints, parents before children. If the name alone would mean another joint, a path such as "Neck/Head".
---@return string[]
function model:joints() end

---Which joints are root (the topmost one that clips animate down to the pelvis), pelvis, head, left_hand, right_hand, left_foot, right_foot, left_ball and right_ball (the toes), as the option roles says, or else as the body shows: sinew info --rig gives the reasons. plant, root_motion, find_steps and measure use them if you name no joints.
---@return table
function model:roles() end

---The names of its morph targets.
---@return string[]
function model:morphs() end

---The length of a clip in seconds.
---@param clip sinew.ClipName|integer
---@return number
function model:duration(clip) end

---The velocity of a clip in metres per second, x to the left and z ahead, from its hips or its planted feet. nil if neither shows one.
---@param clip sinew.ClipName|integer
---@return sinew.Vec3|number[]|nil
function model:velocity(clip) end

---A weight from 0 to 1 for each joint: { ["Spine1/**"] = 1, Head = 0.5 }. "/**" means a joint and everything below it. The most specific pattern wins; joints that no pattern matches get 0.
---@param weights table
---@return sinew.Mask
function model:mask(weights) end

---Replaces the markers of a clip: { { 0.1, "left", sync = true }, { 0.62, "right", sync = true } }. Playing past one raises an event of that name.
---@param clip sinew.ClipName|integer
---@param markers any[]
function model:markers(clip, markers) end

---Gives a clip a curve, a number that changes over its time, and replaces one of that name: man:curve("Wave", "grip", { { 0, 1 }, { 0.4, 0 } }). It is linear between keys and constant before the first and after the last; two keys at one time make a step. Without keys, the curve is removed, and a curve of that name in the model's file returns.
---@param clip sinew.ClipName|integer
---@param name string
---@param keys any[]
function model:curve(clip, name, keys) end

---The names of a clip's curves, those from the model's file and those of scripts.
---@param clip sinew.ClipName|integer
---@return string[]
function model:curves(clip) end

---Finds when feet touch the ground in a clip, whether it travels or walks on the spot. Returns sync markers for model:markers, with the joint as data: man:find_steps("Walk"), or with joints and the names of their markers, man:find_steps("Walk", { LeftToeBase = "left", RightToeBase = "right" }). Default: the balls of the rig's feet (model:roles), "left" and "right".
---@param clip sinew.ClipName|integer
---@param feet? table
---@return table[]
function model:find_steps(clip, feet) end

---The pose of a clip at a time.
---@param clip sinew.ClipName|integer
---@param time number
---@return sinew.Pose
function model:sample(clip, time) end

---The rest pose of the model.
---@return sinew.Pose
function model:rest() end

---Reports how pose:retarget matches the joints of this model with those of another.
---@param other sinew.Model
---@param options? sinew.RetargetOptions
---@return sinew.MatchReport
function model:match(other, options) end

---The names of its meshes.
---@return string[]
function model:meshes() end

---@class sinew.Actor
---@field name string Its name. (read only)
---@field model sinew.Model Its model. (read only)
---@field line string The line that declared it, "scene.lua:12". (read only)
---@field position sinew.Vec3|number[] Its position in metres, in world space.
---@field rotation sinew.Quat|number[]|number A quaternion {x, y, z, w}; you may also assign a number, the angle about y in radians.
---@field scale sinew.Vec3|number[]|number Its scale; you may also assign one number.
---@field visible boolean Whether it is drawn; a hidden actor still moves.
---@field opacity number 0 (invisible) to 1 (opaque).
---@field skinning "linear"|"dual_quaternion" How the skin follows the joints: "linear", or "dual_quaternion", which keeps the volume of twisting limbs.
---@field morphs sinew.Morphs Weights of morph targets by name: actor.morphs.Smile = 1.
---@field params sinew.Params Its parameters by name: actor.params.speed = 1.6.
---@field modifiers sinew.Modifiers Its modifiers by name: actor.modifiers.look.target = { 0, 1.6, 4 }.
---@field metrics table|nil The measurements since actor:measure, or nil: seconds; slide and slide_max (m/s of feet on the ground), slide_joint; pop (m, the largest jump of a joint's position), pop_joint, pop_time; turn (rad, the largest jump of a joint's own rotation), turn_joint, turn_time; slid (m, all feet together); reach (m, the largest reach error), reach_modifier. (read only)
local actor = {}

---Plays a clip. It crossfades from whatever the layer plays; with a weight it joins the blend instead.
---@param clip sinew.ClipName|integer
---@param options? sinew.PlayOptions
---@return sinew.Action
function actor:play(clip, options) end

---Fades out all its actions in that many seconds, default 0.2.
---@param fade? number
function actor:stop(fade) end

---The position of a joint in the last frame, in world space.
---@param joint sinew.JointName|integer
---@return sinew.Vec3|number[]
function actor:joint(joint) end

---Removes it from the stage.
function actor:remove() end

---Declares a layer on top of those before it. With the name alone it finds an existing layer.
---@param name sinew.LayerName
---@param options? sinew.LayerOptions
---@return sinew.Layer
function actor:layer(name, options) end

---Lets a graph decide what a layer plays; actions cover it. A new graph continues the old one: nodes are matched by key, then by the clips below them, and whatever differs blends in by inertia.
---@param graph sinew.Node|sinew.ClipName|integer
---@param options? sinew.GraphOptions
function actor:set_graph(graph, options) end

---Removes a layer's graph.
---@param options? sinew.GraphOptions
function actor:clear_graph(options) end

---Sends an event to the actor's state machines: transitions with on = event can be taken.
---@param event sinew.SentEventName
function actor:send(event) end

---The current state of a state machine, the seconds since it was entered, and the fraction from 0 to 1 to which it has faded in. A path names a nested machine: "combat/aim". nil if that machine is not running.
---@param path? string
---@param options? sinew.GraphOptions
---@return sinew.StateName?
---@return number?
---@return number?
function actor:state(path, options) end

---The previous states of a state machine, latest first; at most 8. The second list has { state, seconds, reason, line } for each: its duration, the reason for the transition that ended it, and that transition's line. reason and line are missing for a switch, and for a transition of a graph that a save has since replaced.
---@param path? string
---@param options? sinew.GraphOptions
---@return string[]
---@return table[]
function actor:history(path, options) end

---Calls the function for each event of that name: a marker's, "loop", "finish", "enter" or "exit" of a state machine's states, or "*" for all. It receives a table: name, actor, action, clip, time, weight, layer, data. "enter" and "exit" have state, from and to instead of clip and data; the time of "exit" is the duration of the state in seconds.
---@param event sinew.EventName
---@param handler function
function actor:on(event, handler) end

---The events of the last frame in order of time, as the tables that handlers receive.
---@return table[]
function actor:events() end

---In a task (sinew.task): waits for the next event of that name, and returns it.
---@param event sinew.EventName
---@return table
function actor:wait(event) end

---The current value of the curve of that name, blended from the playing clips as the pose is. A clip of the base layer without the curve counts as `rest`, default 0; on a layer above, such a clip leaves the value unchanged.
---@param name string
---@param rest? number
---@return number
function actor:curve(name, rest) end

---Sets the actor's modifiers, in the order in which they act: { sinew.look_at { … }, sinew.ik { … } }.
---@param modifiers any[]
function actor:set_modifiers(modifiers) end

---Takes the motion of a joint out of the pose of the base layer and moves the actor by it: { joint = "Hips", axes = "xz yaw" }. Without options: the rig's root, along x and z and about y. false ends it.
---@param options? sinew.RootOptions|boolean
function actor:root_motion(options) end

---The displacement and rotation of the root in the last frame, in the actor's own space.
---@return sinew.Vec3|number[]
---@return sinew.Quat|number[]|number
function actor:root_delta() end

---Attaches an actor to a joint and returns it. Given a model, it makes an actor first.
---@param joint sinew.JointName|integer
---@param what sinew.Actor|sinew.Model
---@param options? sinew.AttachOptions
---@return sinew.Actor
function actor:attach(joint, what, options) end

---Detaches it; the actor keeps its position.
function actor:detach() end

---Moves the actor over level ground towards motor.velocity and motor.facing, and declares parameters for graphs: left and ahead (its velocity relative to itself, m/s), speed, wanted (the speed that you asked for), turn (radians left to turn, positive to the left) and to_stop (metres that it needs to stop if it brakes now: speed² / (2 braking), at any frame rate). You control the height. While a clip with match = "turn" plays, the motor turns the actor at the clip's rate; if the clip turns on the spot, the actor waits and moves afterwards.
---@param options? sinew.MotorOptions
---@return sinew.Motor
function actor:motor(options) end

---A copy of the actor's pose in the last frame.
---@return sinew.Pose
function actor:pose() end

---Explains why a joint is where it is: a list of { kind, name, layer, weight, degrees, metres, line } in the order of evaluation. Clips that fade in a state machine, and the inertia of its last transition, have transition ("idle -> run") and transition_line. Print it to read it.
---@param joint sinew.JointName|integer
---@return table
function actor:explain(joint) end

---Starts measuring its motion; actor.metrics has the numbers.
---@param options? sinew.MeasureOptions
function actor:measure(options) end

---Records its final pose from the next frame on, and writes a glTF animation of its joints and curves: a .glb in the scene's own folder. It replaces only a file that Sinew baked.
---@param file string
---@param options? sinew.BakeOptions
function actor:bake(file, options) end

---The skinned vertices of a mesh (by default the first) in the last frame, in world space: { x, y, z, x, y, z, … }. They are skinned on the CPU, as actor.skinning says.
---@param mesh? string|integer
---@return number[]
function actor:vertices(mesh) end

---The lowest and highest corner of the box around all its vertices in the last frame, in world space.
---@return sinew.Vec3|number[]
---@return sinew.Vec3|number[]
function actor:bounds() end

---Lists what it played in the last frame, layer by layer: the nodes of graphs that play, parents first, and actions. Each is { kind, layer, clip, normalized_weight, phase, time, speed, line }; nodes have a path, actions their action. normalized_weight is the weight within the layer, from 0 to 1. A node above clips reports clip, phase, time and speed of the clip with the largest weight. speed is in seconds of the clip per second, as its sync group leads it.
---@param options? sinew.PlayingOptions
---@return table[]
function actor:playing(options) end

---The transition in progress, { from, to, blend, time, fade, progress }: of the state machine that the path names, as in actor:state; without a graph, of the layer's actions, between clips. nil if there is none.
---@param path? string
---@param options? sinew.GraphOptions
---@return table|nil
function actor:transition(path, options) end

---@class sinew.Layer
---@field name string Its name. (read only)
---@field mode "override"|"additive" "override" or "additive". (read only)
---@field weight number The fraction of the layers below that it covers, from 0 to 1; an additive layer takes any number.
local layer = {}

---Fades its weight to another one in that many seconds; default 0.2.
---@param weight number
---@param seconds? number
function layer:fade(weight, seconds) end

---Fades out everything that plays on it in that many seconds, default 0.2. Its weight and its graph stay.
---@param seconds? number
function layer:stop(seconds) end

---Changes its mask; model:mask describes masks. Joints blend to the new mask in that many seconds; default 0.2.
---@param mask sinew.Mask|table
---@param seconds? number
function layer:set_mask(mask, seconds) end

---Plays a clip on this layer.
---@param clip sinew.ClipName|integer
---@param options? sinew.PlayOptions
---@return sinew.Action
function layer:play(clip, options) end

---@class sinew.Action
---@field time number The time within the clip, in seconds; assign it to seek.
---@field phase number The same as a fraction of the clip, from 0 to 1.
---@field speed number 1 is the clip's own speed, 0 stops it, below 0 it runs backwards.
---@field weight number Its weight in the blend.
---@field loop "once"|"forever"|"ping_pong"|integer "once", "forever", "ping_pong" or a number of times.
---@field paused boolean Whether its time is stopped.
---@field normalized_weight number Its normalised weight within its layer in the last frame, from 0 to 1. (read only)
---@field rate number The rate at which its clip advanced in the last frame, in seconds of the clip per second: its own speed, or that of its sync group. (read only)
---@field done boolean Whether it has ended or was replaced. (read only)
---@field actor sinew.Actor|nil The actor that plays it; nil if the actor was removed. (read only)
---@field clip string The name of its clip. (read only)
---@field duration number The length of the clip in seconds. (read only)
local action = {}

---Jumps to the next marker of that name in its clip, otherwise to the first: markers are sections. The marker raises its event, and the pose blends in by inertia in that many seconds, default 0.2. Returns false if the action has ended or is fading out.
---@param marker string
---@param seconds? number
---@return boolean
function action:go_to(marker, seconds) end

---Jumps to a time of the clip. With events = true the events in between are raised, as if it had played.
---@param time number
---@param events? boolean
function action:seek(time, events) end

---In a task (sinew.task): waits until this action raises the event, "finish" for instance, and returns it; nil if the action ends without it.
---@param event sinew.EventName
---@return table|nil
function action:wait(event) end

---Fades it out in that many seconds, default 0.2.
---@param fade? number
function action:stop(fade) end

---@class sinew.ActorModifier
---@field name string Its name. (read only)
---@field line string The line that declared it. (read only)
---@field weight number Its weight, from 0 to 1.
---@field target sinew.Vec3|number[]|table|nil A point in world space, or { actor, "joint" } to follow a joint; nil for no effect.
---@field pole sinew.Vec3|number[] A point in world space that the middle joint bends towards.
---@field reach_error number The distance from tip to target in the last frame, in metres. (read only)

---@class sinew.Motor
---@field velocity sinew.Vec3|number[] The velocity to reach, in metres per second in world space; y is ignored. Default {0, 0, 0}.
---@field facing number|nil The direction to face, in radians about y; nil (the default): the direction in which it moves.
---@field acceleration number In metres per second squared.
---@field braking number The same, while it slows down.
---@field turn_rate number Radians a second.
---@field grounded boolean Whether it stands on ground. For motors with a level. (read only)
---@field rise number Metres per second upwards; 0 while it stands. For motors with a level. (read only)
---@field surface string|nil What the part is made of on which it stands; nil in the air, and where the part does not say. For motors with a level. (read only)
local motor = {}

---Jumps so high, in metres, if it stands; false if it does not. For motors with a level.
---@param height number
---@return boolean
function motor:jump(height) end

---@class sinew.Pose
---@field count integer The number of joints, as listed by model:joints. (read only)
local pose = {}

---The transform of a joint: position, rotation and scale, relative to its parent or in model space.
---@param joint sinew.JointName|integer
---@param space? "local"|"model"
---@return sinew.JointTransform
function pose:get(joint, space) end

---Sets the transform of a joint; parts that are left out stay as they are.
---@param joint sinew.JointName|integer
---@param transform sinew.JointTransform
---@param space? "local"|"model"
function pose:set(joint, transform, space) end

---Rotates a joint by an angle in radians about "x", "y", "z" or a vector, in its own space or in model space.
---@param joint sinew.JointName|integer
---@param axis string|sinew.Vec3|number[]
---@param angle number
---@param space? "local"|"model"
function pose:rotate(joint, axis, angle, space) end

---Bends the limb that ends in a joint so that the joint reaches a point in model space, as the modifier sinew.ik does. Returns the remaining distance in metres.
---@param tip sinew.JointName|integer
---@param target sinew.Vec3|number[]
---@param options? sinew.PoseIkOptions
---@return number
function pose:ik(tip, target, options) end

---Fills a table with ten numbers per joint: position, rotation and scale, relative to the parent. Reusing a table leaves no garbage.
---@param buffer? table
---@return table
function pose:read(buffer) end

---Sets all joints from such a table.
---@param buffer table
function pose:write(buffer) end

---Blends this pose (0) with another one (1), for the joints of a mask.
---@param other sinew.Pose
---@param weight number
---@param mask? sinew.Mask|table
---@return sinew.Pose
function pose:blend(other, weight, mask) end

---Like blend, but changes this pose. In a modifier's function it shows a pose.
---@param other sinew.Pose
---@param weight? number
---@param mask? sinew.Mask|table
function pose:take(other, weight, mask) end

---This pose plus the difference between two others.
---@param other sinew.Pose
---@param reference sinew.Pose
---@param weight? number
---@return sinew.Pose
function pose:add(other, reference, weight) end

---The pose with left and right exchanged.
---@return sinew.Pose
function pose:mirror() end

---The largest distance between a joint in this pose and in the other, in metres, and that joint's name.
---@param other sinew.Pose
---@return number
---@return string
function pose:compare(other) end

---Writes it as text, one line per joint: a .pose file in the scene's own folder. It replaces only a pose file.
---@param file string
function pose:save(file) end

---Transfers the pose to another model. Sinew matches the two models once and keeps the result.
---@param model sinew.Model
---@param options? sinew.RetargetOptions
---@return sinew.Pose
function pose:retarget(model, options) end

---@class sinew.Crowd
---@field name string Its name. (read only)
---@field model sinew.Model The model of its members. (read only)
---@field line string The line that declared it, "scene.lua:12". (read only)
---@field count integer The number of members. (read only)
---@field params table The arrays of its parameters, by name: crowd.params.speed[3] = 1.6. (read only)
---@field morphs table The arrays of morph targets by name, added to what clips do: crowd.morphs.Smile[3] = 1. (read only)
---@field x sinew.CrowdArray|table|number|boolean Positions of the members in metres. You may assign a number for all, or a table, to any of these arrays.
---@field y sinew.CrowdArray|table|number|boolean Likewise, up.
---@field z sinew.CrowdArray|table|number|boolean Likewise.
---@field yaw sinew.CrowdArray|table|number|boolean Angles about y, in radians.
---@field scale sinew.CrowdArray|table|number|boolean Sizes; 1.
---@field phase sinew.CrowdArray|table|number|boolean Phases within the clips, 0 to 1.
---@field rate sinew.CrowdArray|table|number|boolean The speed of time; 1 is the clips' own speed, and below 0 they run backwards.
---@field red sinew.CrowdArray|table|number|boolean Multiplies the colour, linear; default 1.
---@field green sinew.CrowdArray|table|number|boolean Likewise.
---@field blue sinew.CrowdArray|table|number|boolean Likewise.
---@field opacity sinew.CrowdArray|table|number|boolean 0 to 1.
---@field visible sinew.CrowdArray|table|number|boolean Whether they are drawn; hidden members still move.
local crowd = {}

---Places a member.
---@param member integer
---@param x number
---@param y number
---@param z number
---@param yaw? number
---@param scale? number
function crowd:place(member, x, y, z, yaw, scale) end

---Colours a member.
---@param member integer
---@param red number
---@param green number
---@param blue number
---@param opacity? number
function crowd:tint(member, red, green, blue, opacity) end

---The position of a member's joint in world space. This evaluates the member.
---@param member integer
---@param joint sinew.JointName|integer
---@return sinew.Vec3|number[]
function crowd:joint(member, joint) end

---The current state of a member's state machine, as actor:state. nil before its first frame, and for a crowd without states.
---@param member integer
---@param path? string
---@return string?
---@return number?
---@return number?
function crowd:state(member, path) end

---Changes the number of members; the remaining members are not affected.
---@param count integer
function crowd:resize(count) end

---Removes it from the stage.
function crowd:remove() end

---@class sinew.CrowdArray
local crowd_array = {}

---Sets all members to one number, or each to its own from a table or another array. With `first`, it sets as many members as the table has, starting with that one.
---@param values table|number|boolean|sinew.CrowdArray
---@param first? integer
function crowd_array:set(values, first) end

---Fills a table with the numbers of all members. Reusing a table leaves no garbage.
---@param buffer? table
---@return table
function crowd_array:read(buffer) end

---@class sinew.Task
local task = {}

---Starts a task: a function that can wait. It begins in the next frame.
---@param body function
---@return sinew.TaskHandle
function task.run(body) end

---In a task: waits so many seconds.
---@param seconds number
function task.wait(seconds) end

---In a task: waits until the function returns true. It is asked in each frame.
---@param check function
function task.wait_until(check) end

---Calls the function once, in so many seconds.
---@param seconds number
---@param call function
---@return sinew.TaskHandle
function task.after(seconds, call) end

---Calls the function again and again, once in so many seconds.
---@param seconds number
---@param call function
---@return sinew.TaskHandle
function task.every(seconds, call) end

---The number of tasks that have not ended.
---@return integer
function task.count() end

---@class sinew.TaskHandle
---@field done boolean Whether the task is over. (read only)
local task_handle = {}

---Ends the task.
function task_handle:cancel() end

---@class sinew.Tween
---@field ease table The functions that ease = "name" means: the time to the distance, both 0 to 1. (read only)
local tween = {}

---Takes target[field] to the value in so many seconds: a number, a vector or a rotation. A new tween of a field ends the one before it.
---@param target any
---@param field string
---@param value any
---@param seconds number
---@param options? sinew.TweenOptions
---@return sinew.TweenHandle
function tween.to(target, field, value, seconds, options) end

---@class sinew.TweenHandle
---@field stop function function(): ends the tween, and leaves the field where it is. (read only)

---@class sinew.Camera
local camera = {}

---The camera comes along behind an actor. The last call of follow, orbit and fly wins.
---@param actor sinew.Actor
---@param options? sinew.FollowOptions
function camera.follow(actor, options) end

---The camera goes round an actor or a point.
---@param target sinew.Actor|sinew.Vec3|number[]
---@param options? sinew.OrbitOptions
function camera.orbit(target, options) end

---The keys W, A, S, D, Q and E move the camera, and the left mouse button turns it.
---@param options? sinew.FlyOptions
function camera.fly(options) end

---Gives the camera back to the mouse.
function camera.stop() end

---Where the camera looks, about the vertical: as a rotation it makes an actor face that way.
---@return number
function camera.yaw() end

---So much to the left and so much ahead, as the camera sees it, on level ground: a vector in world space.
---@param left number
---@param ahead number
---@return sinew.Vec3|number[]
function camera.flat(left, ahead) end

---@class sinew.Input
local input = {}

---Gives each name a key or a list of keys: { jump = { "space", "pad_a" } }. A name that has keys gets others.
---@param map table
function input.map(map) end

---Whether one of the name's keys is held.
---@param name string
---@return boolean
function input.is_down(name) end

---From 0 to 1: that of the key that is pressed farthest. Keys other than sticks and triggers count as 1 while they are held.
---@param name string
---@return number
function input.strength(name) end

---From -1 to 1: the strength of the second name minus that of the first.
---@param down string
---@param up string
---@return number
function input.axis(down, up) end

---Calls the function when one of the name's keys is pressed.
---@param name string
---@param handler function
function input.on(name, handler) end

---@class sinew.Random
local random = {}

---A generator of numbers that look random and are the same in each run; default seed 1.
---@param seed? number
---@return sinew.RandomGenerator
function random.new(seed) end

---@class sinew.RandomGenerator
local random_generator = {}

---From 0 to 1 (without 1), or from low to high.
---@param low? number
---@param high? number
---@return number
function random_generator:number(low, high) end

---A whole number from low to high, both of them included.
---@param low integer
---@param high integer
---@return integer
function random_generator:integer(low, high) end

---True in so many of all cases: 0.25 is one in four.
---@param probability number
---@return boolean
function random_generator:chance(probability) end

---One of the list's values.
---@param list any[]
---@return any
function random_generator:choice(list) end

---Mixes the list, and returns it.
---@param list any[]
---@return table
function random_generator:shuffle(list) end

---@class sinew.Vec
local vec = {}

---The dot product.
---@param ax number
---@param ay number
---@param az number
---@param bx number
---@param by number
---@param bz number
---@return number
function vec.dot(ax, ay, az, bx, by, bz) end

---The cross product.
---@param ax number
---@param ay number
---@param az number
---@param bx number
---@param by number
---@param bz number
---@return number
---@return number
---@return number
function vec.cross(ax, ay, az, bx, by, bz) end

---The length.
---@param x number
---@param y number
---@param z number
---@return number
function vec.length(x, y, z) end

---The distance of two points.
---@param ax number
---@param ay number
---@param az number
---@param bx number
---@param by number
---@param bz number
---@return number
function vec.distance(ax, ay, az, bx, by, bz) end

---The vector with length 1; one without length stays as it is.
---@param x number
---@param y number
---@param z number
---@return number
---@return number
---@return number
function vec.normalize(x, y, z) end

---The vector, at most so long.
---@param x number
---@param y number
---@param z number
---@param most number
---@return number
---@return number
---@return number
function vec.limit(x, y, z, most) end

---The angle about y that faces along a direction: characters look along +z.
---@param x number
---@param z number
---@return number
function vec.heading(x, z) end

---The shorter rotation from one angle to another: from -pi to pi.
---@param from number
---@param to number
---@return number
function vec.turn(from, to) end

---The quaternion of a rotation about an axis.
---@param x number
---@param y number
---@param z number
---@param angle number
---@return number
---@return number
---@return number
---@return number
function vec.axis_angle(x, y, z, angle) end

---The product of two quaternions: b first, then a.
---@param ax number
---@param ay number
---@param az number
---@param aw number
---@param bx number
---@param by number
---@param bz number
---@param bw number
---@return number
---@return number
---@return number
---@return number
function vec.mul(ax, ay, az, aw, bx, by, bz, bw) end

---The reverse rotation.
---@param x number
---@param y number
---@param z number
---@param w number
---@return number
---@return number
---@return number
---@return number
function vec.conjugate(x, y, z, w) end

---The vector, rotated by a quaternion.
---@param qx number
---@param qy number
---@param qz number
---@param qw number
---@param x number
---@param y number
---@param z number
---@return number
---@return number
---@return number
function vec.rotate(qx, qy, qz, qw, x, y, z) end

---Between two rotations, the shorter way round.
---@param ax number
---@param ay number
---@param az number
---@param aw number
---@param bx number
---@param by number
---@param bz number
---@param bw number
---@param t number
---@return number
---@return number
---@return number
---@return number
function vec.nlerp(ax, ay, az, aw, bx, by, bz, bw, t) end

---@class sinew.Machine
---@overload fun(definition: sinew.MachineText): sinew.Node
local machine = {}

---A state machine whose transitions are texts: "move -> jump: on jump, fade 0.12, inertial". machine { … } is short for machine.machine { … }.
---@param definition sinew.MachineText
---@return sinew.Node
function machine.machine(definition) end

---@class sinew.Level
---@field [string] sinew.Actor Its parts, by their names.
---@field name string What the names of its actors begin with. (read only)

---@class sinew.ModelOptions
---@field clips? any[] More files whose clips are added to the model: names, folders, or patterns such as "pack/*.fbx".
---@field wait? boolean false returns at once and loads in the background; default true.
---@field edits? any[] A list of clip_edits: rename, cut, reverse, close to a loop, mirror.
---@field retarget? "auto"|"copy"|"fit" How those clips are fitted to the model: "copy" copies their curves, "fit" computes every pose for this body, "auto" (the default) copies if the rigs are the same, "raw" does so and leaves legs of other proportions as the rotations put them.
---@field map? table Which joint of the clip files corresponds to which of the model: { ["theirs"] = "ours", ["another"] = false }; default by name.
---@field roles? table Which joints are parts of its body, where Sinew cannot tell: { left_foot = "Foot.L", right_foot = "Foot.R" }. The roles are root, pelvis, head, and left_ and right_ before hand, foot, toes, upper_leg, lower_leg, shoulder, upper_arm, lower_arm and front_foot; sides come in pairs.
---@field unit? number Metres per unit of the file; default as the file says.
---@field up? string The axis of the file that points up: "z", "-y" …; default as the file says.
---@field front? string The axis that the character faces once y is up, if that is not "z": "-z", "x" or "-x". The model is rotated to face +z.
---@field influences? integer Joints kept per vertex: 4 (the default) or 8.
---@field exact? boolean Keeps clips in floats, uncompressed; default false.

---@class sinew.BuildOptions
---@field name? string Its name in messages; default "model".
---@field joints? any[] A list of joint_options, parents before their children.
---@field meshes? any[] A list of mesh_options.
---@field clips? any[] A list of clip_options.

---@class sinew.JointOptions
---@field name? string Its name, unique among the joints.
---@field parent? string|integer A joint listed before it; without one it is a root.
---@field position? sinew.Vec3|number[] At rest, relative to its parent, in metres; default {0, 0, 0}.
---@field rotation? sinew.Quat|number[]|number At rest, relative to its parent; default none.
---@field scale? sinew.Vec3|number[] At rest; default {1, 1, 1}.

---@class sinew.MeshOptions
---@field name? string Its name in messages.
---@field positions? any[] Positions of its vertices in the bind pose, in metres: { {x, y, z}, … } or { x, y, z, … }.
---@field normals? any[] One per vertex; default computed from the triangles around it.
---@field uvs? any[] { u, v } per vertex, v downwards.
---@field colors? any[] { red, green, blue }, or with opacity, per vertex; linear, 0 to 1.
---@field indices? any[] Triangles, counter-clockwise from the front: { {1, 2, 3}, … } or { 1, 2, 3, … }. The first vertex is 1.
---@field weights? table For each vertex a joint's name or { Elbow = 0.5, Hand = 0.5 }; or for each joint a list of weights, { Elbow = { 1, 0.5, … }, … }. They are normalised per vertex.
---@field morphs? table Morph targets by name, with an offset per vertex: { Smile = { {x, y, z}, … }, … }.
---@field joint? string|integer The joint that vertices without weights follow; default none.
---@field material? sinew.MaterialOptions Its material; default light grey.

---@class sinew.MaterialOptions
---@field color? sinew.Vec3|number[] Linear red, green, blue, 0 to 1; default {1, 1, 1}.
---@field opacity? number 0 to 1; default 1.
---@field metallic? number 0 to 1; default 0.
---@field roughness? number 0 to 1; default 0.8.
---@field emissive? sinew.Vec3|number[] Emitted light, linear red, green, blue; default {0, 0, 0}.
---@field double_sided? boolean Whether its back faces are drawn; default false.

---@class sinew.ClipOptions
---@field name? string Its name, unique among the clips.
---@field tracks? table By joint: { Elbow = track_options, … }.

---@class sinew.TrackOptions
---@field times? any[] The times of its keys in seconds, ascending. The earliest of all tracks starts the clip.
---@field positions? any[] One per time, relative to the parent, in metres.
---@field rotations? any[] One per time: quaternions {x, y, z, w}.
---@field scales? any[] One per time.
---@field interpolation? "linear"|"step"|"cubic" "linear" (the default), "step", or "cubic": three entries per time, in-tangent, value and out-tangent, as in glTF.

---@class sinew.ClipEdit
---@field clip? string Which clip: its name, or "#2".
---@field name? string Its new name.
---@field from? number Start of the part to keep, in seconds; default 0.
---@field to? number End of the part to keep, in seconds; default the clip's end.
---@field reverse? boolean Reverses it.
---@field loop? boolean Bends its end towards its beginning, so that it loops.
---@field mirror? boolean Exchanges left and right, by the joints' names.

---@class sinew.ActorOptions
---@field position? sinew.Vec3|number[] Its position in metres, in world space.
---@field rotation? sinew.Quat|number[]|number A quaternion {x, y, z, w}, or an angle about y in radians.
---@field scale? sinew.Vec3|number[]|number Its scale.
---@field visible? boolean Whether it is drawn; default true.
---@field skinning? "linear"|"dual_quaternion" "linear" (the default) or "dual_quaternion".
---@field opacity? number 0 (invisible) to 1 (opaque); default 1.
---@field params? table Parameters and their initial values: { speed = 0, turn = 0 }.

---@class sinew.LayerOptions
---@field mode? "override"|"additive" "override" (the default) covers what is below; "additive" adds to it.
---@field space? "local"|"model" "local" (the default), or "model": rotations are in model space, however the parent joints lean, so that an aim stays on its target.
---@field weight? number The fraction of the layers below that it covers, from 0 to 1. An additive layer takes any number; a negative one subtracts. Default 1.
---@field mask? sinew.Mask|table The joints it touches, as in model:mask; default all.
---@field reference? sinew.ClipName|integer|sinew.Pose|sinew.ReferenceOptions The pose from which an additive layer measures differences: the first frame of a clip, another time of it, or a pose of the model. Default: the first frame of each clip.
---@field play? sinew.PlayOptions Default options for every clip that is played on the layer.

---@class sinew.ReferenceOptions
---@field clip? sinew.ClipName|integer Which clip.
---@field time? number The time in that clip; default 0.

---@class sinew.PlayOptions
---@field layer? sinew.LayerName The name of a layer; default "base".
---@field fade? number Seconds to fade in; default 0.2.
---@field fade_out? number A one-shot fades out during these last seconds of its clip; without this option it keeps its last pose.
---@field loop? "once"|"forever"|"ping_pong"|integer "forever" (the default), "once", "ping_pong" or a number of times.
---@field speed? number 1 (the default) is the clip's own speed.
---@field weight? number Joins the blend with this weight; without it, it crossfades.
---@field time? number Where it starts, in seconds; default 0.
---@field ease? "linear"|"in"|"out"|"in_out" The curve of the fade: "linear" (the default), "in", "out", "in_out".
---@field blend? "crossfade"|"frozen"|"inertial" How the others leave: "crossfade" (the default), "frozen" (they stand still while they fade) or "inertial" (they end at once, and their motion dies away).
---@field from? number Start of the part to play, in seconds.
---@field to? number End of the part to play, in seconds.
---@field sync? string A name: clips of the actor with the same name share one phase.
---@field cycles? integer Strides in one loop of the clip, for sync without sync markers: 1 to 8. Default counted from its footfalls, otherwise 1.
---@field restart? boolean Whether it begins anew although the same call already leads the layer; default false. One-shots always do.

---@class sinew.PoseReport
---@field missing? string[] Joints of the model that the file lacks; they are at rest.
---@field unknown? string[] Joints of the file that the model lacks.

---@class sinew.CrowdOptions
---@field name? string The name by which a save recognises it; default "crowd", "crowd 2" …
---@field graph? sinew.Node|sinew.ClipName|integer The graph that every member runs with its own parameters; default the model's first clip. Without states it has at most 4 clips. A state machine's conditions are text, its inertial transitions crossfade, and it has no functions, events or match; each member shows the 4 clips with the most weight.
---@field params? table Parameters of the graph, with the members' initial values.
---@field half_from? number Members farther from the camera than this are evaluated in every second frame; default never.
---@field quarter_from? number Members farther than this are evaluated in every fourth frame; default never.
---@field tinted? string|table The materials that the members' colours tint, "Cloth*" for all that begin so: { "Jacket", "Trousers" } leaves the skin as it is. Default all.

---@class sinew.ClipNode
---@field [integer] sinew.ClipName|integer The name of the clip, or its number.
---@field key? string Identifies the node when the graph is edited; otherwise the clips below it do.
---@field speed? number Multiplies the speed of its clip, or of everything below; default 1.
---@field loop? "once"|"forever"|"ping_pong"|integer "forever" (the default), "once", "ping_pong" or a number of times.
---@field from? number Start of the part to play, in seconds.
---@field to? number End of the part to play, in seconds.
---@field cycles? integer Strides in one loop of the clip, for sync without sync markers: 1 to 8. Default counted from its footfalls, otherwise 1.
---@field match? "time"|"travelled"|"to_stop"|"turn" What advances the clips: "time" (the default); "travelled": the distance that the actor has moved since they began; "to_stop": the distance that it has left (a transition waits until the clip covers it); "turn": the angle that it has left to turn.
---@field match_param? string The parameter with the distance (in metres) or the angle (in radians) that is left; default to_stop or turn, which actor:motor sets.

---@class sinew.BlendNode
---@field [integer] any { node, weight }; a weight is a number or a parameter.
---@field key? string Identifies the node when the graph is edited; otherwise the clips below it do.
---@field speed? number Multiplies the speed of its clip, or of everything below; default 1.
---@field match? "time"|"travelled"|"to_stop"|"turn" What advances the clips: "time" (the default); "travelled": the distance that the actor has moved since they began; "to_stop": the distance that it has left (a transition waits until the clip covers it); "turn": the angle that it has left to turn.
---@field match_param? string The parameter with the distance (in metres) or the angle (in radians) that is left; default to_stop or turn, which actor:motor sets.
---@field sync? boolean|string true: the clips below share one phase. A name: they share it with others of that name.

---@class sinew.Space1dNode
---@field [integer] any { position, node }; a position is a number or a function. A node alone takes the position of its clip's velocity.
---@field param? sinew.ParamName The parameter that gives the position.
---@field key? string Identifies the node when the graph is edited; otherwise the clips below it do.
---@field speed? number Multiplies the speed of its clip, or of everything below; default 1.
---@field smooth? number Time constant for following the parameters, in seconds; default 0.
---@field match? "time"|"travelled"|"to_stop"|"turn" What advances the clips: "time" (the default); "travelled": the distance that the actor has moved since they began; "to_stop": the distance that it has left (a transition waits until the clip covers it); "turn": the angle that it has left to turn.
---@field match_param? string The parameter with the distance (in metres) or the angle (in radians) that is left; default to_stop or turn, which actor:motor sets.
---@field sync? boolean|string true: the clips below share one phase. A name: they share it with others of that name.

---@class sinew.Space2dNode
---@field [integer] any { x, y, node }; x and y are numbers or functions. A node alone takes the position of its clip's velocity, x to the left and y ahead.
---@field param_x? sinew.ParamName The parameter for x.
---@field param_y? sinew.ParamName The parameter for y.
---@field key? string Identifies the node when the graph is edited; otherwise the clips below it do.
---@field speed? number Multiplies the speed of its clip, or of everything below; default 1.
---@field smooth? number Time constant for following the parameters, in seconds; default 0.
---@field match? "time"|"travelled"|"to_stop"|"turn" What advances the clips: "time" (the default); "travelled": the distance that the actor has moved since they began; "to_stop": the distance that it has left (a transition waits until the clip covers it); "turn": the angle that it has left to turn.
---@field match_param? string The parameter with the distance (in metres) or the angle (in radians) that is left; default to_stop or turn, which actor:motor sets.
---@field sync? boolean|string true: the clips below share one phase. A name: they share it with others of that name.

---@class sinew.SwitchNode
---@field [integer] any Nodes.
---@field param? sinew.ParamName The parameter that selects the node, from 0.
---@field key? string Identifies the node when the graph is edited; otherwise the clips below it do.
---@field speed? number Multiplies the speed of its clip, or of everything below; default 1.
---@field sync? boolean|string true: the clips below share one phase. A name: they share it with others of that name.
---@field fade? number Seconds to crossfade to another node; default 0.2.
---@field ease? "linear"|"in"|"out"|"in_out" The curve of the fade.

---@class sinew.MachineNode
---@field start? sinew.StateName The initial state; default the first by name.
---@field states? table Nodes by name.
---@field transitions? any[] A list of { from, to, on = "event" }; the first that can be taken is taken.
---@field key? string Identifies the node when the graph is edited; otherwise the clips below it do.
---@field speed? number Multiplies the speed of its clip, or of everything below; default 1.
---@field sync? boolean|string true: the clips below share one phase. A name: they share it with others of that name.

---@class sinew.MachineText
---@field [integer] string|table Transitions as texts: "state -> state: on EVENT, when CONDITION" and further words, as in the module's head; or a table whose first entry is such a text and whose others are fields of a transition.
---@field start? sinew.StateName The initial state; default the first by name.
---@field states? table Nodes by name.
---@field key? string Identifies the node when the graph is edited; otherwise the clips below it do.
---@field speed? number Multiplies the speed of its clip, or of everything below; default 1.
---@field sync? boolean|string true: the clips below share one phase. A name: they share it with others of that name.

---@class sinew.Transition
---@field [integer] string The names of two states; the first may be "*" for any state.
---@field on? string Requires this event, sent with actor:send.
---@field when? string|function Requires this condition: "speed > 0.2 and abs(turn) < 1", with the actor's parameters, time_left, phase and state_time; or a function that receives the actor and returns whether it holds.
---@field before_end? number Requires that no more than these seconds are left of the playing clip.
---@field fade? number Seconds that it takes; default 0.2.
---@field ease? "linear"|"in"|"out"|"in_out" The curve of the fade.
---@field blend? "crossfade"|"frozen"|"inertial" "crossfade" (the default), "frozen" or "inertial".
---@field keep_phase? boolean The new state starts at the old state's phase, or between the same steps.
---@field restart? boolean With "*": also leads from the state to itself.
---@field locked? boolean Blocks all other transitions while it fades.

---@class sinew.Marker
---@field [integer] any The time in seconds, and the name.
---@field sync? boolean Whether clips in sync are aligned there.
---@field silent? boolean Whether it raises no event.
---@field data? any A value for the handlers of the event.

---@class sinew.PlayingOptions
---@field layer? sinew.LayerName Only this layer; default all.

---@class sinew.GraphOptions
---@field layer? sinew.LayerName The name of a layer; default "base".
---@field fade? number Seconds in which differences die away; default 0.2.

---@class sinew.JointTransform
---@field position? sinew.Vec3|number[] In metres.
---@field rotation? sinew.Quat|number[]|number A quaternion {x, y, z, w}, or an angle about y in radians.
---@field scale? sinew.Vec3|number[] Its scale.

---@class sinew.LookAtModifier
---@field [integer] string Its name in actor.modifiers.
---@field chain? any[] The joints to turn, of which the last one looks: { "Spine2", "Neck", "Head" }.
---@field weight? number|string Its weight, from 0 to 1, or the name of a parameter of the actor or of a curve of its clips; default 1.
---@field target? sinew.Vec3|number[]|table A point in world space, or { actor, "joint" }.
---@field forward? sinew.Vec3|number[] The direction in which the last joint looks, in its own space; default where the model faces at rest.
---@field up? sinew.Vec3|number[] The direction that stays upright, in the same space; {0, 0, 0} for none.
---@field limit? number The largest angle, in radians; default 1.2.
---@field half_life? number The seconds in which the gaze or the tip covers about half the distance to a target that appears, disappears or jumps, or the pelvis half the distance to a new height over planted feet. 0: at once. Default 0.1; for `ik` and `chain` 0.
---@field turn_rate? number The speed, in radians per second, up to which it follows a moving target without lag; default 6.
---@field weights? any[] The weight of each joint in the rotation; default 1 each.

---@class sinew.IkModifier
---@field [integer] string Its name in actor.modifiers.
---@field tip? sinew.JointName|integer The joint that reaches for the target.
---@field middle? sinew.JointName|integer The joint that bends; default the tip's parent.
---@field upper? sinew.JointName|integer The root of the limb; default the parent of the middle joint.
---@field hinge? sinew.Vec3|number[] The axis it bends about, in the middle joint's space.
---@field weight? number|string Its weight, from 0 to 1, or the name of a parameter of the actor or of a curve of its clips; default 1.
---@field target? sinew.Vec3|number[]|table A point in world space, or { actor, "joint" }.
---@field pole? sinew.Vec3|number[] A point in world space that the middle joint bends towards.
---@field soften? number From this fraction of the limb's length on, it straightens more slowly: 0.5 to 1; default 0.97.
---@field keep_tip? boolean Whether the tip keeps its rotation in model space.
---@field stretch? number The largest factor by which the limb may stretch to reach the target: 1 to 2; default 1.
---@field half_life? number The seconds in which the gaze or the tip covers about half the distance to a target that appears, disappears or jumps, or the pelvis half the distance to a new height over planted feet. 0: at once. Default 0.1; for `ik` and `chain` 0.

---@class sinew.ChainModifier
---@field [integer] string Its name in actor.modifiers.
---@field root? sinew.JointName|integer The first joint of the chain.
---@field tip? sinew.JointName|integer The joint that reaches for the target.
---@field weight? number|string Its weight, from 0 to 1, or the name of a parameter of the actor or of a curve of its clips; default 1.
---@field target? sinew.Vec3|number[]|table A point in world space, or { actor, "joint" }.
---@field half_life? number The seconds in which the gaze or the tip covers about half the distance to a target that appears, disappears or jumps, or the pelvis half the distance to a new height over planted feet. 0: at once. Default 0.1; for `ik` and `chain` 0.
---@field iterations? integer The largest number of iterations; default 16.
---@field tolerance? number The distance that is near enough, in metres; default 0.001, and 0.1 for a figure in centimetres.

---@class sinew.SpringModifier
---@field [integer] string Its name in actor.modifiers.
---@field joints? any[] The joints that swing; { "Ponytail1/**" } is a joint with everything below it.
---@field weight? number|string Its weight, from 0 to 1, or the name of a parameter of the actor or of a curve of its clips; default 1.
---@field frequency? number The frequency of the spring, in Hz; default 3.
---@field damping? number The damping ratio: 0 swings for ever, 1 not at all; default 0.5.
---@field gravity? sinew.Vec3|number[] In metres per second squared; default {0, -9.81, 0}, whatever the unit of the figure.

---@class sinew.LimitModifier
---@field [integer] string Its name in actor.modifiers.
---@field joint? sinew.JointName|integer The joint.
---@field axis? sinew.Vec3|number[] The direction of the bone, in the joint's own space; default towards its first child.
---@field weight? number|string Its weight, from 0 to 1, or the name of a parameter of the actor or of a curve of its clips; default 1.
---@field swing? number The largest angle from the axis, in radians; default 1.
---@field twist_min? number The smallest twist about the axis, in radians; default -1.
---@field twist_max? number The largest twist about the axis, in radians; default 1.

---@class sinew.CopyTransformModifier
---@field [integer] string Its name in actor.modifiers.
---@field joint? sinew.JointName|integer The joint to move.
---@field source? sinew.JointName|integer The joint to copy.
---@field weight? number|string Its weight, from 0 to 1, or the name of a parameter of the actor or of a curve of its clips; default 1.
---@field parts? string One or more of "position rotation scale"; default "position rotation".
---@field offset? sinew.JointTransform Relative to the source.

---@class sinew.TwistModifier
---@field [integer] string Its name in actor.modifiers.
---@field joint? sinew.JointName|integer The helper joint.
---@field source? sinew.JointName|integer The joint whose rotation it takes; both have the same parent.
---@field axis? sinew.Vec3|number[] An axis in their parent's space: takes only the twist about it; default the whole rotation.
---@field weight? number|string Its weight, from 0 to 1, or the name of a parameter of the actor or of a curve of its clips; default 1.
---@field fraction? number The fraction of the rotation, -1 to 1; default 0.5.

---@class sinew.PlantModifier
---@field [integer] string Its name in actor.modifiers.
---@field pelvis? sinew.JointName|integer The joint that sinks if a leg would be too short; default the rig's (model:roles).
---@field feet? any[] The joints of the feet; knee and thigh are their parents. Default the rig's.
---@field ground? function function(x, z) return height, normal end; default level ground at the actor's height.
---@field hinge? sinew.Vec3|number[] The axis that knees bend about, in the knee's own space; default the axis to the left of where the model faces at rest.
---@field weight? number|string Its weight, from 0 to 1, or the name of a parameter of the actor or of a curve of its clips; default 1.
---@field half_life? number The seconds in which the gaze or the tip covers about half the distance to a target that appears, disappears or jumps, or the pelvis half the distance to a new height over planted feet. 0: at once. Default 0.1; for `ik` and `chain` 0.
---@field max_shift? number The largest distance that the pelvis moves, in metres; default 0.4, and 40 for a figure in centimetres.
---@field max_tilt? number The largest tilt of a foot, in radians; default 0.6.
---@field lock? number Foot locking: the largest distance, in metres, that a planted foot may stay behind its clip so that it does not slide; 0.15 is a good value. Default 0: off.

---@class sinew.WarpModifier
---@field [integer] string Its name in actor.modifiers.
---@field pelvis? sinew.JointName|integer The joint that turns and sinks; default the rig's (model:roles).
---@field feet? any[] The joints of the two feet; knee and thigh are their parents. Default the rig's.
---@field spine? any[] The joints from the pelvis to the chest, which rotate back; default those above both of the rig's hands.
---@field hinge? sinew.Vec3|number[] The axis that knees bend about, in the knee's own space; default the axis to the left of where the model faces at rest.
---@field weight? number|string Its weight, from 0 to 1, or the name of a parameter of the actor or of a curve of its clips; default 1.
---@field stride? number[] The smallest and the largest factor by which strides change; default {0.7, 1.4}.
---@field angle? number The largest rotation of the strides and the hips, in radians, up to 1.6; default 0.9.

---@class sinew.ModifierModifier
---@field [integer] any Its name, and a function that receives a pose, the actor and dt.
---@field weight? number|string Its weight, from 0 to 1, or the name of a parameter of the actor or of a curve of its clips; default 1.

---@class sinew.PoseIkOptions
---@field weight? number Its weight, from 0 to 1; default 1.
---@field pole? sinew.Vec3|number[] A point in model space that the middle joint bends towards.
---@field soften? number From this fraction of the limb's length on, it straightens more slowly: 0.5 to 1; default 0.97.
---@field keep_tip? boolean Whether the tip keeps its rotation in model space.
---@field stretch? number The largest factor by which the limb may stretch to reach the target: 1 to 2; default 1.

---@class sinew.RetargetOptions
---@field map? table Which joint of the pose's model corresponds to which of the other's: { ["theirs"] = "ours", ["another"] = false }; the rest is matched by name.

---@class sinew.MatchReport
---@field matched? table Joints matched by the map or by name, { ["ours"] = "theirs" }; the keys are the other model's joints.
---@field guessed? table Likewise, joints matched as the same part of a body.
---@field missing? string[] Joints of the other model without a match; they stay at rest.
---@field scale? number The other model's size divided by this model's.

---@class sinew.MeasureOptions
---@field feet? any[] The joints that stand on the ground; default the feet of a humanoid.
---@field height? number A foot up to this far above its rest height counts as on the ground, in metres; default 0.02, and 2 for a figure in centimetres.
---@field ground? function function(x, z) return height, normal end; default the ground that the feet are planted on, or the level on which the actor stands.

---@class sinew.BakeOptions
---@field seconds? number How long to record, at most 600; default 1.
---@field rate? number Keys per second, at most one per frame; default 60.
---@field name? string The name of the animation; default the file's.
---@field movement? boolean Whether the actor's own movement through the scene is included; default false.

---@class sinew.RecordOptions
---@field rate? number Frames of the video per second of the scene; default 30.
---@field seconds? number The length of the video; without it, sinew.record() ends the video.

---@class sinew.RootOptions
---@field joint? sinew.JointName|integer The joint whose motion moves the character; default the rig's root (model:roles).
---@field axes? string The axes to take, "xz yaw" for instance.
---@field apply? boolean Whether it moves the actor; default true. If not, read actor:root_delta in the scene.
---@field feet? any[]|boolean The joints of the feet, or true for the rig's; clips that walk on the spot get their displacement from them.
---@field height? number A foot up to this far above its lowest height counts as planted, in metres; default 0.02 for a person, in proportion to the figure's legs for others.

---@class sinew.MotorOptions
---@field acceleration? number In metres per second squared; default 9, and 900 for a figure in centimetres.
---@field braking? number The same, while it slows down; default 12, and 1200.
---@field turn_rate? number In radians per second; default 6.
---@field level? sinew.Level The level in which the actor walks, as an upright capsule: it slides along walls, climbs steps, stays on slopes, rides on parts that move, and falls. The motor controls the height then, and declares the parameters grounded (1 or 0) and rise (m/s upwards).
---@field radius? number Of the capsule, in metres; default 0.3.
---@field height? number Of the capsule, in metres, at least twice the radius; default 1.8.
---@field step? number The highest step that it climbs, in metres; default 0.35.
---@field slope? number The steepest ground on which it stands, in radians; default 50°.
---@field gravity? number In metres per second squared; default 9.81.

---@class sinew.LevelOptions
---@field [integer] sinew.LevelPart Its parts.
---@field name? string What the names of its actors begin with; default "level", "level 2" …

---@class sinew.LevelPart
---@field [integer] string Its name.
---@field box? sinew.Vec3|number[] The edges of a box, in metres, around its position.
---@field plane? number[] Width and depth of a flat rectangle, in metres.
---@field sphere? number The radius of a sphere, in metres.
---@field capsule? number[] Radius and height of an upright capsule, in metres.
---@field stairs? table The number of steps, up towards +z from its position, with rise, run and width in metres: { 12, rise = 0.17, run = 0.28, width = 2 }.
---@field heights? table Rows of heights in metres along z, each a list along x.
---@field size? number[] Width and depth of heights, in metres.
---@field model? sinew.Model|string A model, or its file; its triangles in the rest pose.
---@field position? sinew.Vec3|number[] In metres; default {0, 0, 0}.
---@field rotation? sinew.Quat|number[]|number A quaternion, or an angle about y in radians; default none.
---@field scale? sinew.Vec3|number[] Its size; default {1, 1, 1}. What is walked on keeps it.
---@field color? sinew.Vec3|number[] Of a shape: linear red, green, blue, 0 to 1; default grey.
---@field surface? string What it is made of, for motor.surface and hits: "stone".

---@class sinew.RaycastOptions
---@field ignore? sinew.Actor A part that the ray passes through.

---@class sinew.RaycastHit
---@field point? sinew.Vec3|number[] Where it hits.
---@field normal? sinew.Vec3|number[] Of the surface, towards the ray's beginning.
---@field distance? number Metres from the ray's beginning.
---@field part? string The name of the part.
---@field surface? string What it is made of, where the part says so.
---@field actor? sinew.Actor The part's actor.

---@class sinew.AttachOptions
---@field offset? sinew.JointTransform Relative to the joint, in metres.
---@field joint_scale? boolean true: the rig's own scale of the joint scales what is attached, and its offset. Default false: a prop keeps its size on every rig.
---@field name? string The name of the actor made from a model; default the file's.

---@class sinew.ExpectOptions
---@field tolerance? number The largest allowed distance of a joint from the saved pose, in metres; default 0.001.

---@class sinew.TweenOptions
---@field ease? string|function The name of one of tween.ease, or a function from the fraction of the time to that of the distance; default "linear".
---@field delay? number Seconds until it begins; default 0.
---@field done? function Called when the value is reached.

---@class sinew.FollowOptions
---@field distance? number How far behind the actor, in metres; default 4.
---@field height? number Height above the actor at the start; default 1.8.
---@field look? number The height that it looks at; default 1.1.
---@field rate? number How quickly it comes along: 8 takes about a third of a second; default 5.
---@field behind? number How quickly it goes behind the actor again after it was turned; 0: it stays; default 5.
---@field ground? function function(x, z) whose height it stays above; default the level of the actor.

---@class sinew.OrbitOptions
---@field distance? number In metres; default 4.
---@field height? number The height that it looks at; default 1.
---@field yaw? number Its angle about the vertical at the start, in radians; default 0.
---@field pitch? number Its angle above the horizon at the start; default 0.2.
---@field speed? number Radians a second that it turns by itself; default 0.

---@class sinew.FlyOptions
---@field speed? number Metres a second; shift is four times that; default 3.

---@class sinew.SimulateOptions
---@field seconds? number How long to run.
---@field frames? integer How many frames to run.
---@field keys? any[] Keys by time: { { 0, "+w" }, { 2, "space" }, { 3, "-w" } }.
---@field mouse? any[] Mouse positions and buttons by time: { { 0, 320, 200 }, { 0.1, "+left" }, { 0.5, "-left" } }.

return sinew

---@meta sinew
-- What scenes can call, for editors that run the Lua language server. Written by the program from its own
-- description of the API: `sinew stubs > scripts/sinew.d.lua`. With a scene its names are here, too:
-- `sinew stubs scene.lua > sinew.d.lua`.

---@class sinew.Vec3
---@field x number
---@field y number
---@field z number

---@class sinew.Quat: sinew.Vec3
---@field w number

---@class sinew.Mask

---@class sinew.Node

---@class sinew.Modifier

---@alias sinew.ClipName
---| string

---@alias sinew.JointName
---| string

---@alias sinew.ActorName
---| string

---@alias sinew.LayerName
---| string

---@class sinew.Morphs
---@field [string] number

---@class sinew.Params
---@field [string] number

---@class sinew.Modifiers
---@field [string] sinew.ActorModifier

---@class sinew
---@field ui sinew.ui Sliders, buttons, panels.
---@field view sinew.view What is shown of everything, for finding mistakes.
---@field debug sinew.debug Lines and text for a look inside.
---@field camera sinew.camera The camera.
---@field light sinew.light The sun, the sky, the exposure.
---@field time number Seconds of scene time. (read only)
---@field frame integer Frames begun so far. (read only)
---@field version string The version of Sinew. (read only)
---@field renderer string What draws, in words: the device, the version of OpenGL, and what was lowered where a software rasteriser draws; empty where nothing does. (read only)
---@field help_text string The line of help that the window shows at first.
---@field test function|nil What `sinew test` runs; an error in it is a failure.
---@field tests table Further tests by name: function sinew.tests.waves() … end. Each has the scene to itself. (read only)
---@field update function|nil function(dt): before each frame.
---@field draw function|nil function(): after actors have moved, for widgets and lines.
---@field key_pressed function|nil function(key).
---@field key_released function|nil function(key).
---@field mouse_pressed function|nil function(x, y, button): 1 left, 2 right, 3 middle.
---@field mouse_released function|nil function(x, y, button).
---@field file_dropped function|nil function(path): a file was dropped on the window.
sinew = {}

---Ends the run after this frame.
function sinew.quit() end

---Records what is shown, from now on, as a video: a .mp4, .webm or .gif in the scene's own folder, in place of one that was there. Meanwhile each frame takes 1 / rate seconds of the scene, however long it takes to draw. The same file again goes on, no file ends it. False where the run draws nothing.
---@param file? string
---@param options? sinew.RecordOptions
---@return boolean
function sinew.record(file, options) end

---As print: to the log on the picture and to the terminal.
---@param ... any
function sinew.log(...) end

---Shows an error on the picture as a callback's is shown, and goes on. Given a coroutine it says where that one was. The same error again is counted.
---@param message any
---@param task? any
function sinew.report(message, task) end

---Whether a key is held.
---@param key string
---@return boolean
function sinew.is_down(key) end

---Where the mouse is, in pixels from the top left, and whether left, right and middle are held.
---@return number
---@return number
---@return boolean
---@return boolean
---@return boolean
function sinew.mouse() end

---A step of dt seconds from one value towards another, the same at any frame rate; a rate of 8 takes about a third of a second.
---@param from number
---@param to number
---@param rate number
---@param dt number
---@return number
function sinew.damp(from, to, rate, dt) end

---The value, held between two others.
---@param value number
---@param minimum number
---@param maximum number
---@return number
function sinew.clamp(value, minimum, maximum) end

---from at t = 0, to at t = 1.
---@param from number|sinew.Vec3|number[]
---@param to number|sinew.Vec3|number[]
---@param t number
---@return number|sinew.Vec3|number[]
function sinew.lerp(from, to, t) end

---A vector, which can be added, subtracted and multiplied by a number.
---@param x number
---@param y number
---@param z number
---@return sinew.Vec3|number[]
function sinew.vec3(x, y, z) end

---A table that outlives reloads. A default that changes in the file replaces the value; other values stay.
---@param name string
---@param defaults? table
---@return table
function sinew.keep(name, defaults) end

---Adds a handler beside the callback of that name; what modules use.
---@param event string
---@param handler function
function sinew.on(event, handler) end

---Inside sinew.test(): runs the scene for a while, with keys and mouse.
---@param options sinew.SimulateOptions
function sinew.simulate(options) end

---Prints what is known of a name, sinew.help("actor.play"), or which names there are, sinew.help("actor").
---@param name? string
---@return string
function sinew.help(name) end

---Loads a model from the scene's folder or from Sinew's assets. Raises where it cannot be read. With { wait = false } the scene goes on meanwhile, and what is asked of its actors is done when the model has come.
---@param path string
---@param options? sinew.ModelOptions
---@return sinew.Model
function sinew.model(path, options) end

---As sinew.model, but returns nil and the reason in place of raising.
---@param path string
---@param options? sinew.ModelOptions
---@return sinew.Model?
---@return string?
function sinew.try_model(path, options) end

---Declares an actor by its name. With the name alone it finds one that is there; a file name alone ("hero.glb") declares one that is called after the file.
---@param name sinew.ActorName
---@param model? sinew.Model|string
---@param options? sinew.ActorOptions
---@return sinew.Actor
function sinew.actor(name, model, options) end

---A node that plays a clip: sinew.clip { "Jump", loop = "once" }. Where nothing else is said, the clip's name alone is a node.
---@param definition sinew.ClipNode
---@return sinew.Node
function sinew.clip(definition) end

---A node that blends by weights: sinew.blend { { "Walk", 2 }, { "Limp", "hurt" } }; a weight is a number or a parameter.
---@param definition sinew.BlendNode
---@return sinew.Node
function sinew.blend(definition) end

---A node that blends the two samples around a parameter: sinew.blend_space_1d { param = "speed", { 0, "Idle" }, { 1.6, "Walk" } }. A place may be a function, which is asked in each frame.
---@param definition sinew.Space1dNode
---@return sinew.Node
function sinew.blend_space_1d(definition) end

---A node that blends the three samples around a point of two parameters: { x, y, node }. Outside of all samples the nearest edge counts.
---@param definition sinew.Space2dNode
---@return sinew.Node
function sinew.blend_space_2d(definition) end

---A node that shows one of its children: the parameter says which, from 0.
---@param definition sinew.SwitchNode
---@return sinew.Node
function sinew.switch(definition) end

---A node that is in one of its states; transitions lead from one to another: { "move", "jump", on = "jump" }, from "*" for any.
---@param definition sinew.MachineNode
---@return sinew.Node
function sinew.state_machine(definition) end

---A modifier that turns a chain of joints so that the last one looks at a target.
---@param definition sinew.LookAtModifier
---@return sinew.Modifier
function sinew.look_at(definition) end

---A modifier that bends an arm or a leg so that its tip comes to a target.
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

---A modifier that keeps a joint's turn from its rest rotation inside a cone, and its twist bounded.
---@param definition sinew.LimitModifier
---@return sinew.Modifier
function sinew.limit(definition) end

---A modifier that puts a joint where another one is.
---@param definition sinew.CopyTransformModifier
---@return sinew.Modifier
function sinew.copy_transform(definition) end

---A modifier that turns a helper joint by a share of what another one has turned.
---@param definition sinew.TwistModifier
---@return sinew.Modifier
function sinew.twist(definition) end

---A modifier that puts feet on uneven ground, and the pelvis where every leg can reach.
---@param definition sinew.PlantModifier
---@return sinew.Modifier
function sinew.plant(definition) end

---A modifier that is a function: sinew.modifier { "lean", function(pose, actor, dt) … end }. The pose is there for the time of the call.
---@param definition sinew.ModifierModifier
---@return sinew.Modifier
function sinew.modifier(definition) end

---Reads a saved pose for a model, joint by joint by name, and which names did not meet. Raises where the file is not whole.
---@param file string
---@param model sinew.Model
---@return sinew.Pose
---@return sinew.PoseReport
function sinew.load_pose(file, model) end

---Raises where a joint of the actor is further from the saved pose than the tolerance. `sinew test --update` writes the file instead.
---@param actor sinew.Actor
---@param file string
---@param options? sinew.ExpectOptions
function sinew.expect_pose(actor, file, options) end

---Makes a model of tables: joints, meshes with weights, clips. The same content gives the same model; a save that changes it changes the actors that have it, which go on where they were.
---@param description sinew.BuildOptions
---@return sinew.Model
function sinew.build_model(description) end

---Declares thousands of characters that share a model and a graph. What they differ in are arrays, one number for each: crowd.x[3] = 1.5, crowd.params.speed = 1.4 for all. A name alone finds a crowd that is there.
---@param model sinew.Model|string
---@param count? integer
---@param options? sinew.CrowdOptions
---@return sinew.Crowd
function sinew.crowd(model, count, options) end

---@class sinew.ui
sinew.ui = {}

---ui.slider(table, "field", 0, 1) moves the field; ui.slider("label", value, 0, 1) returns the new value.
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

---As a slider without ends: the number follows the mouse by so much for each pixel (0.01).
---@param target any
---@param field string|number
---@param step? number
---@param minimum? number
---@param maximum? number
---@param label? string
---@return number
function sinew.ui.drag(target, field, step, minimum, maximum, label) end

---ui.combo(table, "clip", {"Idle", "Walk"}) or ui.combo("label", "Idle", items): one of several texts.
---@param target any
---@param field string
---@param items table
---@param label? string
---@return string
function sinew.ui.combo(target, field, items, label) end

---A color {red, green, blue} from 0 to 1: ui.color(table, "field") or ui.color("label", {1, 0, 0}).
---@param target any
---@param field string|sinew.Vec3|number[]
---@param label? string
---@return sinew.Vec3|number[]
function sinew.ui.color(target, field, label) end

---A curve of a list of numbers, the last 1,024 of them.
---@param label string
---@param values table
---@param minimum? number
---@param maximum? number
function sinew.ui.plot(label, values, minimum, maximum) end

---A bar to scrub in: ui.timeline(walk, "time", walk.duration, { { 0.4, "step" } }).
---@param target any
---@param field string|number
---@param duration number
---@param marks? table
---@param label? string
---@return number
function sinew.ui.timeline(target, field, duration, marks, label) end

---True in the frame in which it is pressed.
---@param label string
---@return boolean
function sinew.ui.button(label) end

---A line of text.
---@param text any
function sinew.ui.text(text) end

---A line between widgets.
function sinew.ui.separator() end

---The widgets of the function go into a panel of their own.
---@param title string
---@param widgets function
function sinew.ui.panel(title, widgets) end

---Widgets that fold away; `open`: whether they show at first.
---@param label string
---@param widgets function
---@param open? boolean
function sinew.ui.tree(label, widgets, open) end

---One of several: ui.tabs("parts", { { "Body", function() end }, { "Face", function() end } }).
---@param label string
---@param tabs table
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

---Writes at a pixel, from the top left, in this frame.
---@param x number
---@param y number
---@param text any
---@param color? sinew.Vec3|number[]
function sinew.debug.text(x, y, text, color) end

---@class sinew.view
---@field wireframe boolean Triangles over the shaded picture.
---@field skeleton boolean Joints of every actor.
---@field names boolean Names of joints.
---@field axes boolean Axes of joints: x red, y green, z blue.
---@field bind_pose boolean Every actor in its bind pose.
---@field bounds boolean The box by which each actor is culled.
---@field root_path boolean Where each actor's root has been.
---@field contacts boolean Ends of skeletons on the ground: green where they stand, orange where they slide.
---@field scale boolean Metres along the axes of the ground: x red, z blue.
---@field ground boolean The ground with its metre grid.
---@field stats boolean Numbers about speed.
---@field inspector boolean The panel that shows and changes what every actor does.
---@field paused boolean Time stands still: dt is 0, and nothing moves but the camera and panels. F6 does it, too; F7 lets one frame pass.
---@field speed number Of scene time: 0.25 is slow motion; 1. F8 goes through 1, ¼ and 1/16.
---@field surface "shaded"|"normals"|"joints"|"weight"|"velocity" What surfaces show: "shaded", "normals", "joints", "weight" (of sinew.view.joint) or "velocity".
---@field joint string The joint whose weights the surface "weight" shows.
---@field skinner string Where actors are skinned: "cpu", "vertex" (by the shaders of each pass), "feedback" or "compute" (once for all passes). The picture is the same.
---@field skinners table The names of those that are there. (read only)
sinew.view = {}

---@class sinew.camera
---@field position sinew.Vec3|number[] Where it is, in metres.
---@field target sinew.Vec3|number[] What it looks at.
---@field fov number The height of the view, in radians.
---@field orbit boolean The mouse turns the camera about its target.
sinew.camera = {}

---@class sinew.light
---@field direction sinew.Vec3|number[] Towards the sun.
---@field color sinew.Vec3|number[] The sun's colour, linear red, green, blue.
---@field intensity number How bright the sun is; 3 is a clear day.
---@field sky sinew.Vec3|number[] Light from above.
---@field ground sinew.Vec3|number[] Light from below.
---@field exposure number Brightness of the picture; 1 is neutral.
---@field fog number How much of the view a metre takes away; 0 is clear, 0.02 a misty morning.
sinew.light = {}

---@class sinew.Model
---@field path string The file it was loaded from. (read only)
---@field loaded boolean Whether it is there; false while it is on its way. (read only)
---@field problem string|nil Why it could not be loaded in the background. (read only)
local model = {}

---Waits until it is there, and returns it; raises where it cannot be read.
---@return sinew.Model
function model:wait() end

---The names of its clips.
---@return string[]
function model:clips() end

---The names of its joints, parents before children; a path such as "Neck/Head" where a name alone means another joint.
---@return string[]
function model:joints() end

---The names of its morph targets.
---@return string[]
function model:morphs() end

---How long a clip is, in seconds.
---@param clip sinew.ClipName|integer
---@return number
function model:duration(clip) end

---A weight from 0 to 1 for each joint: { ["Spine1/**"] = 1, Head = 0.5 }. "/**" is a joint with all below it; the most specific pattern wins, and joints that none names get 0.
---@param weights table
---@return sinew.Mask
function model:mask(weights) end

---Gives a clip its markers, in place of those it had: { { 0.1, "left", sync = true }, { 0.62, "right", sync = true } }. Whoever plays past one causes an event of that name.
---@param clip sinew.ClipName|integer
---@param markers table
function model:markers(clip, markers) end

---Finds when feet come down in a clip, whether it travels or walks on the spot: sync markers for model:markers, with the joint as data. man:find_steps("Walk", { LeftToeBase = "left", RightToeBase = "right" }).
---@param clip sinew.ClipName|integer
---@param feet table
---@return table
function model:find_steps(clip, feet) end

---The pose of a clip at a moment.
---@param clip sinew.ClipName|integer
---@param time number
---@return sinew.Pose
function model:sample(clip, time) end

---The pose that the model has at rest.
---@return sinew.Pose
function model:rest() end

---How poses of this model are taken over to another by pose:retarget: which joint follows which.
---@param other sinew.Model
---@param options? sinew.RetargetOptions
---@return sinew.MatchReport
function model:match(other, options) end

---The names of its meshes.
---@return string[]
function model:meshes() end

---@class sinew.Actor
---@field name string Its name. (read only)
---@field model sinew.Model What it is made of. (read only)
---@field line string The line that declared it, "scene.lua:12". (read only)
---@field position sinew.Vec3|number[] Where it stands, in metres.
---@field rotation sinew.Quat|number[]|number A quaternion {x, y, z, w}; may be set to a number, too: radians about y.
---@field scale sinew.Vec3|number[]|number Its size; may be set to one number, too.
---@field visible boolean A hidden actor moves and is not drawn.
---@field opacity number 0 to 1: how much of what is behind it is hidden.
---@field skinning "linear"|"dual_quaternion" How the skin follows the joints: "linear", or "dual_quaternion", which keeps the volume of twisting limbs.
---@field morphs sinew.Morphs Weights of morph targets by name: actor.morphs.Smile = 1.
---@field params sinew.Params Its parameters by name: actor.params.speed = 1.6.
---@field modifiers sinew.Modifiers Its modifiers by name: actor.modifiers.look.target = { 0, 1.6, 4 }.
---@field metrics table|nil Since actor:measure, else nil: seconds; slide, slide_max (m/s of feet on the ground) and slide_joint; pop (m/s, the largest jump of a joint's speed), pop_joint, pop_time; reach (m, the largest reach error) and reach_modifier. (read only)
local actor = {}

---Plays a clip. It crossfades from what the layer plays; with a weight given it joins the mix instead.
---@param clip sinew.ClipName|integer
---@param options? sinew.PlayOptions
---@return sinew.Action
function actor:play(clip, options) end

---Fades out all that it plays.
---@param fade? number
function actor:stop(fade) end

---Where a joint was in the last frame, in the world.
---@param joint sinew.JointName|integer
---@return sinew.Vec3|number[]
function actor:joint(joint) end

---Takes it off the stage.
function actor:remove() end

---Declares a layer above the ones before it. With the name alone it finds one that is there.
---@param name sinew.LayerName
---@param options? sinew.LayerOptions
---@return sinew.Layer
function actor:layer(name, options) end

---Lets a graph decide what a layer plays; actions lie over it. Given anew, what it was doing goes on: nodes are found again by key, then by the clips below them. What changes joins by inertia.
---@param graph sinew.Node|sinew.ClipName|integer
---@param options? sinew.GraphOptions
function actor:set_graph(graph, options) end

---Takes a layer's graph away.
---@param options? sinew.GraphOptions
function actor:clear_graph(options) end

---Tells the actor's state machines that something has happened: transitions with on = event are taken.
---@param event string
function actor:send(event) end

---The state that a state machine is in, the seconds since it was entered, and how far it has faded in, from 0 to 1. The path names an inner machine: "combat/aim". nil where that does not run.
---@param path? string
---@param options? sinew.GraphOptions
---@return string?
---@return number?
---@return number?
function actor:state(path, options) end

---The states that a state machine was in before, the latest first; 8 at most.
---@param path? string
---@param options? sinew.GraphOptions
---@return string[]
function actor:history(path, options) end

---Calls the function for each event of that name: a marker's, "loop", "finish", or "*" for all. It is given a table: name, actor, action, clip, time, weight, layer, data.
---@param event string
---@param handler function
function actor:on(event, handler) end

---What happened to it in the last frame, in the order of time: the tables that handlers are given.
---@return table[]
function actor:events() end

---In a task (sinew.task): waits for the next event of that name, and returns it.
---@param event string
---@return table
function actor:wait(event) end

---Gives the actor its modifiers, in the order in which they act: { sinew.look_at { … }, sinew.ik { … } }.
---@param modifiers table
function actor:set_modifiers(modifiers) end

---Takes the motion of a joint out of what the base layer plays and lets the actor go along with it: { joint = "Hips", axes = "xz yaw" }. Without options there is none any more.
---@param options? sinew.RootOptions
function actor:root_motion(options) end

---How the root has moved in the last frame, in the actor's own space before it.
---@return sinew.Vec3|number[]
---@return sinew.Quat|number[]|number
function actor:root_delta() end

---Hangs an actor, or a model that becomes one, on a joint, and returns it.
---@param joint sinew.JointName|integer
---@param what sinew.Actor|sinew.Model
---@param options? sinew.AttachOptions
---@return sinew.Actor
function actor:attach(joint, what, options) end

---Lets go of what it hangs from; it stays where it is.
function actor:detach() end

---A copy of the pose that the actor had in the last frame.
---@return sinew.Pose
function actor:pose() end

---Why a joint is where it is: a list of { kind, name, layer, weight, degrees, metres, line } in the order in which they act; print it to read it.
---@param joint sinew.JointName|integer
---@return table
function actor:explain(joint) end

---Begins to measure how it moves, afresh; actor.metrics has the numbers.
---@param options? sinew.MeasureOptions
function actor:measure(options) end

---Records what it shows from the next frame on, and writes it as a glTF animation of its joints: a .glb in the scene's own folder, new or baked before.
---@param file string
---@param options? sinew.BakeOptions
function actor:bake(file, options) end

---Where the vertices of a mesh (the first, without one) were in the last frame: { x, y, z, x, y, z, … } in the world. They are skinned on the CPU for this, as actor.skinning says.
---@param mesh? string|integer
---@return number[]
function actor:vertices(mesh) end

---The lowest and the highest corner of the box around all of its vertices in the last frame, in the world.
---@return sinew.Vec3|number[]
---@return sinew.Vec3|number[]
function actor:bounds() end

---All that it played in the last frame, layer by layer: the nodes of graphs, those above before those below, and actions. Each is { kind, layer, clip, share, phase, time, speed, line }, nodes with their path and actions with action. share is the normalised weight: how much of its layer it is, from 0 to 1. A node above clips tells the clip, phase, time and speed of its heaviest. speed is seconds of the clip in a second, as its sync group leads it.
---@param options? sinew.PlayingOptions
---@return table[]
function actor:playing(options) end

---The transition in progress, { from, to, blend, time, fade, share }: of the state machine that the path names, as in actor:state; where none is, that of the layer's actions, between clips. nil where nothing changes over.
---@param path? string
---@param options? sinew.GraphOptions
---@return table|nil
function actor:transition(path, options) end

---@class sinew.Layer
---@field name string Its name. (read only)
---@field mode "override"|"additive" "override" or "additive". (read only)
---@field weight number How much it covers, 0 to 1, or adds: any number.
local layer = {}

---Takes its weight to another in so many seconds; 0.2.
---@param weight number
---@param seconds? number
function layer:fade(weight, seconds) end

---Gives it another mask, as model:mask takes them. Joints do not jump: they join in so many seconds; 0.2.
---@param mask sinew.Mask|table
---@param seconds? number
function layer:set_mask(mask, seconds) end

---Plays a clip on this layer.
---@param clip sinew.ClipName|integer
---@param options? sinew.PlayOptions
---@return sinew.Action
function layer:play(clip, options) end

---@class sinew.Action
---@field time number Where it is in the clip, in seconds; set it to seek.
---@field phase number The same as a share of its clip, from 0 to 1.
---@field speed number 1 is the clip's own, 0 stands, below 0 it runs backwards.
---@field weight number Its share of the mix.
---@field loop "once"|"forever"|"ping_pong"|integer "once", "forever", "ping_pong" or a number of times.
---@field paused boolean Stands still.
---@field share number Its normalised weight in the last frame: how much of what its layer shows it is, from 0 to 1. (read only)
---@field rate number Seconds of the clip that passed in a second of the last frame: its speed, or what its sync group made of it. (read only)
---@field done boolean It has reached its end, or was replaced. (read only)
---@field actor sinew.Actor|nil Whose it is; nil where that is gone. (read only)
---@field clip string The name of its clip. (read only)
---@field duration number How long the clip is, in seconds. (read only)
local action = {}

---Goes to a time of the clip; with events = true what lies between here and there is heard, as if it had played.
---@param time number
---@param events? boolean
function action:seek(time, events) end

---In a task (sinew.task): waits until this action causes the event, "finish" say, and returns it; nil where the action ended before.
---@param event string
---@return table|nil
function action:wait(event) end

---Fades it out.
---@param fade? number
function action:stop(fade) end

---@class sinew.ActorModifier
---@field name string Its name. (read only)
---@field line string The line that made it. (read only)
---@field weight number How much it does, from 0 to 1.
---@field target sinew.Vec3|number[]|table|nil A point in the world, or { actor, "joint" }: that joint, wherever it goes; nil: it does nothing.
---@field pole sinew.Vec3|number[] A point in the world that the middle joint bends towards.
---@field reach_error number Metres from the tip to the target, in the last frame. (read only)

---@class sinew.Pose
---@field count integer How many joints it has, as many as model:joints lists. (read only)
local pose = {}

---Where a joint is: position, rotation and scale, relative to its parent or in the model.
---@param joint sinew.JointName|integer
---@param space? "local"|"model"
---@return sinew.JointTransform
function pose:get(joint, space) end

---Puts a joint there; what is left out of the transform stays.
---@param joint sinew.JointName|integer
---@param transform sinew.JointTransform
---@param space? "local"|"model"
function pose:set(joint, transform, space) end

---Turns a joint by radians about "x", "y", "z" or a vector of its own space, or of the model's.
---@param joint sinew.JointName|integer
---@param axis string|sinew.Vec3|number[]
---@param angle number
---@param space? "local"|"model"
function pose:rotate(joint, axis, angle, space) end

---Fills a table with ten numbers for each joint: position, rotation and scale, relative to the parent. The same table again leaves no garbage.
---@param buffer? table
---@return table
function pose:read(buffer) end

---Takes all joints from such a table.
---@param buffer table
function pose:write(buffer) end

---A pose between this one (0) and another (1), for the joints of a mask.
---@param other sinew.Pose
---@param weight number
---@param mask? sinew.Mask|table
---@return sinew.Pose
function pose:blend(other, weight, mask) end

---The same in place: the function of a modifier shows a pose by it.
---@param other sinew.Pose
---@param weight? number
---@param mask? sinew.Mask|table
function pose:take(other, weight, mask) end

---This pose with the difference between two others on top.
---@param other sinew.Pose
---@param reference sinew.Pose
---@param weight? number
---@return sinew.Pose
function pose:add(other, reference, weight) end

---The pose with left and right exchanged.
---@return sinew.Pose
function pose:mirror() end

---How far apart the two are: the largest distance of a joint, in metres, and its name.
---@param other sinew.Pose
---@return number
---@return string
function pose:compare(other) end

---Writes it as text, a line for each joint: a .pose in the scene's own folder, new or a pose before.
---@param file string
function pose:save(file) end

---The pose on another model. How the two match is found the first time, and kept.
---@param model sinew.Model
---@param options? sinew.RetargetOptions
---@return sinew.Pose
function pose:retarget(model, options) end

---@class sinew.Crowd
---@field name string Its name. (read only)
---@field model sinew.Model What its members are made of. (read only)
---@field line string The line that declared it, "scene.lua:12". (read only)
---@field count integer How many members it has. (read only)
---@field params table The arrays of its parameters by name: crowd.params.speed[3] = 1.6. (read only)
---@field morphs table The arrays of morph targets by name, added to what clips do: crowd.morphs.Smile[3] = 1. (read only)
---@field x sinew.CrowdArray|table|number|boolean Where members stand, metres; any of these may be set to a number for all, or to a table.
---@field y sinew.CrowdArray|table|number|boolean Likewise, up.
---@field z sinew.CrowdArray|table|number|boolean Likewise.
---@field yaw sinew.CrowdArray|table|number|boolean Turns about y, radians.
---@field scale sinew.CrowdArray|table|number|boolean Sizes; 1.
---@field phase sinew.CrowdArray|table|number|boolean Where members are in their clips, 0 to 1.
---@field rate sinew.CrowdArray|table|number|boolean How fast their time goes; 1 is the clips' own, below 0 backwards.
---@field red sinew.CrowdArray|table|number|boolean Multiplies their colour, linear; 1.
---@field green sinew.CrowdArray|table|number|boolean Likewise.
---@field blue sinew.CrowdArray|table|number|boolean Likewise.
---@field opacity sinew.CrowdArray|table|number|boolean 0 to 1.
---@field visible sinew.CrowdArray|table|number|boolean Whether they are drawn; time goes on.
local crowd = {}

---Puts a member somewhere.
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

---Where a joint of a member is, in the world; found by evaluating the member.
---@param member integer
---@param joint sinew.JointName|integer
---@return sinew.Vec3|number[]
function crowd:joint(member, joint) end

---Gives it another number of members; those that stay go on as they are.
---@param count integer
function crowd:resize(count) end

---Takes it off the stage.
function crowd:remove() end

---@class sinew.CrowdArray
local crowd_array = {}

---Sets all members to one number, or each to its own of a table or of another array; with `first` as many as the table has, from that member on.
---@param values table|number|boolean|sinew.CrowdArray
---@param first? integer
function crowd_array:set(values, first) end

---Fills a table with the numbers of all members. The same table again leaves no garbage.
---@param buffer? table
---@return table
function crowd_array:read(buffer) end

---@class sinew.ModelOptions
---@field clips? table Further files whose clips join the model's: names, folders, or patterns such as "pack/*.fbx".
---@field retarget? string How they come onto it: "copy" their curves, "fit" every pose to its body, or "auto": copy where the rig is the same.
---@field wait? boolean false: return at once and load in the background; true.
---@field map? table Which joint of the clip files is which of the model: { ["theirs"] = "ours", ["another"] = false }.
---@field edits? table A list of clip_edits: other names, parts, turned round, closed to loops.
---@field unit? number Metres in one of the file's units; as the file says.
---@field up? string Which axis of the file points up: "z", "-y" …; as the file says.
---@field influences? integer Joints kept for each vertex: 4 (the default) or 8.
---@field exact? boolean Keep clips in floats.

---@class sinew.BuildOptions
---@field name? string What messages call it; "model".
---@field joints? table A list of joint_options, parents before their children.
---@field meshes? table A list of mesh_options.
---@field clips? table A list of clip_options.

---@class sinew.JointOptions
---@field name? string Its name; no other joint has it.
---@field parent? string|integer A joint before it; without one it hangs from the model.
---@field position? sinew.Vec3|number[] At rest, from its parent, in metres; {0, 0, 0}.
---@field rotation? sinew.Quat|number[]|number At rest, from its parent; none.
---@field scale? sinew.Vec3|number[] At rest; {1, 1, 1}.

---@class sinew.MeshOptions
---@field name? string What messages call it.
---@field positions? table Of its vertices while all joints rest: { {x, y, z}, … } or { x, y, z, … }, in metres.
---@field normals? table One for each vertex; those of the triangles around.
---@field uvs? table { u, v } for each vertex, v down.
---@field colors? table { red, green, blue } or with opacity for each vertex, linear, 0 to 1.
---@field indices? table Triangles, counter-clockwise from the front: { {1, 2, 3}, … } or { 1, 2, 3, … }. The first vertex is 1.
---@field weights? table For each vertex a joint's name or { Elbow = 0.5, Hand = 0.5 }; or for each joint a list of weights, { Elbow = { 1, 0.5, … }, … }. Those of a vertex are divided by their sum.
---@field morphs? table Morph targets by name, with what each vertex moves by: { Smile = { {x, y, z}, … }, … }.
---@field joint? string|integer What vertices without weights follow; nothing.
---@field material? sinew.MaterialOptions How it looks; light grey.

---@class sinew.MaterialOptions
---@field color? sinew.Vec3|number[] Linear red, green, blue, 0 to 1; {1, 1, 1}.
---@field opacity? number 0 to 1; 1.
---@field metallic? number 0 to 1; 0.
---@field roughness? number 0 to 1; 0.8.
---@field emissive? sinew.Vec3|number[] Light of its own, linear red, green, blue; {0, 0, 0}.
---@field double_sided? boolean Its back is seen, too; false.

---@class sinew.ClipOptions
---@field name? string Its name; no other clip has it.
---@field tracks? table By joint: { Elbow = track_options, … }.

---@class sinew.TrackOptions
---@field times? table Of its keys, in seconds, ascending. The first of all begins the clip.
---@field positions? table One for each time, from the parent, in metres.
---@field rotations? table One for each time: quaternions {x, y, z, w}.
---@field scales? table One for each time.
---@field interpolation? "linear"|"step"|"cubic" "linear" (the default), "step", or "cubic": three entries for each time, in-tangent, value and out-tangent, as in glTF.

---@class sinew.ClipEdit
---@field clip? string Which clip: its name, or "#2".
---@field name? string What it is called from now on.
---@field from? number Where the part that is kept begins; 0.
---@field to? number Where it ends; the clip's end.
---@field reverse? boolean It runs backwards.
---@field loop? boolean Its end is bent to its beginning.
---@field mirror? boolean Left and right are exchanged, by the joints' names.

---@class sinew.ActorOptions
---@field position? sinew.Vec3|number[] Where it stands, in metres.
---@field rotation? sinew.Quat|number[]|number A quaternion {x, y, z, w}, or radians about y.
---@field scale? sinew.Vec3|number[]|number Its size.
---@field visible? boolean Whether it is drawn.
---@field opacity? number 0 to 1: how much of what is behind it is hidden; 1.
---@field skinning? "linear"|"dual_quaternion" "linear" (the default) or "dual_quaternion".
---@field params? table Parameters and their first values: { speed = 0, turn = 0 }.

---@class sinew.LayerOptions
---@field mode? "override"|"additive" "override" (the default) covers what is below; "additive" adds.
---@field weight? number How much it covers, 0 to 1, or adds: any number, a negative one takes away; 1.
---@field mask? sinew.Mask|table Which joints it has, as model:mask takes them; all.
---@field reference? sinew.ClipName|integer|sinew.Pose|sinew.ReferenceOptions What clips of an additive layer differ from: the first moment of a clip, a moment of it, or a pose of the model; the first moment of each.

---@class sinew.ReferenceOptions
---@field clip? sinew.ClipName|integer Which clip.
---@field time? number The moment of it; 0.

---@class sinew.PlayOptions
---@field layer? sinew.LayerName The name of a layer; "base".
---@field fade? number How long it takes to come in; 0.2.
---@field fade_out? number A one-shot leaves in this time as its clip ends; without it, it holds its last pose.
---@field loop? "once"|"forever"|"ping_pong"|integer "forever" (the default), "once", "ping_pong" or a number of times.
---@field speed? number 1 is the clip's own.
---@field weight? number Joins the mix with this weight; without it, it crossfades.
---@field time? number Where it begins.
---@field ease? "linear"|"in"|"out"|"in_out" How the fade goes: "linear" (the default), "in", "out", "in_out".
---@field blend? "crossfade"|"frozen"|"inertial" How the others go: "crossfade" (the default), "frozen" (they stand still) or "inertial" (they end at once, and their motion dies away).
---@field from? number The part of the clip that plays begins here.
---@field to? number The part of the clip that plays ends here.
---@field sync? string A name: clips of the actor under one name share one phase.

---@class sinew.PoseReport
---@field missing? string[] Joints of the model that the file has not: they are at rest.
---@field unknown? string[] Joints of the file that the model has not.

---@class sinew.CrowdOptions
---@field name? string What it is known by when the scene is saved; "crowd", "crowd 2" …
---@field graph? sinew.Node|sinew.ClipName|integer What every member plays: a clip, a blend or a blend space, of 4 clips at most; the model's first clip.
---@field params? table Parameters of the graph, and what members begin with.
---@field half_from? number Members further from the camera are evaluated in every second frame; never.
---@field quarter_from? number Those further than this in every fourth; never.
---@field tinted? string|table The materials that members' colours are for, "Cloth*" for all that begin so: { "Jacket", "Trousers" } leaves the skin as it is; all of them.

---@class sinew.ClipNode
---@field [integer] sinew.ClipName|integer The name of the clip, or its number.
---@field loop? "once"|"forever"|"ping_pong"|integer "forever" (the default), "once", "ping_pong" or a number of times.
---@field speed? number 1 is the clip's own.
---@field from? number The part that plays begins here.
---@field to? number The part that plays ends here.
---@field key? string By it an edited graph finds what the node was doing; else by its clip.

---@class sinew.BlendNode
---@field [integer] any { node, weight }; a weight is a number or a parameter.
---@field speed? number Multiplies time for all below.
---@field sync? boolean|string The clips below share a phase; a name: with others of that name.
---@field key? string By it an edited graph finds what the node was doing.

---@class sinew.Space1dNode
---@field [integer] any { place, node }; a place is a number or a function.
---@field param? string The parameter that says where on the line.
---@field smooth? number Time in which it follows the parameter (to 63 %); 0.
---@field speed? number Multiplies time for all below.
---@field sync? boolean|string The clips below share a phase; a name: with others of that name.
---@field key? string By it an edited graph finds what the node was doing.

---@class sinew.Space2dNode
---@field [integer] any { x, y, node }; x and y are numbers or functions.
---@field param_x? string The parameter that says x.
---@field param_y? string The parameter that says y.
---@field smooth? number Time in which it follows the parameters (to 63 %); 0.
---@field speed? number Multiplies time for all below.
---@field sync? boolean|string The clips below share a phase; a name: with others of that name.
---@field key? string By it an edited graph finds what the node was doing.

---@class sinew.SwitchNode
---@field [integer] any Nodes.
---@field param? string The parameter that says which, from 0.
---@field fade? number How long a change takes; 0.2.
---@field ease? "linear"|"in"|"out"|"in_out" How the fade goes.
---@field speed? number Multiplies time for all below.
---@field sync? boolean|string The clips below share a phase; a name: with others of that name.
---@field key? string By it an edited graph finds what the node was doing.

---@class sinew.MachineNode
---@field start? string The state that it begins in; the first by name.
---@field states? table Nodes by name.
---@field transitions? table Lists: { from, to, on = "event" }; the first that holds is taken.
---@field speed? number Multiplies time for all below.
---@field sync? boolean|string The clips below share a phase; a name: with others of that name.
---@field key? string By it an edited graph finds what the node was doing.

---@class sinew.Transition
---@field [integer] string The names of two states; the first may be "*", any.
---@field on? string When this event was sent with actor:send.
---@field when? function When this function returns true; it is given the actor.
---@field before_end? number When what plays has so much left of its pass.
---@field fade? number How long it takes; 0.2.
---@field ease? "linear"|"in"|"out"|"in_out" How the fade goes.
---@field blend? "crossfade"|"frozen"|"inertial" "crossfade" (the default), "frozen" or "inertial".
---@field keep_phase? boolean The new state begins at the same share, or between the same feet.
---@field restart? boolean From "*": also from the state itself.
---@field locked? boolean No other transition is taken while it fades.

---@class sinew.Marker
---@field [integer] any The time in seconds, and the name.
---@field sync? boolean Clips in sync meet there.
---@field silent? boolean It causes no event.
---@field data? any Comes with the event.

---@class sinew.PlayingOptions
---@field layer? sinew.LayerName Of this layer alone; of all.

---@class sinew.GraphOptions
---@field layer? sinew.LayerName The name of a layer; "base".
---@field fade? number How long what changes takes to die away; 0.2.

---@class sinew.JointTransform
---@field position? sinew.Vec3|number[] Metres.
---@field rotation? sinew.Quat|number[]|number A quaternion {x, y, z, w}, or radians about y.
---@field scale? sinew.Vec3|number[] Its size.

---@class sinew.LookAtModifier
---@field [integer] string Its name, by which actor.modifiers finds it.
---@field chain? table Joints, the last one looks: { "Spine2", "Neck", "Head" }.
---@field target? sinew.Vec3|number[]|table A point in the world, or { actor, "joint" }.
---@field limit? number Radians that it turns at most; 1.2.
---@field shares? table How much of the turn each joint makes; even.
---@field forward? sinew.Vec3|number[] Where the last joint looks, in its own space; the model's +z at rest.
---@field up? sinew.Vec3|number[] What is kept upright, in the same space; {0, 0, 0}: nothing.
---@field weight? number How much it does, from 0 to 1; 1.

---@class sinew.IkModifier
---@field [integer] string Its name, by which actor.modifiers finds it.
---@field tip? sinew.JointName|integer The joint that comes to the target.
---@field middle? sinew.JointName|integer The joint that bends; the tip's parent.
---@field upper? sinew.JointName|integer The joint at the limb's root; the parent of that.
---@field target? sinew.Vec3|number[]|table A point in the world, or { actor, "joint" }.
---@field pole? sinew.Vec3|number[] A point in the world that the middle joint bends towards.
---@field hinge? sinew.Vec3|number[] The axis that it bends about, in the middle joint's space.
---@field soften? number From this share of its length on it slows down to straight: 0.5 to 1; 0.97.
---@field keep_tip? boolean The tip keeps its rotation.
---@field weight? number How much it does, from 0 to 1; 1.

---@class sinew.ChainModifier
---@field [integer] string Its name, by which actor.modifiers finds it.
---@field root? sinew.JointName|integer The joint at which the chain begins.
---@field tip? sinew.JointName|integer The joint that comes to the target.
---@field target? sinew.Vec3|number[]|table A point in the world, or { actor, "joint" }.
---@field iterations? integer How often it tries at most; 16.
---@field tolerance? number Metres that are near enough; 0.001.
---@field weight? number How much it does, from 0 to 1; 1.

---@class sinew.SpringModifier
---@field [integer] string Its name, by which actor.modifiers finds it.
---@field joints? table What swings: { "Ponytail1/**" } is a joint with all below it.
---@field frequency? number Of the spring, in 1/s; 3.
---@field damping? number 0 swings for ever, 1 not at all; 0.5.
---@field gravity? sinew.Vec3|number[] Metres per second squared; {0, -9.81, 0}.
---@field weight? number How much it does, from 0 to 1; 1.

---@class sinew.LimitModifier
---@field [integer] string Its name, by which actor.modifiers finds it.
---@field joint? sinew.JointName|integer The joint.
---@field axis? sinew.Vec3|number[] The bone, in the joint's own space; towards its first child.
---@field swing? number Radians from the axis; 1.
---@field twist_min? number Radians about the axis; -1.
---@field twist_max? number Radians about the axis; 1.
---@field weight? number How much it does, from 0 to 1; 1.

---@class sinew.CopyTransformModifier
---@field [integer] string Its name, by which actor.modifiers finds it.
---@field joint? sinew.JointName|integer The joint that is moved.
---@field source? sinew.JointName|integer The joint that it goes to.
---@field parts? string Which of "position rotation scale"; "position rotation".
---@field offset? sinew.JointTransform From the source.
---@field weight? number How much it does, from 0 to 1; 1.

---@class sinew.TwistModifier
---@field [integer] string Its name, by which actor.modifiers finds it.
---@field joint? sinew.JointName|integer The helper joint.
---@field source? sinew.JointName|integer The joint that it turns with; both hang from the same one.
---@field axis? sinew.Vec3|number[] In their parent's space: only the twist about it; the whole turn.
---@field share? number -1 to 1; 0.5.
---@field weight? number How much it does, from 0 to 1; 1.

---@class sinew.PlantModifier
---@field [integer] string Its name, by which actor.modifiers finds it.
---@field pelvis? sinew.JointName|integer The joint that goes down where a leg would be too short.
---@field feet? table The joints of the feet; knee and thigh are the two above each.
---@field ground? function function(x, z) return height, normal end; the level that the actor stands on.
---@field hinge? sinew.Vec3|number[] The axis that knees bend about, in the knee's own space; the model's x at rest.
---@field max_shift? number Metres that the pelvis goes at most; 0.4.
---@field max_tilt? number Radians that a foot tilts at most; 0.6.
---@field weight? number How much it does, from 0 to 1; 1.

---@class sinew.ModifierModifier
---@field [integer] any Its name, and a function that is given a pose, the actor and dt.
---@field weight? number How much it does, from 0 to 1; 1.

---@class sinew.RetargetOptions
---@field map? table Which joint of the pose's model is which of the other's: { ["theirs"] = "ours", ["another"] = false }; the rest by names.

---@class sinew.MatchReport
---@field matched? table By the other's joints: { ["ours"] = "theirs" }, by the map of the options or by name.
---@field guessed? table Likewise, those of the same part of a body.
---@field missing? string[] Joints of the other that follow none, and stay at rest.
---@field scale? number Lengths of the other over those of this model.

---@class sinew.MeasureOptions
---@field feet? table Names of joints that stand on the ground; those of a humanoid.
---@field height? number A foot so far above its rest place is on the ground; 0.02 m.
---@field ground? function function(x, z) return height, normal end; the level that the actor stands on.

---@class sinew.BakeOptions
---@field seconds? number How long to record, 600 at most; 1.
---@field rate? number Keys in a second, at most one for each frame; 60.
---@field name? string Of the animation; the file's name.
---@field place? boolean The actor's way through the scene goes with it; false.

---@class sinew.RecordOptions
---@field rate? number Pictures in a second of the scene; 30.
---@field seconds? number It ends by itself after so long; else when it is told to.

---@class sinew.RootOptions
---@field joint? sinew.JointName|integer The joint whose motion is the character's own, usually the hips.
---@field axes? string Which of it: "xz yaw".
---@field apply? boolean The actor moves with it; true. Else actor:root_delta is for the scene.
---@field feet? table Joints of feet: clips that walk on the spot get their way from them.
---@field height? number Metres above its lowest place within which a foot stands; 0.02.

---@class sinew.AttachOptions
---@field offset? sinew.JointTransform From the joint.
---@field name? string Of the actor that a model becomes; its file's.

---@class sinew.ExpectOptions
---@field tolerance? number Metres that a joint may be off; 0.001.

---@class sinew.SimulateOptions
---@field seconds? number How long to run.
---@field frames? integer How many frames to run.
---@field keys? table What is pressed when: { { 0, "+w" }, { 2, "space" }, { 3, "-w" } }.
---@field mouse? table Where the mouse goes, and its buttons: { { 0, 320, 200 }, { 0.1, "+left" }, { 0.5, "-left" } }.

return sinew

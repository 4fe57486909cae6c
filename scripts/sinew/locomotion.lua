-- A character that starts, walks, runs, stops and turns, from the clips that its model has.
--
--   local locomotion = require "sinew.locomotion"
--   local walk = locomotion(hero, {
--     gaits = { "Idle", "Walk", "Run", "WalkBack", "StrafeLeft", "StrafeRight" },
--     starts = { "WalkStart", "RunStart" },
--     stops = { "WalkStop", "WalkStopRight", "RunStop", "RunStopRight" },
--     turns = { "Turn90", "Turn90Right", "Turn180", "Turn180Right", "PivotLeft", "PivotRight" },
--     acceleration = 4, braking = 4, turn_rate = 6, wait = 0.15,
--   })
--   function sinew.update(dt) walk:go(wish, facing) end -- a velocity in the world; facing: radians, or nil for where it goes
--   print(walk) -- the machine that it made, as text to go on from
--
-- Only gaits are needed. Clips sort themselves by how they move: a start by the speed that it reaches, a stop by the speed
-- that it begins with and the foot that has just come down, a turn by its angle; a turn that begins at speed is a pivot.
-- A stop or a pivot waits for the foot that comes down next, up to `wait` seconds. walk.motor is the actor's motor.
local sinew = require "sinew"
local machine = require "sinew.machine"

local function between(a, b) return (b - a + math.pi) % (2 * math.pi) - math.pi end -- radians, the shorter way
local function yaw_of(q) return 2 * math.atan(q.y, q.w) end
local function flat(v) return math.sqrt(v.x ^ 2 + v.z ^ 2) end

-- ---- what a clip does ----

-- Metres a second of the pelvis at the clip's begin or end; of the lower foot if the pelvis stays where it is.
local function speed_at(man, clip, time, travels)
  local roles, step = man:roles(), 0.1
  local a, b = man:sample(clip, time), man:sample(clip, time + step)
  local joint = roles.pelvis
  if not travels then
    local left, right = a:get(roles.left_ball, "model").position, a:get(roles.right_ball, "model").position
    joint = left.y < right.y and roles.left_ball or roles.right_ball
  end
  return flat(b:get(joint, "model").position - a:get(joint, "model").position) / step
end

local function angle_of(man, clip)
  local pelvis, angle, last = man:roles().pelvis, 0, nil
  for i = 0, 32 do
    local yaw = yaw_of(man:sample(clip, man:duration(clip) * i / 32):get(pelvis, "model").rotation)
    angle, last = angle + (last and between(last, yaw) or 0), yaw
  end
  return angle
end

-- 0 if the left foot is ahead, as it is when it has just come down, 1 if the right one is.
local function foot_of(man, clip)
  local roles, pose = man:roles(), man:sample(clip, 0)
  local way = man:sample(clip, 0.1):get(roles.pelvis, "model").position - pose:get(roles.pelvis, "model").position
  local apart = pose:get(roles.left_ball, "model").position - pose:get(roles.right_ball, "model").position
  return apart.x * way.x + apart.z * way.z > 0 and 0 or 1
end

local function describe(man, clip)
  local duration, pelvis = man:duration(clip), man:roles().pelvis
  local first, last = man:sample(clip, 0), man:sample(clip, duration)
  local way = last:get(pelvis, "model").position - first:get(pelvis, "model").position
  local velocity = man:velocity(clip) or sinew.vec3(0, 0, 0)
  local travels = flat(way) > 0.25 * first:get(pelvis, "model").position.y or flat(velocity) == 0
  return { clip = clip, velocity = velocity, speed = flat(velocity), angle = angle_of(man, clip),
    foot = foot_of(man, clip), begins = speed_at(man, clip, 0, travels),
    ends = speed_at(man, clip, math.max(duration - 0.1, 0), travels) }
end

local function describe_all(man, clips, by)
  local all = {}
  for i, clip in ipairs(clips or {}) do all[i] = describe(man, clip) end
  table.sort(all, function(a, b) return by(a) < by(b) end)
  return all
end

-- ---- the machine ----

local still = 0.1 -- metres a second that count as standing

local function quoted(clips, option)
  local texts = {}
  for i, clip in ipairs(clips) do
    texts[i] = option and ('sinew.clip { "%s", match = "%s" }'):format(clip, option) or ('"%s"'):format(clip)
  end
  return table.concat(texts, ", ")
end

local function add(made, name, text, node)
  made.states[name], made.texts[#made.texts + 1] = node, ("  %s = %s,"):format(name, text)
end

local function rule(made, text, ...) made[#made + 1] = text:format(...) end

local function add_gaits(made, gaits)
  local clips, aside = {}, false
  for i, g in ipairs(gaits) do
    clips[i] = g.clip
    aside = aside or g.velocity.z < -0.1 * g.speed or math.abs(g.velocity.x) > 0.1 * g.speed
  end
  add(made, "idle", quoted { clips[1] }, clips[1])
  local kind = aside and 'sinew.blend_space_2d { param_x = "left", param_y = "ahead", sync = true, '
    or 'sinew.blend_space_1d { param = "speed", sync = true, '
  local space = aside and { param_x = "left", param_y = "ahead", sync = true } or { param = "speed", sync = true }
  table.move(clips, 1, #clips, 1, space)
  add(made, "move", kind .. quoted(clips) .. " }", (aside and sinew.blend_space_2d or sinew.blend_space_1d)(space))
end

-- The speed between a gait and the next faster one: the limits of a start that reaches the speed of the first.
local function add_starts(made, starts)
  for i = #starts, 1, -1 do
    local name, slower, faster = starts[i].clip, starts[i - 1], starts[i + 1]
    local least = slower and (slower.ends + starts[i].ends) / 2 or still
    local most = faster and (" or wanted > %.2f"):format((faster.ends + starts[i].ends) / 2) or ""
    add(made, name, quoted({ name }, "travelled"), sinew.clip { name, match = "travelled" })
    rule(made, "idle -> %s: when wanted > %.2f and ahead > 2 * abs(left), fade 0.15, inertial", name, least)
    rule(made, "%s -> move: before_end 0, fade 0.1, inertial", name)
    rule(made, "%s -> move: when wanted < %.2f%s or abs(turn) > 0.3, fade 0.2, inertial, keep_phase", name, least, most)
  end
  rule(made, "idle -> move: when wanted > %.2f, fade 0.2, inertial", still)
end

-- Those that turn left and those that turn right, by how far.
local function add_turns(made, turns)
  local angles = {}
  for _, t in ipairs(turns) do
    local known = angles[#angles]
    if not known or math.abs(t.angle) > 1.3 * known.angle then angles[#angles + 1] = { angle = math.abs(t.angle) } end
    angles[#angles][t.angle > 0 and "left" or "right"] = t.clip
  end
  for i = #angles, 1, -1 do
    local a, name = angles[i], "turn_" .. math.floor(math.deg(angles[i].angle) + 0.5)
    local least = i > 1 and (angles[i - 1].angle + a.angle) / 2 or 0.57 * a.angle
    local left, right = a.left or a.right, a.right or a.left
    add(made, name, ('sinew.blend_space_1d { param = "turn", match = "turn", { %.2f, "%s" }, { %.2f, "%s" } }')
      :format(-least, right, least, left), sinew.blend_space_1d { param = "turn", match = "turn", { -least, right }, { least, left } })
    rule(made, "idle -> %s: when abs(turn) > %.2f, fade 0.2, inertial", name, least)
    rule(made, "%s -> idle: before_end 0.15", name)
    made.least_turn = least
  end
end

-- One clip for each speed and foot; where a foot has none, that of the other. Returns the speed of each pair.
local function add_by_foot(made, name, clips, match)
  local pairs_of, list, speeds = {}, {}, {}
  for _, c in ipairs(clips) do
    local last = pairs_of[#pairs_of]
    if not last or c.begins > 1.5 * last.speed then
      last = { speed = c.begins }
      pairs_of[#pairs_of + 1] = last
    end
    last[c.foot] = c
  end
  for i, p in ipairs(pairs_of) do
    speeds[i] = p.speed
    for foot = 0, 1 do list[#list + 1] = (p[foot] or p[1 - foot]).clip end
  end
  local nodes = { param = "foot" }
  for i, clip in ipairs(list) do nodes[i] = sinew.clip { clip, match = match } end
  add(made, name, 'sinew.switch { param = "foot", ' .. quoted(list, match) .. " }", sinew.switch(nodes))
  local turns = {}
  for _, c in ipairs(clips) do turns[c.clip] = c.angle end
  for i, clip in ipairs(list) do list[i] = turns[clip] end
  return { speeds = speeds, turns = list }
end

local function make(self, options)
  local man = self.actor.model
  local gaits = describe_all(man, options.gaits, function(c) return c.speed end)
  local made = { states = {}, texts = {} }
  if #gaits < 2 then error("locomotion: gaits needs a clip that stands and one that walks", 3) end
  local turns, pivots = {}, {}
  for _, t in ipairs(describe_all(man, options.turns, function(c) return math.abs(c.angle) end)) do
    table.insert(t.begins > 0.5 * gaits[2].speed and pivots or turns, t)
  end
  table.sort(pivots, function(a, b) return a.begins < b.begins end)
  local moving = 0.65 * self.walks
  add_gaits(made, gaits)
  add_turns(made, turns)
  add_starts(made, describe_all(man, options.starts, function(c) return c.ends end))
  if #pivots > 0 then
    self.pivots = add_by_foot(made, "pivot", pivots, "turn")
    rule(made, "move -> pivot: when abs(turn) > 2.6 and ahead > %.2f, fade 0.2, inertial", moving)
    rule(made, "pivot -> move: before_end 0, fade 0.1, inertial")
  end
  local stops = describe_all(man, options.stops, function(c) return c.begins end)
  if #stops > 0 then
    self.stops = add_by_foot(made, "stop", stops, "to_stop")
    rule(made, "move -> stop: when wanted < %.2f and ahead > %.2f, fade 0.2, inertial", still, moving)
    rule(made, "stop -> idle: before_end 0.1")
    rule(made, "stop -> move: when wanted > %.2f, fade 0.2, inertial", still)
  end
  rule(made, "move -> idle: when wanted < %.2f and speed < %.2f, fade 0.2, inertial", still, 2 * still)
  return made
end

-- ---- what it plans ----

local walker = {}
walker.__index = walker

-- By which clip it stops or turns round now: the pair of its speed, and the foot that came down last or will next, whichever
-- is nearer. nil while it waits for the next.
local function choose(self, by_foot, playing)
  local phase, rate = playing.phase, math.max(playing.speed, 0.1) / self.actor.model:duration(playing.clip)
  self.asked = self.asked or phase
  local since, waited = phase % 0.5, (phase - self.asked) % 1
  if since > 0.06 and waited < self.wait * rate and waited < 0.5 then return nil end
  local pair, foot = 1, math.floor(phase * 2 + 0.5) % 2
  for i = 2, #by_foot.speeds do
    if self.actor.params.speed > (by_foot.speeds[i - 1] + by_foot.speeds[i]) / 2 then pair = i end
  end
  return 2 * (pair - 1) + foot
end

local function plan(self, wish, facing)
  local actor, motor = self.actor, self.motor
  local state, playing = actor:state(), actor:playing()[1]
  local wanted = flat(wish)
  local yaw, way = yaw_of(actor.rotation), math.atan(wish.x, wish.z)
  local off = wanted > 0.1 and math.abs(between(yaw, facing or way)) or 0
  motor.turn_rate = state == "idle" and self.least_turn and 0 or self.turn_rate -- who stands turns by steps
  if math.abs(actor.params.turn) < 2 then self.round = nil end
  if facing then return wish, facing end
  local turns_round = self.pivots and off > 2.6
  if state == "move" and actor.params.ahead > 0.65 * self.walks and (turns_round or self.stops and wanted < 0.1) then
    local foot = choose(self, turns_round and self.pivots or self.stops, playing)
    if not foot then return motor.velocity, motor.facing end
    actor.params.foot = foot
    if turns_round then self.round = yaw + 0.987 * self.pivots.turns[foot + 1] end
    self.asked = nil
    return wish, self.round
  end
  self.asked = nil
  if state:find "^turn" then return sinew.vec3(0, 0, 0), motor.facing
  elseif state == "idle" and self.least_turn and off > 0.7 * self.least_turn then return sinew.vec3(0, 0, 0), way
  end
  return wish, self.round
end

function walker:go(wish, facing)
  self.motor.velocity, self.motor.facing = plan(self, wish, facing)
end

function walker:__tostring()
  local lines = { "machine {", '  start = "idle", states = {' }
  for _, text in ipairs(self.made.texts) do lines[#lines + 1] = "  " .. text end
  lines[#lines + 1] = "  },"
  for _, text in ipairs(self.made) do lines[#lines + 1] = ('  "%s",'):format(text) end
  lines[#lines + 1] = "}"
  return table.concat(lines, "\n")
end

return function(actor, options)
  local self = setmetatable({ actor = actor, wait = options.wait or 0.15,
    turn_rate = options.turn_rate or 6, walks = math.huge }, walker)
  for _, clip in ipairs(options.gaits or {}) do
    local v = actor.model:velocity(clip)
    if v and v.z > 0.1 then self.walks = math.min(self.walks, flat(v)) end
  end
  self.motor = actor:motor { acceleration = options.acceleration, braking = options.braking, turn_rate = self.turn_rate }
  self.made = make(self, options)
  self.least_turn = self.made.least_turn
  local graph = { start = "idle", states = self.made.states }
  table.move(self.made, 1, #self.made, 1, graph)
  actor:set_graph(machine(graph))
  return self
end

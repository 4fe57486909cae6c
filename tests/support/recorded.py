"""A scene, and a recording of five seconds of it, written by hand."""
SCENE = """
local sinew = require "sinew"
local hero = sinew.actor("hero", sinew.model "hero.glb")
local tune = sinew.keep("tune", { speed = 1 })
local walk = hero:play("Walk", { weight = 0 })
local idle = hero:play("Idle", { weight = 1 })
local gone = 0
local function hash()
  local sum, buffer = 0, hero:pose():read()
  for i = 1, #buffer do sum = (sum * 31 + string.unpack("<i8", string.pack("<d", buffer[i]))) & 0xffffffffffff end
  return sum
end
function sinew.update(dt)
  sinew.ui.panel("Tune", function() sinew.ui.slider(tune, "speed", 0, 2) end)
  local want = sinew.is_down "w" and 1 or 0
  gone = sinew.damp(gone, want, 8, dt)
  walk.weight, idle.weight, walk.speed = gone, 1 - gone, tune.speed
  if want == 1 then hero.position = hero.position + sinew.vec3(math.random() * dt, 0, dt) end
end
function sinew.key_pressed(key) if key == "e" then hero:play("Wave", { loop = "once", fade_out = 0.3 }) end end
function sinew.mouse_pressed(x, y) hero.rotation = x * 0.01 + y end
function sinew.draw()
  if sinew.frame % 30 == 0 then print(sinew.frame, hash(), hero.position.z, tune.speed, sinew.time) end
end
"""


def recording(panels=0, edit=lambda frame: ""):
    """300 frames, 5 seconds, none of them as long as the one before."""
    lines = ["sinew recording 4", f"panels {panels} scale 1 arithmetic fused", "size 640 360"]
    for frame in range(1, 301):
        lines.append(f"frame {(0.75 + 0.5 * (frame * 0.381966 % 1)) / 60:.17g}")
        lines += [event for event in {
            20: ["press w"], 90: ["press e"], 91: ["release e"], 120: ["move 400 200", "press mouse1"],
            121: ["release mouse1"], 200: ["press left_ctrl", "press r"], 201: ["release r", "release left_ctrl"],
            280: ["release w"]}.get(frame, [])]
        lines += edit(frame)
    return "\n".join(lines) + "\n"

local sinew = require "sinew"
local camera = require "sinew.camera"
local vec = require "sinew.vec"
local hero = sinew.actor("hero", sinew.model "hero.glb", { position = { 1, 0, 2 } })
hero:play "Idle"

local function near(v, x, y, z)
  assert(vec.distance(v.x, v.y, v.z, x, y, z) < 1e-3, tostring(v) .. " is not " .. x .. ", " .. y .. ", " .. z)
end

function sinew.test()
  camera.follow(hero, { distance = 4, height = 2, look = 1, rate = 8 })
  sinew.simulate { frames = 2 }
  near(sinew.camera.position, 1, 2, -2) -- characters look along +z, so behind is -z
  near(sinew.camera.target, 1, 1, 2)
  hero.rotation = math.pi / 2
  hero.position = { 5, 0, 2 }
  sinew.simulate { frames = 1 }
  assert(sinew.camera.position.x < 2, "it comes along and does not jump")
  sinew.simulate { seconds = 3 }
  near(sinew.camera.position, 1, 2, 2)
  assert(not sinew.camera.orbit)

  -- dragged by 200 pixels it turns by a radian, the way the orbiting one does, and stays there
  camera.follow(hero, { distance = 4, height = 2, look = 1, behind = 0 })
  hero.rotation, hero.position = 0, { 0, 0, 0 }
  sinew.simulate { seconds = 3 }
  camera.follow(hero, { distance = 4, height = 2, look = 1, behind = 0 })
  sinew.simulate { seconds = 1, mouse = { { 0, 400, 200 }, { 0.1, "+left" }, { 0.2, 600, 200 }, { 0.4, "-left" } } }
  near(sinew.camera.position, 4 * math.sin(1), 2, -4 * math.cos(1))
  assert(math.abs(camera.yaw() + 1) < 1e-3, camera.yaw())
  near(camera.flat(0, 2), -2 * math.sin(1), 0, 2 * math.cos(1))
  near(camera.flat(2, 0), 2 * math.cos(1), 0, 2 * math.sin(1))
  hero.rotation = 2
  sinew.simulate { seconds = 2 }
  assert(math.abs(camera.yaw() + 1) < 1e-3, "it stays as it was turned")

  -- a gamepad's right stick turns it, too, by 2.5 radians a second
  local before = camera.yaw()
  sinew.simulate { frames = 24, keys = { { 0, "right_stick_right", 0.5 } } }
  assert(math.abs(before - camera.yaw() - 0.5) < 1e-3, camera.yaw())
  sinew.simulate { frames = 24, keys = { { 0, "right_stick_right", 0 }, { 0, "right_stick_left", 0.5 } } }
  sinew.simulate { frames = 24, keys = { { 0, "right_stick_left", 0 } } }
  assert(math.abs(before - camera.yaw()) < 1e-3, camera.yaw())
  local height = sinew.camera.position.y
  sinew.simulate { frames = 12, keys = { { 0, "right_stick_down", 1 }, { 0.1, "right_stick_down", 0 } } }
  assert(sinew.camera.position.y > height + 0.3, "down: it looks down")
  camera.follow(hero, { distance = 4, height = 2, look = 1, behind = 0 })
  sinew.simulate { frames = 2 }

  -- up to the ground and no farther, whatever the ground is
  sinew.simulate { seconds = 1, mouse = { { 0, 400, 600 }, { 0.1, "+left" }, { 0.2, 400, 0 }, { 0.4, "-left" } } }
  assert(math.abs(sinew.camera.position.y - 0.15) < 1e-6, sinew.camera.position.y)
  camera.follow(hero, { ground = function(x, z) return 3 + x - x end })
  sinew.simulate { frames = 2 }
  assert(math.abs(sinew.camera.position.y - 3.15) < 1e-6, sinew.camera.position.y)

  camera.follow(hero, { distance = 4, height = 1, look = 1, behind = 0 })
  sinew.simulate { frames = 4, mouse = { { 0, "wheel", 2 }, { 0.03, "wheel", -1 } } }
  local p, t = sinew.camera.position, sinew.camera.target
  assert(math.abs(vec.distance(p.x, p.y, p.z, t.x, t.y, t.z) - 4 * 0.9) < 1e-3, "a notch nearer")

  local fine, message = pcall(camera.follow, hero, { distnce = 3 })
  assert(not fine and message:find "no option 'distnce' %(there are distance, height", message)
  fine, message = pcall(camera.orbit, hero, { distance = "far" })
  assert(not fine and message:find "distance must be a number above 0", message)

  camera.orbit({ 0, 0, 0 }, { distance = 3, height = 1, pitch = 0, speed = math.pi / 2 })
  sinew.simulate { seconds = 1 }
  near(sinew.camera.target, 0, 1, 0)
  near(sinew.camera.position, 3, 1, 0) -- a quarter turn

  sinew.camera.position, sinew.camera.target = { 0, 1, 4 }, { 0, 1, 0 }
  camera.fly { speed = 2 }
  sinew.simulate { seconds = 1, keys = { { 0, "+w" } } }
  near(sinew.camera.position, 0, 1, 2)
  sinew.simulate { seconds = 1, keys = { { 0, "-w" }, { 0, "+d" } } }
  near(sinew.camera.position, 2, 1, 2) -- looking along -z, right is +x
  sinew.simulate { frames = 2, keys = { { 0, "-d" } } }
  camera.stop()
  assert(sinew.camera.orbit)
end

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

local sinew = require "sinew"
local vec = require "sinew.vec"
local random = require "sinew.random"

local function near(got, want) assert(math.abs(got - want) < 1e-12, got .. " is not " .. want) end

function sinew.test()
  near(vec.dot(1, 2, 3, 4, 5, 6), 32)
  local x, y, z = vec.cross(1, 0, 0, 0, 1, 0)
  near(x, 0) near(y, 0) near(z, 1)
  x, y, z = vec.normalize(3, 0, 4)
  near(x, 0.6) near(z, 0.8)
  near(vec.length(vec.limit(3, 0, 4, 2)), 2)
  near(vec.turn(3, -3), 2 * math.pi - 6)
  near(vec.turn(0.1, -0.1), -0.2)
  near(vec.heading(1, 0), math.pi / 2)

  -- A quarter turn about y takes z to x; two of them make a half turn.
  local qx, qy, qz, qw = vec.axis_angle(0, 2, 0, math.pi / 2)
  x, y, z = vec.rotate(qx, qy, qz, qw, 0, 0, 1)
  near(x, 1) near(y, 0) near(z, 0)
  local hx, hy, hz, hw = vec.mul(qx, qy, qz, qw, qx, qy, qz, qw)
  near(math.abs(hy), 1) near(hw, 0)

  -- A product turns as one after the other, whatever the rotations.
  local dice = random.new(3)
  for _ = 1, 200 do
    local ax, ay, az, aw = vec.axis_angle(dice:number(-1, 1), dice:number(-1, 1), dice:number(-1, 1), dice:number(-3, 3))
    local bx, by, bz, bw = vec.axis_angle(dice:number(-1, 1), dice:number(-1, 1), dice:number(-1, 1), dice:number(-3, 3))
    local vx, vy, vz = dice:number(-2, 2), dice:number(-2, 2), dice:number(-2, 2)
    local px, py, pz, pw = vec.mul(ax, ay, az, aw, bx, by, bz, bw)
    x, y, z = vec.rotate(px, py, pz, pw, vx, vy, vz)
    local sx, sy, sz = vec.rotate(bx, by, bz, bw, vx, vy, vz)
    sx, sy, sz = vec.rotate(ax, ay, az, aw, sx, sy, sz)
    near(vec.distance(x, y, z, sx, sy, sz), 0)
    local cx, cy, cz, cw = vec.conjugate(px, py, pz, pw)
    x, y, z = vec.rotate(cx, cy, cz, cw, x, y, z)
    near(vec.distance(x, y, z, vx, vy, vz), 0)
    local nx, ny, nz, nw = vec.nlerp(ax, ay, az, aw, -ax, -ay, -az, -aw, 0.5) -- one rotation, two names
    near(math.abs(nx * ax + ny * ay + nz * az + nw * aw), 1)
  end

  -- One seed, one sequence; each number is within its bounds, and all of them come.
  local a, b = random.new(11), random.new(11)
  local seen = {}
  for _ = 1, 400 do
    local n = a:integer(1, 6)
    assert(n == b:integer(1, 6) and n >= 1 and n <= 6)
    seen[n] = true
    local f = a:number()
    assert(f >= 0 and f < 1 and f == b:number())
  end
  assert(#seen == 6)
  local cards = a:shuffle { 1, 2, 3, 4, 5, 6, 7, 8 }
  table.sort(cards)
  assert(table.concat(cards) == "12345678")
  -- The first number of SplitMix64 for the seed 0, from its authors' program: 0xE220A8397B1DCDAF.
  assert(random.new(0):number() == (0xE220A8397B1DCDAF >> 11) * 2.0 ^ -53)
end

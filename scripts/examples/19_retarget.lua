-- Retargeting: the hero moves, and a brawler of other proportions and joint names moves with her, from pose to pose.
-- 1 to 4 choose her clip.   M: he mirrors her.   Nothing is baked: each frame is retargeted as it plays.
local sinew = require "sinew"

local woman = sinew.model("hero.glb", { clips = { "hero_extra.glb" } })
local man = sinew.model "brawler.glb"
local hero = sinew.actor("hero", woman, { position = { -0.6, 0, 0 } })
local brawler = sinew.actor("brawler", man, { position = { 0.6, 0, 0 } })

local clips = { "Walk", "Wave", "Point", "HitReact" }
local now = sinew.keep("now", { clip = 1, mirrored = false })
hero:play(clips[now.clip])

-- Two skeletons are matched once, by names and by parts of the body ("upperarm_l" is a left upper arm). Where
-- that is not enough a map says it: pose:retarget(man, { map = { ["hers"] = "his" } }).
brawler:set_modifiers { sinew.modifier { "follow", function(pose)
  local hers = hero:pose()
  pose:take((now.mirrored and hers:mirror() or hers):retarget(man))
end } }

sinew.camera.position = { 0.3, 1.4, 3 }
sinew.camera.target = { 0, 0.85, 0 }
sinew.help_text = "1 to 4: what she does   M: mirrored"

function sinew.key_pressed(key)
  local wish = tonumber(key)
  if wish and clips[wish] then
    now.clip = wish
    hero:play(clips[wish], { fade = 0.25 })
  end
  if key == "m" then now.mirrored = not now.mirrored end
end

local match = woman:match(man) -- how they do: by joint, the one that it follows
local function count(list) local n = 0 for _ in pairs(list) do n = n + 1 end return n end

function sinew.draw()
  sinew.debug.text(16, 36, ("%d joints by name, %d by what they are, %d that follow none"):format(count(match.matched),
    count(match.guessed), #match.missing), { 0.05, 0.07, 0.12 })
  sinew.debug.text(16, 16, "she plays " .. clips[now.clip] .. ", he follows" .. (now.mirrored and ", mirrored" or ""),
    { 0.05, 0.07, 0.12 })
end

-- The direction of a limb, from joint to joint: retargeting keeps it, whatever the lengths are.
local function direction(actor, from, to)
  local d = actor:joint(to) - actor:joint(from)
  return d * (1 / math.sqrt(d.x ^ 2 + d.y ^ 2 + d.z ^ 2))
end
local limbs = {
  { "RightArm", "RightForeArm", "upperarm_r", "lowerarm_r", "upperarm_l", "lowerarm_l" },
  { "LeftUpLeg", "LeftLeg", "thigh_l", "calf_l", "thigh_r", "calf_r" },
}

function sinew.test()
  for clip = 1, #clips do
    sinew.simulate { seconds = 0.6, keys = { { 0, tostring(clip) } } }
    for _, mirrored in ipairs { false, true } do
      now.mirrored = mirrored
      sinew.simulate { frames = 2 }
      for _, l in ipairs(limbs) do
        local hers = direction(hero, l[1], l[2])
        local his = mirrored and direction(brawler, l[5], l[6]) or direction(brawler, l[3], l[4])
        local dot = (mirrored and -1 or 1) * hers.x * his.x + hers.y * his.y + hers.z * his.z
        assert(dot > 0.98, clips[clip] .. ": his " .. l[3] .. " goes another way: " .. dot)
      end
    end
  end
  assert(match.guessed.upperarm_l == "LeftArm", "found by what it is")
  local stride = (hero:joint("Hips").y - 0.1) / (brawler:joint("pelvis").y - 0.1)
  assert(stride > 1.02, "his legs are shorter: " .. stride)
end

-- Components by entity number, systems in a list of functions, tables whose keys are tables.
local world = { next = 0, components = {}, systems = {}, tags = {} }
local function entity(parts)
  world.next = world.next + 1
  for name, value in pairs(parts) do
    world.components[name] = world.components[name] or {}
    world.components[name][world.next] = value
  end
  return world.next
end
local function system(f) world.systems[#world.systems + 1] = f end
system(function(dt)
  for id, position in pairs(world.components.position) do
    position.at = (position.at or 0) + world.components.velocity[id].n * dt
    position.n = position.n + 1 -- edited
  end
end)
local player = entity { position = { n = 0 }, velocity = { n = 1 } }
local component = world.components.position[player]
world.tags[component] = "player"
function sinew.update()
  for _, f in ipairs(world.systems) do f(1) end
  print(world.tags[component] == "player" and component.n)
end

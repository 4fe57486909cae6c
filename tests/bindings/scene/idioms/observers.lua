-- Objects that hold each other, callbacks bound to an object, and a registry by actor.
local hero = sinew.actor("hero", sinew.model "hero.glb")
local health = {}
local function bind(object, method) return function(...) return object[method](object, ...) end end
local View = {}
View.__index = View
function View:show(n) self.shown = n end
local view
health[hero] = { n = 0, watchers = {} }
local function change(who)
  local h = health[who]
  h.n = h.n + 1 -- edited
  for _, call in ipairs(h.watchers) do call(h.n) end
end
function sinew.update()
  if not view then
    view = setmetatable({}, View)
    table.insert(health[hero].watchers, bind(view, "show"))
  end
  change(hero)
  print(health[hero].n == view.shown and view.shown)
end

-- Caches in weak tables, by object and by name.
local by_object = setmetatable({}, { __mode = "k" })
local by_name = setmetatable({}, { __mode = "v" })
local objects = {}
local function get(name)
  local object = by_name[name] or { name = name }
  by_name[name] = object
  by_object[object] = by_object[object] or { hits = 0 }
  return object
end
function sinew.update()
  objects.hero = objects.hero or get "hero"
  local entry = by_object[get "hero"]
  entry.hits = entry.hits + 1 -- edited
  print(by_name.hero == objects.hero and entry.hits)
end

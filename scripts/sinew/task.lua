-- Tasks: functions that can wait. They use the scene's clock, so a run without a window is repeatable.
--
--   local task = require "sinew.task"
--   task.run(function()
--     task.wait(0.5)
--     hero:play("Wave", { loop = "once" }):wait "finish"
--     hero:play "Walk"
--   end)
--
-- A task begins in the next frame. After a save, a task goes on where it is; if the code that it runs has changed, it
-- begins again, or ends if the top level of a file did not start it. An error ends only the task that raised it.
local sinew = require "sinew"
local _, own = ... -- what Sinew gives its modules
---@class sinew.Task
local task = {}

local Task = {}
Task.__index = Task

local tasks = {}      -- in the order of their start
local listening = {}  -- actors whose events are heard
local now = 0         -- seconds since the load
local EARLY = 1e-9    -- 30 frames of 1/60 s are half a second, whatever their sum rounds to

local resume

local function hear(event)
  for i = 1, #tasks do
    local t = tasks[i]
    local mine = not t.done and t.event and (t.event == event.name or t.event == "*")
    if mine and (t.object == event.actor or t.object == event.action) then resume(t, event) end
  end
end

local function listen(actor)
  if not actor or listening[actor] then return end
  listening[actor] = true
  actor:on("*", hear)
end

-- ---- what a task waits for: until a time (due), until a function says so (check), or for an event ----

local function wait_for(t, what, event)
  t.due, t.check, t.object, t.event = false, false, false, false
  if type(what) == "number" then
    t.due = t.from + what
  elseif type(what) == "function" then
    t.check = what
  else
    t.object, t.event = what, event
    t.is_actor = tostring(what):match "^actor" ~= nil
    listen(t.is_actor and what or what.actor)
  end
end

function resume(t, ...)
  t.from = t.due or now -- waits that follow each other add up exactly
  local fine, what, event = coroutine.resume(t.thread, ...)
  if not fine then sinew.report(what, t.thread) end
  if coroutine.status(t.thread) == "dead" then
    t.done = true
  else
    wait_for(t, what, event)
  end
end

local function is_due(t)
  if t.due then return t.due <= now + EARLY end
  if t.check then return t.check() end
  return not t.is_actor and t.object.done -- an action that has ended causes no more events
end

sinew.on("update", function(dt)
  now = now + dt
  local kept, i = 0, 1
  while i <= #tasks do -- a task may start others meanwhile
    local t = tasks[i]
    t.done = t.done or coroutine.status(t.thread) == "dead" -- a save has ended it
    while not t.done and is_due(t) do resume(t) end
    if not t.done then
      kept = kept + 1
      tasks[kept] = t
    end
    i = i + 1
  end
  for k = #tasks, kept + 1, -1 do tasks[k] = nil end
end)

-- ---- for scenes ----

-- Starts a task. Returns it: task.done says that it is over, task:cancel() ends it.
function task.run(body)
  local t = {
    thread = coroutine.create(body), done = false, due = now, check = false, object = false, event = false,
    is_actor = false, from = now,
  }
  setmetatable(t, Task)
  tasks[#tasks + 1] = t
  return t
end

function Task:cancel() self.done = true end

-- The number of tasks that have not ended.
function task.count()
  local count = 0
  for _, t in ipairs(tasks) do count = count + (t.done and 0 or 1) end
  return count
end

-- Inside a task: waits so many seconds, or until the function returns true (it is asked in each frame).
-- action:wait "finish" and actor:wait "step" wait for events.
local function yield(what, name)
  if not coroutine.isyieldable() then
    error("task." .. name .. " works only inside a task: task.run(function() ... end)", 0)
  end
  coroutine.yield(what)
end

function task.wait(seconds) yield(seconds, "wait") end
function task.wait_until(check) yield(check, "wait_until") end

-- Calls the function once in so many seconds, or again and again.
function task.after(seconds, call)
  return task.run(function()
    task.wait(seconds)
    call()
  end)
end

function task.every(seconds, call)
  return task.run(function()
    while true do
      task.wait(seconds)
      call()
    end
  end)
end

own.dress("task_handle", Task)
return own.dress("task", task)

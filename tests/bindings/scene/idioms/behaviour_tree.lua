-- A behaviour tree of closures and tables, which remembers the running child.
local function sequence(children)
  return { children = children, at = 1, tick = function(self, board)
    while self.at <= #self.children do
      local result = self.children[self.at]:tick(board)
      if result ~= "success" then return result end
      self.at = self.at + 1
    end
    self.at = 1
    return "success"
  end }
end
local function action(f) return { tick = function(_, board) return f(board) end } end
local function wait(frames)
  return { left = frames, tick = function(self)
    self.left = self.left - 1
    if self.left > 0 then return "running" end
    self.left = frames
    return "success"
  end }
end
local board = { n = 0, rounds = 0 }
local tree = sequence { wait(7), action(function(b)
  b.rounds = b.rounds + 1
  return "success"
end) }
function sinew.update()
  tree:tick(board)
  board.n = board.n + 1 -- edited
  print(board.n >= board.rounds * 7 and board.n)
end

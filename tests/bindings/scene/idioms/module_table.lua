-- A singleton with functions, constants, nested state and a self reference.
local game = { LIMIT = 1e9, score = { value = 0 }, player = { name = "one" } }
game.self, game.player.game = game, game
function game.add(n) game.score.value = math.min(game.score.value + n, game.LIMIT) end
function game:update() self.self.add(1) end -- edited
function sinew.update()
  game.player.game:update()
  print(game.score.value)
end

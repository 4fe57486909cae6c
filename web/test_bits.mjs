// The module computes the same bits as the program on this machine, in the class of arithmetic that both have: the same scene, an
// edit in mid-stride included, prints the same digest of its joints. Skipped where the program has not been built.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url)), PROGRAM = join(ROOT, "build/release/sinew");
const SCENE = `local sinew = require "sinew"
local hero = sinew.actor("hero", sinew.model "hero.glb", { params = { speed = 0 } })
hero:set_graph(sinew.blend_space_1d { param = "speed", sync = true, { 0, "Idle" }, { 1.4, "Walk" }, { 4, "Run" } })
hero:set_modifiers { sinew.look_at { "look", chain = { "Neck", "Head" }, target = { 2, 1.5, 3 } } }
local sum, frame = 0, 0
function sinew.update()
  frame = frame + 1
  hero.params.speed = 2 + 2 * math.sin(frame / 20)
  for _, name in ipairs { "Head", "LeftHand", "RightFoot", "Hips" } do
    local p = hero:joint(name)
    for _, x in ipairs { p.x, p.y, p.z } do sum = (sum * 31 + (string.unpack("<I8", string.pack("<d", x)))) & 0xffffffffffff end
  end
  if frame == 90 then sinew.log(string.format("digest %012x", sum)) end
end
`;

const digest = (text) => /digest ([0-9a-f]+)/.exec(text)?.[1];

async function inModule() {
  const page = join(ROOT, "dist/"), said = [], fetchOfNode = globalThis.fetch;
  delete globalThis.fetch; // with it the module takes Node for a browser
  const create = createRequire(import.meta.url)(join(page, "sinew.js"));
  const module = await create({ locateFile: (name) => page + name, print: (line) => said.push(line), printErr: (line) => said.push(line) });
  globalThis.fetch = fetchOfNode;
  const call = (name, types = [], values = []) => module.ccall(name, "boolean", types, values);
  assert.ok(call("page_open", ["number"], [0]));
  module.FS.mkdirTree("/sinew/assets");
  module.FS.writeFile("/sinew/assets/hero.glb", readFileSync(join(ROOT, "assets/hero.glb")));
  module.FS.writeFile("/main.lua", SCENE);
  assert.ok(call("page_open_scene", ["string"], ["/main.lua"]), module.ccall("page_message", "string", [], []));
  for (let i = 0; i < 91; i++) assert.ok(call("page_frame", ["number"], [1 / 60]));
  return digest(said.join("\n"));
}

test("the module gives the program's bits", { skip: !existsSync(PROGRAM) && "build/release/sinew is not built" }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "sinew-"));
  try {
    writeFileSync(join(folder, "main.lua"), SCENE);
    const text = execFileSync(PROGRAM, ["run", join(folder, "main.lua"), "--headless", "--frames", "91"],
                              { env: { ...process.env, SINEW_SIMD: "sse2", SINEW_HOME: ROOT }, encoding: "utf8" });
    assert.ok(digest(text), text);
    assert.equal(await inModule(), digest(text));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

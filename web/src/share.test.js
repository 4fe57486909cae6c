import assert from "node:assert/strict";
import { test } from "node:test";
import { pack, unpack } from "./share.js";

let packs = true;
try { new CompressionStream("deflate-raw"); } catch { packs = false; }
const options = { skip: !packs && "this Node does not pack; browsers do" };

test("a link holds the files", options, async () => {
  const files = { "main.lua": "local x = 'ü'\n".repeat(300), "walk.lua": "return {}" };
  const link = await pack(files);
  assert.match(link, /^[\w-]+$/);
  assert.ok(link.length < 250);
  assert.deepEqual(await unpack(link), files);
});

test("a link that is cut off, damaged or of another version is a sentence", options, async () => {
  const link = await pack({ "main.lua": "local sinew = require 'sinew'\n" });
  for (const wrong of [link.slice(0, -6), `1${link.slice(3)}`, "1", "1!!", await pack(null).catch(() => "1")])
    await assert.rejects(unpack(wrong), /cut off or damaged/);
  await assert.rejects(unpack(`9${link.slice(1)}`), /another version/);
});

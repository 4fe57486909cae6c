// The page in a real browser: node --test web/test_page.mjs, after `./dev web`. `./dev test web` does both.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createReadStream, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { tmpdir } from "node:os";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { chromium } from "playwright-core";

const ROOT = fileURLToPath(new URL("..", import.meta.url)), DIST = join(ROOT, "dist");
const PROGRAM = join(ROOT, "build/release/sinew");
const BROWSERS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".json": "application/json" };
const WALK = `local sinew = require "sinew"
local speed = 1.00 -- <- change
local hero = sinew.actor("hero", sinew.model "hero.glb")
hero:play("Walk", { speed = speed, fade = 0 })
function sinew.update() end
`;

let server, browser, address;

before(async () => {
  server = createServer((request, answer) => {
    const file = join(DIST, normalize(decodeURIComponent(new URL(request.url, "http://x").pathname)).replace(/\/$/, "/index.html"));
    if (!file.startsWith(DIST) || !existsSync(file)) return answer.writeHead(404).end();
    answer.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" });
    return createReadStream(file).pipe(answer);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${server.address().port}/`;
  browser = await chromium.launch({
    executablePath: BROWSERS.find(existsSync),
    args: ["--no-sandbox", "--disable-dev-shm-usage", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--no-first-run",
           "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
});

after(async () => {
  await browser?.close();
  server?.close();
});

/** A page in a profile of its own; it fails the test if its console is not empty at the end. */
async function open(t, hash = "", size = { width: 780, height: 420 }) {
  const context = await browser.newContext({ viewport: size, hasTouch: size.width < 600 });
  const page = await context.newPage(), said = [];
  page.on("console", (message) => said.push(message.text()));
  page.on("pageerror", (error) => said.push(error.message));
  page.setDefaultTimeout(600000); // a busy machine draws a frame in seconds
  t.after(async () => {
    await context.close();
    assert.deepEqual(said, []);
  });
  await page.goto(address + hash);
  await page.waitForFunction(() => window.scene?.evaluate("1") === "1");
  return page;
}

const evaluate = (page, line) => page.evaluate((text) => window.scene.evaluate(text), line);
const frames = (page) => page.evaluate(() => window.scene.call("page_frames", "number"));

async function waitForFrames(page, count) {
  const from = await frames(page);
  await page.waitForFunction((to) => window.scene.call("page_frames", "number") >= to, from + count);
}

/** Puts a text in place of all that the editor shows, as a paste does. */
async function type(page, text) {
  await page.click(".cm-content");
  await page.keyboard.press("Control+A");
  await page.keyboard.insertText(text);
}

/** Types it, and waits until it runs, or has failed to. */
async function run(page, text) {
  await type(page, text);
  await page.waitForFunction((expected) => window.scene.read("main.lua") === expected, text);
  await waitForFrames(page, 2);
}

const drop = (page, name, bytes) => page.evaluate(([file, text]) => {
  const data = new DataTransfer();
  data.items.add(new File([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], file));
  document.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
}, [name, bytes.toString("base64")]);

test("the module and the page, without models, are small", () => {
  const size = ["index.html", "style.css", "playground.js", "sinew.js", "sinew.wasm", "sinew.data"]
    .reduce((sum, name) => sum + gzipSync(readFileSync(join(DIST, name)), { level: 9 }).length, 0);
  assert.ok(size < 1.5e6, `${size} bytes`);
});

test("the first example runs, and its picture is no flat colour", async (t) => {
  const page = await open(t);
  assert.equal(await evaluate(page, "hero.name"), "hero");
  const picture = await page.locator("#sinew").screenshot();
  assert.ok(picture.length > 20000, `${picture.length} bytes of PNG`);
  assert.equal(await page.locator("#problem").isHidden(), true);
});

test("an edit in mid-stride keeps the stride", async (t) => {
  const page = await open(t);
  await run(page, WALK);
  await page.waitForFunction(() => Number(window.scene.evaluate("hero:playing()[1].phase")) > 0.3);
  const [before, after, duration] = await page.evaluate((text) => {
    const number = (line) => Number(window.scene.evaluate(line));
    const phase = number("hero:playing()[1].phase");
    window.scene.save("main.lua", text);
    window.scene.frame(1 / 60);
    return [phase, number("hero:playing()[1].phase"), number("hero.model:duration 'Walk'")];
  }, WALK.replace("1.00", "0.50"));
  assert.equal(await evaluate(page, "hero:playing()[1].speed"), "0.5");
  const expected = 0.5 / 60 / duration;
  assert.ok(Math.abs(((after - before + 1) % 1) - expected) < 1e-4, `${before} → ${after}, expected ${expected} more`);
});

test("a dragged number changes under the mouse", async (t) => {
  const page = await open(t);
  await run(page, WALK);
  const box = await page.locator(".number", { hasText: "1.00" }).boundingBox();
  await page.mouse.move(box.x + 4, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + 64, box.y + box.height / 2, { steps: 12 });
  await page.mouse.up();
  assert.match(await page.textContent(".cm-content"), /speed = 1\.20/);
  await page.waitForFunction(() => window.scene.evaluate("hero:playing()[1].speed") === "1.2");
});

test("text that is not Lua is marked at once, the scene runs on, and the mark goes with the error", async (t) => {
  const page = await open(t);
  await run(page, WALK);
  await type(page, WALK.replace("function sinew.update() end", "function sinew.update( end"));
  await page.waitForSelector(".cm-lint-marker-error");
  assert.equal(await evaluate(page, "hero:playing()[1].clip"), 'Walk');
  await run(page, WALK);
  await page.waitForSelector(".cm-lint-marker-error", { state: "detached" });
});

test("a script error names its line, and the repair runs", async (t) => {
  const page = await open(t);
  await run(page, WALK);
  await type(page, WALK.replace('"Walk"', '"Wlak"'));
  await page.waitForSelector(".cm-lint-marker-error");
  assert.match(await page.evaluate(() => window.scene.problem()), /main\.lua:4: .*did you mean 'Walk'/s);
  await run(page, WALK);
  await page.waitForFunction(() => window.scene.problem() === null);
});

test("a link holds the scene, in a fresh profile, and a link that is cut off is a sentence", async (t) => {
  const page = await open(t);
  await run(page, WALK);
  await page.click("#share");
  await page.waitForFunction(() => location.hash.length > 10);
  const hash = await page.evaluate(() => location.hash);
  const other = await open(t, hash);
  await other.waitForFunction(() => document.querySelector(".cm-content").textContent.includes("speed = 1.00"));
  const cut = await open(t, hash.slice(0, -8));
  await cut.waitForFunction(() => document.getElementById("output").textContent.includes("cut off"));
});

test("a model that is dropped on the page can be named", async (t) => {
  const page = await open(t);
  await run(page, WALK);
  for (const name of ["fox.glb", "hero.fbx"]) {
    await drop(page, `own_${name}`, readFileSync(join(ROOT, "assets", name)));
    await page.waitForFunction((file) => document.getElementById("told").textContent.includes(`own_${file}`), name);
    await run(page, WALK.replace("hero.glb", `own_${name}`).replace('"Walk"', "1"));
    await page.waitForFunction(() => window.scene.problem() === null);
    assert.equal(await evaluate(page, `hero.model == sinew.model "own_${name}"`).catch(() => ""), "true");
  }
});

test("a bundle that is dropped plays in the place of the text", { skip: !existsSync(PROGRAM) && "build/release/sinew is not built" }, async (t) => {
  const page = await open(t), folder = mkdtempSync(join(tmpdir(), "sinew-"));
  t.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "main.lua"), WALK.replace("1.00", "0.75"));
  execFileSync(PROGRAM, ["bundle", join(folder, "main.lua")], { env: { ...process.env, SINEW_HOME: ROOT } });
  await run(page, WALK);
  await drop(page, "own.sinewbundle", readFileSync(join(folder, "main.sinewbundle")));
  await page.waitForFunction(() => window.scene.evaluate("hero:playing()[1].speed") === "0.75");
  await drop(page, "cut.sinewbundle", readFileSync(join(folder, "main.sinewbundle")).subarray(0, 50000));
  await page.waitForFunction(() => document.getElementById("problem").textContent.includes("damaged"));
});

test("a fault is a chip, and a click opens the timeline", async (t) => {
  const page = await open(t);
  await run(page, WALK.replace("function sinew.update() end", `function sinew.update()
  if sinew.frame % 40 == 0 then hero:play(sinew.frame % 80 == 0 and "Walk" or "Wave", { fade = 0 }) end
end`));
  await page.waitForSelector("#chip:not([hidden])");
  assert.match(await page.textContent("#chip"), /Why\?$/);
  await page.click("#chip");
  const at = await page.evaluate(async () => {
    for (let i = 0; i < 4; i++) await new Promise(window.requestAnimationFrame);
    return window.scene.call("page_frames", "number");
  });
  await page.evaluate(async () => { for (let i = 0; i < 6; i++) await new Promise(window.requestAnimationFrame); });
  assert.equal(await frames(page), at);
});

test("a recipe opens by its address, and the list has it", async (t) => {
  const page = await open(t, "?scene=recipes/one_clip_to_become_another.lua");
  assert.match(await page.textContent(".cm-content"), /ease = "in_out"/);
  const scenes = JSON.parse(readFileSync(join(DIST, "examples/index.json"), "utf8"));
  const list = readFileSync(join(DIST, "gallery.html"), "utf8");
  for (const { file } of scenes) assert.ok(list.includes(`?scene=${file}`) && existsSync(join(DIST, "examples", file)), file);
});

test("the keys belong to the text or to the scene, visibly", async (t) => {
  const page = await open(t);
  const z = async () => Number(await evaluate(page, "hero.position.z"));
  await page.click(".cm-content");
  await page.keyboard.type("-- wwww");
  assert.equal(await page.locator("#keys").isHidden(), true);
  assert.ok(await z() < 0.01);
  await page.locator("#sinew").focus();
  assert.equal(await page.locator("#keys").isHidden(), false);
  await page.keyboard.down("w");
  await page.waitForFunction(() => Number(window.scene.evaluate("hero.position.z")) > 0.1);
  await page.keyboard.up("w");
  await page.keyboard.press("Escape");
  assert.equal(await page.evaluate(() => document.activeElement.classList.contains("cm-content")), true);
});

test("F9 looks back and returns", async (t) => {
  const page = await open(t);
  await waitForFrames(page, 10);
  await page.click("text=Look back F9");
  const drawn = (count) => page.evaluate(async (n) => {
    for (let i = 0; i < n; i++) await new Promise(window.requestAnimationFrame);
    return window.scene.call("page_frames", "number");
  }, count);
  const then = await evaluate(page, "sinew.time"), first = await drawn(3); // frames of the past are no frames of the run
  assert.equal(await drawn(6), first);
  assert.equal(await evaluate(page, "sinew.time"), then);
  await page.click("text=Look back F9");
  await page.waitForFunction((time) => window.scene.evaluate("sinew.time") !== time, then);
});

test("memory stays flat over 200 edits", async (t) => {
  const page = await open(t);
  await run(page, WALK);
  const edit = (from, to) => page.evaluate(async ([text, first, last]) => {
    for (let i = first; i < last; i++) {
      window.scene.save("main.lua", text.replace("1.00", (1 + i / 1000).toFixed(3)));
      window.scene.frame(1 / 60);
    }
    return window.scene.module.HEAPU8.length;
  }, [WALK, from, to]);
  const early = await edit(0, 60), late = await edit(60, 260);
  assert.equal(late, early);
});

test("a phone held upright shows both, and the text is kept over a reload", async (t) => {
  const page = await open(t, "", { width: 390, height: 844 });
  await run(page, WALK);
  for (const id of ["#sinew", "#editor"]) {
    const box = await page.locator(id).boundingBox();
    assert.ok(box.width > 300 && box.height > 200, id);
  }
  await page.reload();
  await page.waitForFunction(() => document.querySelector(".cm-content")?.textContent.includes("speed = 1.00"));
});

test("what Apply writes into a file stands in the text", async (t) => {
  const page = await open(t);
  await run(page, WALK);
  await page.evaluate(() => window.scene.write("main.lua", window.scene.read("main.lua").replace("1.00", "1.75")));
  await page.waitForFunction(() => document.querySelector(".cm-content").textContent.includes("speed = 1.75"));
});

// The playground: text at the left, the scene at the right. Typing is saving.
import { followSize, listen, pollGamepads } from "./canvas.js";
import { droppedFiles } from "./drop.js";
import { film } from "./film.js";
import { Sinew } from "./module.js";
import { pack, unpack } from "./share.js";
import { createEditor } from "./editor.js";

const SAVE_AFTER = 250, SHOW_ERROR_AFTER = 1000; // milliseconds after the last key
const MAIN = "main.lua";
const element = (id) => document.getElementById(id);

const state = {
  files: {}, // name → text
  written: {}, // the same as the module has it
  open: MAIN,
  runs: false,
  timers: {},
  dropped: [], // models of this computer
  pads: {},
};
let sinew, editor;

const tell = (text) => { element("told").textContent = text; };

function showProblem(text) {
  element("problem").textContent = text ?? "";
  element("problem").hidden = !text;
}

function print(line) {
  const output = element("output");
  output.hidden = false;
  output.textContent = `${output.textContent}${line}\n`.slice(-8000);
  output.scrollTop = output.scrollHeight;
}

// ---- the text: kept by the browser, also over a crash

function keep() {
  try { localStorage.setItem("sinew.files", JSON.stringify(state.files)); } catch { /* private windows have no store */ }
}

function kept() {
  try { return JSON.parse(localStorage.getItem("sinew.files")); } catch { return null; }
}

// ---- saving

/** The line and the sentence of a message like "main.lua:3: …". */
function split(message, name) {
  const found = new RegExp(`${name.replace(".", "\\.")}:(\\d+): (.*)`).exec(message ?? "");
  return found ? { line: Number(found[1]), text: found[2] } : null;
}

function markProblem() {
  const problem = split(sinew.problem(), state.open);
  editor.mark(problem?.line, problem?.text);
}

async function save(name) {
  const text = state.files[name];
  try {
    await sinew.fetchAssets(text);
  } catch (error) {
    tell(error.message);
  }
  state.written[name] = text;
  if (state.runs) {
    sinew.save(name, text);
    return;
  }
  sinew.write(name, text);
  state.runs = sinew.openScene(MAIN);
  showProblem(state.runs ? null : sinew.message());
}

/** Text that is not Lua yet is marked at once; the picture shows the error only if it stays. */
function saveSoon(name) {
  clearTimeout(state.timers[name]);
  state.timers[name] = setTimeout(() => {
    const wrong = split(sinew.check(name, state.files[name]), name);
    editor.mark(wrong?.line, wrong?.text);
    if (!wrong) save(name);
    else state.timers[name] = setTimeout(() => save(name), SHOW_ERROR_AFTER - SAVE_AFTER);
  }, state.drags ? 0 : SAVE_AFTER);
}

function changed(text) {
  state.files[state.open] = text;
  keep();
  saveSoon(state.open);
}

// ---- tabs

function showFile(name) {
  state.open = name;
  editor.show(state.files[name]);
  drawTabs();
}

function addTab() {
  const name = window.prompt("Name of the new module, as in require \"name\":");
  if (!name || !/^[\w-]+$/.test(name) || state.files[`${name}.lua`]) return;
  state.files[`${name}.lua`] = "local M = {}\n\nreturn M\n";
  saveSoon(`${name}.lua`);
  showFile(`${name}.lua`);
}

function drawTabs() {
  const button = (text, click, selected) => {
    const made = document.createElement("button");
    made.textContent = text;
    made.setAttribute("aria-selected", selected);
    made.addEventListener("click", click);
    return made;
  };
  element("tabs").replaceChildren(...Object.keys(state.files).map((name) => button(name, () => showFile(name), name === state.open)),
                                  button("+", addTab, false));
}

// ---- a whole scene

async function start(files) {
  for (const name of Object.keys(state.files)) if (!(name in files)) sinew.remove(name);
  sinew.closeScene();
  state.runs = false;
  state.files = files;
  element("output").hidden = true;
  element("output").textContent = "";
  showFile(MAIN);
  keep();
  await sinew.fetchAssets(Object.values(files).join("\n"));
  state.written = { ...files };
  for (const [name, text] of Object.entries(files)) sinew.write(name, text);
  await save(MAIN);
}

async function startExample(name) {
  const answer = await fetch(`examples/${name}`);
  if (!answer.ok) throw new Error(`There is no scene '${name}' here.`);
  await start({ [MAIN]: await answer.text() });
}

const wantedScene = () => new URLSearchParams(location.search).get("scene");

async function firstFiles() {
  if (location.hash.length > 1) {
    try {
      return await unpack(location.hash.slice(1));
    } catch (error) {
      state.linkProblem = error.message;
    }
  }
  if (wantedScene()) return null;
  const before = kept();
  return before && before[MAIN] ? before : null;
}

async function share() {
  const link = `${location.origin}${location.pathname}#${await pack(state.files)}`;
  history.replaceState(null, "", link);
  try { await navigator.clipboard.writeText(link); } catch { /* the address bar has it */ }
  const own = state.dropped.filter((name) => Object.values(state.files).some((text) => text.includes(name)));
  tell(own.length ? `The link is copied. It lacks ${own.join(", ")}: models stay on this computer.` : "The link is copied.");
}

// ---- files that are dropped on the page

const MODEL = /\.(glb|gltf|fbx|vrm|bvh|md5mesh|sinew)$/i, LARGEST = 2 ** 29; // bytes that fit beside the module's own

/** A bundle plays at once; its text is in it and stays there. */
function playBundle(name, bytes) {
  sinew.write(name, bytes);
  state.runs = false;
  const plays = sinew.openScene(name);
  showProblem(plays ? null : sinew.message());
  if (plays) tell(`${name} plays. A change of the text plays the text again.`);
}

async function takeFiles(found) {
  let size = 0;
  for (const { file } of found) size += file.size;
  if (size > LARGEST) throw new Error(`${found.length} files of ${Math.round(size / 1e6)} MB: a page has no memory for more than ${LARGEST / 2 ** 20} MB.`);
  for (const { name, file } of found) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    if (name.endsWith(".sinewbundle")) {
      playBundle(name, bytes);
      continue;
    }
    sinew.save(name, bytes);
    state.dropped.push(name);
  }
  const models = found.filter(({ name }) => MODEL.test(name));
  if (models.length === 1) sinew.drop(models[0].name);
  if (models.length) tell(`${models[0].name}${models.length > 1 ? ` and ${models.length - 1} more stay` : " stays"} on this computer; a scene can say sinew.model "${models[0].name}".`);
}

function dropFiles(event) {
  event.preventDefault();
  droppedFiles(event.dataTransfer).then(takeFiles).catch((error) => tell(error.message));
}

// ---- what the tools see

/** Shows a fault as a chip; a click opens the timeline at it. */
function takeHint() {
  const hint = sinew.takeHint();
  if (!hint) return;
  element("chip").textContent = `${hint.replace(/: F9 goes back to it$/, "")}. Why?`;
  element("chip").hidden = false;
}

function openHint() {
  element("chip").hidden = true;
  sinew.press("f9");
  element("sinew").focus();
}

// ---- the frame

/** Apply in the inspector writes into the scene's files. */
function takeWrites() {
  for (const name of Object.keys(state.written)) {
    const text = sinew.read(name);
    if (text === state.written[name]) continue;
    state.written[name] = state.files[name] = text;
    keep();
    if (name === state.open) editor.show(text);
  }
}

/** The module ended: only a new page helps, and the text is kept. */
function stop(error) {
  showProblem(/memory|allocat/i.test(error.message) ? "The scene needs more memory than a page may have. Reload the page: the text is kept."
    : `The scene stopped: ${error.message}. Reload the page: the text is kept.`);
}

function run() {
  let before = performance.now(), problem = null, summary = "", count = 0;
  const frame = (now) => {
    const dt = Math.min(Math.max(now - before, 0) / 1000, 0.1);
    before = now;
    if (document.activeElement === element("sinew")) state.pads = pollGamepads(sinew, state.pads);
    try {
      if (!sinew.frame(dt)) showProblem(sinew.message());
    } catch (error) {
      stop(error);
      return;
    }
    if (sinew.problem() !== problem) {
      problem = sinew.problem();
      markProblem();
    }
    if (sinew.summary() !== summary) {
      summary = sinew.summary();
      tell(summary);
    }
    if (++count % 15 === 0) {
      if (state.runs) takeWrites();
      takeHint();
    }
    window.requestAnimationFrame(frame);
  };
  window.requestAnimationFrame(frame);
}

const BUTTONS = [["f1", "Inspector"], ["f10", "Graph"], ["f9", "Look back"], ["f6", "Pause"], ["f8", "Slow motion"], ["f5", "Skeleton"],
                 ["f2", "Wireframe"], ["f3", "Numbers"]];

function drawButtons() {
  const add = (text, click) => {
    const made = document.createElement("button");
    made.textContent = text;
    made.addEventListener("click", () => { click(); element("sinew").focus(); });
    element("buttons").append(made);
    return made;
  };
  let filming = null;
  for (const [key, text] of BUTTONS) add(`${text} ${key.toUpperCase()}`, () => sinew.press(key));
  add("Restart Ctrl+R", () => start(state.files));
  add("Full screen F11", () => element("picture").requestFullscreen?.());
  const shoot = add("Film", () => {
    const end = filming;
    filming = end ? null : film(element("sinew"), "sinew");
    if (end) end();
    else if (!filming) tell("This browser has no recorder.");
    shoot.textContent = filming ? "End the film" : "Film";
  });
}

async function listExamples() {
  const scenes = await (await fetch("examples/index.json")).json(), list = element("examples"), groups = {};
  for (const { group, title, file } of scenes) {
    if (!groups[group]) {
      groups[group] = document.createElement("optgroup");
      groups[group].label = group;
      list.append(groups[group]);
    }
    groups[group].append(new Option(title, file));
  }
  list.addEventListener("change", () => startExample(list.value));
  if (scenes.some(({ file }) => file === wantedScene())) list.value = wantedScene();
  return list.value;
}

async function main() {
  const canvas = element("sinew");
  editor = createEditor(element("editor"), {
    changed,
    complete: (before) => sinew?.complete(before) ?? { from: 0, names: [] },
    whileDragged: (on) => { state.drags = on; },
    pulseAt: (line) => line.includes("<- change"),
  });
  followSize(canvas);
  drawButtons();
  try {
    sinew = await Sinew.open(print);
  } catch (error) {
    showProblem(error.message);
    const files = await firstFiles();
    if (files) editor.show(files[MAIN]);
    return;
  }
  window.scene = sinew; // for the browser's console, and for tests
  listen(canvas, sinew, () => editor.focus());
  canvas.addEventListener("focus", () => { element("keys").hidden = false; });
  canvas.addEventListener("blur", () => { element("keys").hidden = true; });
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", dropFiles);
  element("share").addEventListener("click", share);
  element("reset").addEventListener("click", () => startExample(element("examples").value));
  element("chip").addEventListener("click", openHint);
  const first = await listExamples(), files = await firstFiles();
  run();
  await (files ? start(files) : startExample(first));
  if (state.linkProblem) print(state.linkProblem);
}

main();

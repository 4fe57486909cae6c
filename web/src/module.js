// The module of Sinew: one scene on one canvas. Files are in its memory; assets are fetched when a scene names them.

const KEYS = {
  Space: "space", ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down", Escape: "escape", Enter: "enter",
  Tab: "tab", Backspace: "backspace", Delete: "delete", Insert: "insert", Home: "home", End: "end", PageUp: "page_up",
  PageDown: "page_down", ShiftLeft: "left_shift", ShiftRight: "right_shift", ControlLeft: "left_ctrl", ControlRight: "right_ctrl",
  AltLeft: "left_alt", AltRight: "right_alt", MetaLeft: "left_super", MetaRight: "right_super", Minus: "minus", Equal: "equal",
  BracketLeft: "left_bracket", BracketRight: "right_bracket", Backslash: "backslash", Semicolon: "semicolon", Quote: "apostrophe",
  Backquote: "grave", Comma: "comma", Period: "period", Slash: "slash", CapsLock: "caps_lock", Pause: "pause", ContextMenu: "menu",
  NumpadAdd: "kp_add", NumpadSubtract: "kp_subtract", NumpadMultiply: "kp_multiply", NumpadDivide: "kp_divide",
  NumpadDecimal: "kp_decimal", NumpadEnter: "kp_enter",
};

/** Sinew's name of a key, from the `code` of a keyboard event; undefined for one that it does not know. */
export function keyName(code) {
  const series = /^(?:Key([A-Z])|Digit(\d)|(F\d+)|Numpad(\d))$/.exec(code);
  if (!series) return KEYS[code];
  const [, letter, digit, f, pad] = series;
  return pad ? `kp_${pad}` : (letter ?? digit ?? f).toLowerCase();
}

export class Sinew {
  /** `say(line, isError)` gets what the module prints. Rejects with a sentence if there can be no picture. */
  static async open(say) {
    const module = await window.createSinew({ print: (line) => say(line, false), printErr: (line) => say(line, true) });
    const sinew = new Sinew(module);
    if (!module.ccall("page_open", "boolean", ["number"], [1])) throw new Error(sinew.message());
    sinew.assets = await (await fetch("assets/index.json")).json();
    return sinew;
  }

  constructor(module) {
    this.module = module;
    this.folder = "/scene";
    module.FS.mkdir(this.folder);
    module.FS.mkdirTree("/sinew/assets");
  }

  call(name, result, types = [], values = []) { return this.module.ccall(name, result, types, values); }
  message() { return this.call("page_message", "string"); }
  path(name) { return `${this.folder}/${name}`; }

  write(name, content) {
    const path = this.path(name);
    this.module.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    this.module.FS.writeFile(path, content);
  }

  /** What the running scene takes as a save. */
  save(name, content) {
    this.write(name, content);
    this.call("page_saved", "boolean", ["string"], [this.path(name)]);
  }

  read(name) { return this.module.FS.readFile(this.path(name), { encoding: "utf8" }); }

  remove(name) {
    try { this.module.FS.unlink(this.path(name)); } catch { return; }
    this.call("page_removed", "boolean", ["string"], [this.path(name)]);
  }

  /** Fetches the assets of the project that a text names and that are not here yet. */
  async fetchAssets(text) {
    const names = this.assets.filter((name) => text.includes(name) && !this.has(name));
    await Promise.all(names.map(async (name) => {
      const answer = await fetch(`assets/${name}`);
      if (!answer.ok) throw new Error(`assets/${name} could not be fetched (${answer.status})`);
      this.module.FS.writeFile(`/sinew/assets/${name}`, new Uint8Array(await answer.arrayBuffer()));
    }));
  }

  has(name) { return this.module.FS.analyzePath(`/sinew/assets/${name}`).exists; }

  openScene(name) { return this.call("page_open_scene", "boolean", ["string"], [this.path(name)]); }
  closeScene() { this.call("page_close_scene", null); }
  frame(seconds) { return this.call("page_frame", "boolean", ["number"], [seconds]); }
  problem() { return this.call("page_problem", "string") || null; }
  takeHint() { return this.call("page_take_hint", "string") || null; }
  summary() { return this.call("page_summary", "string"); }
  evaluate(line) { return this.call("page_evaluate", "string", ["string"], [line]); }

  /** Null if the text is Lua, else the message with its line: "main.lua:3: …". */
  check(name, text) { return this.call("page_check", "string", ["string", "string"], [name, text]) || null; }

  /** The names that can stand at the end of `text`, and the place in it from which they replace it. */
  complete(text) {
    const [from, ...names] = this.call("page_complete", "string", ["string"], [text]).split("\n");
    return { from: Number(from), names: names.filter(Boolean) };
  }

  key(code, down) {
    const name = keyName(code);
    return name !== undefined && this.call("page_key", "boolean", ["string", "number"], [name, down ? 1 : 0]);
  }

  press(name) {
    for (const down of [1, 0]) this.call("page_key", "boolean", ["string", "number"], [name, down]);
  }

  character(code) { this.call("page_character", null, ["number"], [code]); }
  mouse(x, y) { this.call("page_mouse", null, ["number", "number"], [x, y]); }
  button(number, down) { this.call("page_button", null, ["number", "number"], [number, down ? 1 : 0]); }
  wheel(notches) { this.call("page_wheel", null, ["number"], [notches]); }
  strength(name, value) { this.call("page_strength", "boolean", ["string", "number"], [name, value]); }
  drop(name) { this.call("page_drop", null, ["string"], [this.path(name)]); }
}

// What a person does on the picture, as the input of the scene: mouse, fingers, keys, gamepads.
import { keyName } from "./module.js";

const BROWSER_KEYS = new Set(["F5", "F11", "F12"]); // what the browser keeps for itself; the page has buttons for them

function pixel(canvas, event) {
  const box = canvas.getBoundingClientRect();
  return [(event.clientX - box.left) * canvas.width / box.width, (event.clientY - box.top) * canvas.height / box.height];
}

function listenToMouse(canvas, sinew) {
  const buttons = [1, 3, 2]; // the browser's numbers in Sinew's order: left, middle, right
  canvas.addEventListener("pointermove", (event) => {
    if (event.pointerType !== "touch") sinew.mouse(...pixel(canvas, event));
  });
  canvas.addEventListener("pointerdown", (event) => {
    if (event.pointerType === "touch") return;
    canvas.setPointerCapture(event.pointerId);
    sinew.mouse(...pixel(canvas, event));
    sinew.button(buttons[event.button] ?? 1, true);
  });
  for (const end of ["pointerup", "pointercancel"]) {
    canvas.addEventListener(end, (event) => {
      if (event.pointerType !== "touch") sinew.button(buttons[event.button] ?? 1, false);
    });
  }
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    sinew.wheel(-event.deltaY / (event.deltaMode ? 3 : 100));
  }, { passive: false });
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
}

/** One finger is the left button; two are the right one at their middle, and their distance is the wheel. */
function listenToFingers(canvas, sinew) {
  const fingers = new Map();
  let button = 0, apart = 0;
  const middle = () => {
    const all = [...fingers.values()], sum = all.reduce((a, b) => [a[0] + b[0], a[1] + b[1]], [0, 0]);
    return [sum[0] / all.length, sum[1] / all.length];
  };
  const distance = () => {
    const [a, b] = [...fingers.values()];
    return Math.hypot(a[0] - b[0], a[1] - b[1]);
  };
  const begin = () => {
    const wanted = Math.min(fingers.size, 2) === 2 ? 2 : fingers.size;
    if (button) sinew.button(button, false);
    button = wanted;
    if (!wanted) return;
    sinew.mouse(...middle());
    sinew.button(button, true);
    if (wanted === 2) apart = distance();
  };
  canvas.addEventListener("pointerdown", (event) => {
    if (event.pointerType !== "touch") return;
    fingers.set(event.pointerId, pixel(canvas, event));
    begin();
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!fingers.has(event.pointerId)) return;
    fingers.set(event.pointerId, pixel(canvas, event));
    sinew.mouse(...middle());
    if (fingers.size !== 2) return;
    const now = distance();
    sinew.wheel(12 * Math.log(now / apart));
    apart = now;
  });
  for (const end of ["pointerup", "pointercancel"]) {
    canvas.addEventListener(end, (event) => { if (fingers.delete(event.pointerId)) begin(); });
  }
}

function listenToKeys(canvas, sinew, leave) {
  const held = new Set();
  const release = () => {
    for (const code of held) sinew.key(code, false);
    held.clear();
  };
  canvas.addEventListener("keydown", (event) => {
    if (event.code === "Escape") {
      leave();
      return;
    }
    if (BROWSER_KEYS.has(event.code) || !keyName(event.code)) return;
    event.preventDefault();
    if (event.key.length === 1 && !event.ctrlKey && !event.metaKey) sinew.character(event.key.codePointAt(0));
    if (event.repeat) return;
    held.add(event.code);
    sinew.key(event.code, true);
  });
  canvas.addEventListener("keyup", (event) => {
    if (held.delete(event.code)) sinew.key(event.code, false);
  });
  canvas.addEventListener("blur", release);
}

// In the browser's order of a standard gamepad; the triggers are not buttons.
const PAD_BUTTONS = ["pad_a", "pad_b", "pad_x", "pad_y", "pad_left_bumper", "pad_right_bumper", null, null, "pad_back", "pad_start",
                     "pad_left_stick", "pad_right_stick", "pad_up", "pad_down", "pad_left", "pad_right", "pad_guide"];

/** Call it with the canvas focused: the browser's standard gamepads, all of them as one, as sticks of the scene. */
export function pollGamepads(sinew, before) {
  const now = {};
  for (const pad of navigator.getGamepads?.() ?? []) {
    if (pad?.mapping !== "standard") continue;
    const [x, y, u, v] = pad.axes;
    const sticks = { left_stick_left: -x, left_stick_right: x, left_stick_up: -y, left_stick_down: y,
                     right_stick_left: -u, right_stick_right: u, right_stick_up: -v, right_stick_down: v,
                     left_trigger: pad.buttons[6]?.value ?? 0, right_trigger: pad.buttons[7]?.value ?? 0 };
    for (const [name, value] of Object.entries(sticks)) now[name] = Math.max(now[name] ?? 0, value < 0.15 ? 0 : value);
    PAD_BUTTONS.forEach((name, i) => { if (name) now[name] = now[name] || pad.buttons[i]?.pressed; });
  }
  for (const [name, value] of Object.entries(now)) {
    if (before[name] === value) continue;
    if (typeof value === "number") sinew.strength(name, value);
    else sinew.call("page_key", "boolean", ["string", "number"], [name, value ? 1 : 0]);
  }
  return now;
}

/** `leave` is called when the person gives the keys back to the editor (Esc). */
export function listen(canvas, sinew, leave) {
  listenToMouse(canvas, sinew);
  listenToFingers(canvas, sinew);
  listenToKeys(canvas, sinew, leave);
}

/** Keeps the canvas as large as its box, in pixels of the display. */
export function followSize(canvas) {
  const fit = () => {
    const scale = window.devicePixelRatio || 1;
    canvas.width = Math.max(1, Math.round(canvas.clientWidth * scale));
    canvas.height = Math.max(1, Math.round(canvas.clientHeight * scale));
  };
  new ResizeObserver(fit).observe(canvas);
  fit();
}

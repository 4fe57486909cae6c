// The editor where CodeMirror is missing: a text area. The same functions as in editor.js.
export function createEditor(parent, { changed }) {
  const area = document.createElement("textarea");
  area.spellcheck = false;
  area.className = "plain";
  area.addEventListener("input", () => changed(area.value));
  parent.append(area);
  return {
    show(text) { area.value = text; },
    text: () => area.value,
    focus: () => area.focus(),
    mark(line, message) { area.title = line ? `line ${line}: ${message}` : ""; },
  };
}

// The editor at the left: CodeMirror with Lua, completion and errors from the running scene, and numbers that can be dragged.
import { autocompletion, closeBrackets, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { HighlightStyle, StreamLanguage, bracketMatching, indentOnInput, syntaxHighlighting } from "@codemirror/language";
import { lua } from "@codemirror/legacy-modes/mode/lua";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { Decoration, EditorView, ViewPlugin, drawSelection, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { dragged, numberAt } from "./number.js";

const colors = syntaxHighlighting(HighlightStyle.define([
  { tag: tags.comment, color: "#7d8799" },
  { tag: tags.string, color: "#9ad08c" },
  { tag: tags.number, color: "#f0b866" },
  { tag: tags.keyword, color: "#8fb8ff" },
  { tag: tags.standard(tags.variableName), color: "#c7a6ff" },
]));

/** Marks the numbers of the visible lines, so that the mouse and fingers show that they can be dragged. */
function numbers(pulseAt) {
  const build = (view) => {
    const marks = [];
    for (const { from, to } of view.visibleRanges) {
      const text = view.state.sliceDoc(from, to);
      for (const found of text.matchAll(/(?<![\w.])\d+(?:\.\d+)?(?![\w.])/g)) {
        const at = from + found.index, line = view.state.doc.lineAt(at);
        if (!numberAt(line.text, at - line.from)) continue;
        const pulses = pulseAt(line.text);
        marks.push(Decoration.mark({ class: pulses ? "number pulses" : "number" }).range(at, at + found[0].length));
      }
    }
    return Decoration.set(marks);
  };
  return ViewPlugin.fromClass(class {
    constructor(view) { this.decorations = build(view); }
    update(change) {
      if (change.docChanged || change.viewportChanged) this.decorations = build(change.view);
    }
  }, { decorations: (plugin) => plugin.decorations });
}

/** A press on a number that moves sideways changes it; one that does not is a click as usual. */
function dragging(whileDragged) {
  let drag = null;
  const end = (view, event) => {
    if (!drag) return false;
    const moved = drag.moved;
    drag = null;
    view.contentDOM.releasePointerCapture?.(event.pointerId);
    whileDragged(false);
    return moved;
  };
  return EditorView.domEventHandlers({
    pointerdown(event, view) {
      if (event.button !== 0 || !event.target.closest?.(".number")) return false;
      const at = view.posAtCoords({ x: event.clientX, y: event.clientY });
      const line = at === null ? null : view.state.doc.lineAt(at), found = line && numberAt(line.text, at - line.from);
      if (!found) return false;
      drag = { x: event.clientX, from: line.from + found.from, to: line.from + found.to, text: found.text, moved: false };
      return false;
    },
    pointermove(event, view) {
      if (!drag) return false;
      const pixels = event.clientX - drag.x;
      if (!drag.moved && Math.abs(pixels) < 4) return false;
      if (!drag.moved) {
        drag.moved = true;
        view.contentDOM.setPointerCapture?.(event.pointerId);
        whileDragged(true);
      }
      event.preventDefault();
      const insert = dragged(drag.text, pixels);
      view.dispatch({ changes: { from: drag.from, to: drag.to, insert }, selection: { anchor: drag.from, head: drag.from + insert.length } });
      drag.to = drag.from + insert.length;
      return true;
    },
    pointerup: (event, view) => end(view, event),
    pointercancel: (event, view) => end(view, event),
  });
}

/**
 * Returns the editor of one file at a time. `changed(text)` is called after each change by the person, `complete(text)` gives
 * the names that can follow, and `dragging(on)` is told while a number is dragged.
 */
export function createEditor(parent, { changed, complete, whileDragged, pulseAt }) {
  const completions = async (context) => {
    const word = context.matchBefore(/[\w.:"]+$/);
    if (!word && !context.explicit) return null;
    const before = context.state.sliceDoc(context.state.doc.lineAt(context.pos).from, context.pos);
    const { from, names } = complete(before);
    return names.length ? { from: context.pos - before.length + from, options: names.map((label) => ({ label })) } : null;
  };
  const extensions = [
    lineNumbers(), history(), drawSelection(), indentOnInput(), bracketMatching(), closeBrackets(), highlightActiveLine(),
    autocompletion({ override: [completions] }), StreamLanguage.define(lua), colors, lintGutter(), numbers(pulseAt),
    dragging(whileDragged), EditorView.lineWrapping,
    keymap.of([{ key: "Mod-s", run: () => true }, ...completionKeymap, ...historyKeymap, ...defaultKeymap, indentWithTab]),
    EditorView.updateListener.of((change) => {
      if (change.docChanged) changed(change.state.doc.toString());
    }),
  ];
  const view = new EditorView({ parent, state: EditorState.create({ extensions }) });
  return {
    show(text) { view.setState(EditorState.create({ doc: text, extensions })); },
    text: () => view.state.doc.toString(),
    focus: () => view.focus(),
    /** Marks the line with a message; null takes the mark away. */
    mark(line, message) {
      const doc = view.state.doc, at = line && line <= doc.lines ? doc.line(line) : null;
      view.dispatch(setDiagnostics(view.state, at ? [{ from: at.from, to: at.to, severity: "error", message }] : []));
    },
    view,
  };
}

// Numbers in the text, as things that can be dragged.

/** The number of a line of Lua that covers `column`, with its sign where that belongs to it; null in comments and strings. */
export function numberAt(line, column) {
  let quote = null;
  for (let i = 0; i < line.length; i++) {
    if (quote) {
      if (line[i] === "\\") i++;
      else if (line[i] === quote) quote = null;
      continue;
    }
    if (line[i] === '"' || line[i] === "'") quote = line[i];
    else if (line.startsWith("--", i)) return null;
    else if (/\d/.test(line[i]) && !/[\w.]/.test(line[i - 1] ?? " ")) {
      const digits = /^\d+(?:\.\d+)?(?![\w.])/.exec(line.slice(i))?.[0];
      if (!digits) continue;
      const signed = line[i - 1] === "-" && /[=({,\s]\s*$/.test(line.slice(0, i - 1)) && !/[\w)\]]\s*$/.test(line.slice(0, i - 1));
      const from = signed ? i - 1 : i, to = i + digits.length;
      if (column >= from && column <= to) return { from, to, text: line.slice(from, to) };
      i = to - 1;
    }
  }
  return null;
}

/** The number after a drag of so many pixels: its own last digit is the step of two pixels, and the digits stay as many. */
export function dragged(text, pixels) {
  const digits = text.split(".")[1]?.length ?? 0, whole = digits === 0;
  const step = whole && Math.abs(Number(text)) >= 100 ? 10 : 10 ** -digits;
  const value = Number(text) + Math.trunc(pixels / (whole ? 12 : 3)) * step;
  const shown = value.toFixed(digits);
  return Number(shown) === 0 ? shown.replace("-", "") : shown;
}

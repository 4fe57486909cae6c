// The scenes of the page, and a page that lists them: node web/pages.mjs DIST. Every piece of Lua in docs/blending.md that is a scene of
// its own, those of docs/gallery.md, and the examples.
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url)), DIST = process.argv[2];
const read = (path) => readFileSync(join(ROOT, path), "utf8");
const escape = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
const list = (folder) => readdirSync(join(ROOT, folder)).filter((name) => name.endsWith(".lua")).sort();

/** [{title, text}]: the scenes below each heading of a page. */
export function recipes(markdown) {
  return markdown.split(/^## /m).slice(1).flatMap((part) => {
    const title = part.slice(0, part.indexOf("\n"));
    return [...part.matchAll(/^```lua\n([^]*?)^```/gm)].map((found) => found[1]).filter((text) => text.includes('require "sinew"'))
      .map((text, i) => ({ title: i ? `${title} (${i + 1})` : title, text }));
  });
}

const slug = (title) => title.toLowerCase().replace(/[^a-z0-9]+/g, "_").replace(/^_|_$/g, "");
const titled = (folder, name) => ({ title: basename(name, ".lua").replaceAll("_", " "), text: read(join(folder, name)), file: name });

function write() {
  const groups = [
    { name: "Examples", folder: "", scenes: list("scripts/examples").map((name) => titled("scripts/examples", name)) },
    { name: "Recipes", folder: "recipes/", scenes: recipes(read("docs/blending.md")).map((one) => ({ ...one, file: `${slug(one.title)}.lua` })) },
    { name: "Gallery", folder: "gallery/", scenes: list("docs/images/scenes").map((name) => titled("docs/images/scenes", name)) },
  ];
  const index = [];
  let html = "";
  for (const { name, folder, scenes } of groups) {
    html += `<h2>${name}</h2>\n`;
    for (const { title, text, file } of scenes) {
      const path = join(DIST, "examples", folder + file);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
      index.push({ group: name, title, file: folder + file });
      html += `<details><summary>${escape(title)} <a href="./?scene=${folder}${file}">run and edit it</a></summary><pre>${escape(text)}</pre></details>\n`;
    }
  }
  writeFileSync(join(DIST, "examples/index.json"), JSON.stringify(index));
  writeFileSync(join(DIST, "gallery.html"), read("web/gallery.html").replace("<!-- scenes -->\n", html));
}

if (DIST) write();

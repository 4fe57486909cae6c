// A scene as a link: its text, packed, behind the # of the address, which browsers send to nobody.

async function pipe(bytes, stream) {
  const writer = stream.writable.getWriter();
  writer.write(bytes).then(() => writer.close()).catch(() => {}); // the reader gets the error, too
  return new Uint8Array(await new Response(stream.readable).arrayBuffer());
}

function toBase64(bytes) {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function fromBase64(text) {
  const bytes = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(bytes, (c) => c.charCodeAt(0));
}

/** files: {name: text}. The part of an address behind the #. */
export async function pack(files) {
  const bytes = new TextEncoder().encode(JSON.stringify(files));
  return `1${toBase64(await pipe(bytes, new CompressionStream("deflate-raw")))}`;
}

/** The inverse. Rejects with a sentence for a link that is cut off or of another version. */
export async function unpack(text) {
  if (text[0] !== "1") throw new Error("This link was made by another version of the page.");
  try {
    const bytes = await pipe(fromBase64(text.slice(1)), new DecompressionStream("deflate-raw"));
    const files = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (!Object.values(files).every((value) => typeof value === "string")) throw new Error();
    return files;
  } catch {
    throw new Error("This link is cut off or damaged: ask for it again, whole.");
  }
}

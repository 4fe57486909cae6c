// Files, and whole folders, that are dropped on the page.

function entries(reader) {
  return new Promise((resolve, reject) => { reader.readEntries(resolve, reject); });
}

async function walk(entry, folder, found) {
  if (entry.isFile) {
    const file = await new Promise((resolve, reject) => { entry.file(resolve, reject); });
    found.push({ name: folder + entry.name, file });
  } else if (entry.isDirectory) {
    const reader = entry.createReader();
    for (let some = await entries(reader); some.length; some = await entries(reader)) // a hundred at a time
      for (const one of some) await walk(one, `${folder}${entry.name}/`, found);
  }
  return found;
}

/** [{name, file}] of a drop; a file in a folder is called "folder/file". The drop's items live for this call only. */
export async function droppedFiles(transfer) {
  const tops = [...transfer.items].map((item) => item.webkitGetAsEntry?.()), plain = [...transfer.files];
  if (!tops.length || tops.some((entry) => !entry)) return plain.map((file) => ({ name: file.name, file }));
  const found = [];
  for (const entry of tops) await walk(entry, "", found);
  return found;
}

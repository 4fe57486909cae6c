// A film of the canvas, made by the browser's recorder and downloaded.
const TYPES = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm", "video/mp4"];

export function download(name, blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

/** Begins a film. Returns a function that ends it, or null where the browser has no recorder. */
export function film(canvas, name) {
  const type = window.MediaRecorder && TYPES.find((one) => MediaRecorder.isTypeSupported(one));
  if (!type || !canvas.captureStream) return null;
  const recorder = new MediaRecorder(canvas.captureStream(60), { mimeType: type, videoBitsPerSecond: 8e6 }), parts = [];
  recorder.ondataavailable = (event) => parts.push(event.data);
  recorder.onstop = () => download(`${name}.${type.includes("mp4") ? "mp4" : "webm"}`, new Blob(parts, { type }));
  recorder.start();
  return () => recorder.stop();
}

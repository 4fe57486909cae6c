// Plays cases in three.js's AnimationMixer and prints the world matrices of all nodes, in columns, as JSON.
//
//     node mixer.mjs THREE.module.js MODEL.glb CASES.json nlerp|slerp
import { readFileSync } from "node:fs"
import { pathToFileURL } from "node:url"

const [library, model, cases, between] = process.argv.slice(2)
const THREE = await import(pathToFileURL(library))

// Sinew blends rotations by normalised sums, three.js by arcs: with "nlerp" only that is taken from it.
if (between === "nlerp") {
  THREE.Quaternion.slerpFlat = (out, at, a, i, b, j, t) => {
    const dot = a[i] * b[j] + a[i + 1] * b[j + 1] + a[i + 2] * b[j + 2] + a[i + 3] * b[j + 3]
    const sum = [0, 1, 2, 3].map((k) => a[i + k] * (1 - t) + (dot < 0 ? -b[j + k] : b[j + k]) * t)
    const length = Math.hypot(...sum)
    sum.forEach((value, k) => { out[at + k] = value / length })
  }
}

// ---- the file: nodes and clips, without what is drawn ----

const file = readFileSync(model)
const size = file.readUInt32LE(12)
const gltf = JSON.parse(file.subarray(20, 20 + size).toString("utf8"))

function read(index) {
  const accessor = gltf.accessors[index], view = gltf.bufferViews[accessor.bufferView]
  const width = { SCALAR: 1, VEC3: 3, VEC4: 4 }[accessor.type]
  if (accessor.componentType !== 5126 || view.byteStride) throw new Error("the file's numbers are not plain floats")
  const first = 28 + size + (view.byteOffset ?? 0) + (accessor.byteOffset ?? 0)
  return Float32Array.from({ length: accessor.count * width }, (_, i) => file.readFloatLE(first + 4 * i))
}

function makeNodes() {
  const nodes = gltf.nodes.map((node, i) => {
    const object = new THREE.Object3D()
    object.name = `n${i}`
    if (node.translation) object.position.fromArray(node.translation)
    if (node.rotation) object.quaternion.fromArray(node.rotation)
    if (node.scale) object.scale.fromArray(node.scale)
    return object
  })
  gltf.nodes.forEach((node, i) => (node.children ?? []).forEach((child) => nodes[i].add(nodes[child])))
  const root = new THREE.Object3D()
  gltf.scenes[0].nodes.forEach((i) => root.add(nodes[i]))
  return { root, nodes }
}

const properties = { translation: "position", rotation: "quaternion", scale: "scale" }

// Of the joints that `has` says.
function makeClip(name, has = () => true) {
  const animation = gltf.animations.find((a) => a.name === name)
  const tracks = animation.channels.filter(({ target }) => has(gltf.nodes[target.node].name)).map(({ sampler, target }) => {
    const Track = target.path === "rotation" ? THREE.QuaternionKeyframeTrack : THREE.VectorKeyframeTrack
    const { input, output } = animation.samplers[sampler]
    return new Track(`n${target.node}.${properties[target.path]}`, read(input), read(output))
  })
  return new THREE.AnimationClip(name, -1, tracks)
}

// ---- the cases ----

// What covers some joints takes them from the clips below: those play in two parts, and one gives way.
function parts(actions) {
  const cover = actions.find((action) => action.joints)
  if (!cover) return actions
  const inside = (name) => cover.joints.includes(name)
  return actions.flatMap((action) => action === cover ? [{ ...action, has: inside }] : [
    { ...action, has: (name) => !inside(name) },
    { ...action, has: inside, weight: action.weight * (1 - cover.weight) }])
}

// Frames are counted in thousandths of a second here.
function makeAdditive(data, reference) {
  if (!reference) return THREE.AnimationUtils.makeClipAdditive(data)
  return THREE.AnimationUtils.makeClipAdditive(data, reference.time * 1000, makeClip(reference.clip), 1000)
}

function play(mixer, { clip, time = 0, weight = 1, additive = false, reference, has }) {
  const data = makeClip(clip, has)
  const action = mixer.clipAction(additive ? makeAdditive(data, reference) : data)
  action.play()
  action.time = time
  return action.setEffectiveWeight(weight)
}

function run(wanted) {
  const { root, nodes } = makeNodes()
  const mixer = new THREE.AnimationMixer(root)
  const actions = parts(wanted.actions).map((action) => play(mixer, action))
  for (let i = 0; i < (wanted.before ?? 0); i++) mixer.update(1 / 60)
  if (wanted.next) play(mixer, wanted.next).crossFadeFrom(actions[0], wanted.fade, false)
  for (let i = 0; i < (wanted.after ?? 0); i++) mixer.update(1 / 60)
  mixer.update(0)
  root.updateMatrixWorld(true)
  return Object.fromEntries(nodes.map((node, i) => [gltf.nodes[i].name, node.matrixWorld.elements]))
}

const all = JSON.parse(readFileSync(cases, "utf8"))
console.log(JSON.stringify(Object.fromEntries(Object.entries(all).map(([name, wanted]) => [name, run(wanted)]))))

/* A thread that looks up names as fast as it can and checks every octet of the results. */
import { parentPort, workerData, type MessagePort } from 'node:worker_threads'
import { nameFromText } from '../names/index.ts'
import { uint16At } from '../names/octets.ts'
import { RRSET_HEAD_BYTES } from './layout.ts'
import type { TableHandles } from './table-handles.ts'
import { TableReader } from './table-reader.ts'

export interface ReadingThread {
  readonly handles: TableHandles
  readonly worker: number
  readonly port: MessagePort
  readonly owners: readonly string[]
  /** Owners from here on may be missing. */
  readonly stable: number
  readonly zone: number
  /** The number of look-ups so far, one word for each thread, and a word that is not 0 when they are enough. */
  readonly looks: SharedArrayBuffer
}

const input = workerData as ReadingThread
const reader = new TableReader(input.handles, { worker: input.worker, port: input.port })
const names = input.owners.map((owner) => {
  const name = reader.newName()
  name.read(nameFromText(owner), 0)
  return name
})
const looks = new Int32Array(input.looks)
const ENOUGH = looks.length - 1
const newest = new Uint32Array(names.length)

/** The number of a state in which all octets agree; throws otherwise. */
function stateNumber(ref: number, type: number): number {
  const octets = reader.octetsOf(ref)
  const at = reader.findRRset(ref, type) + RRSET_HEAD_BYTES
  const length = uint16At(octets, at)
  const view = new DataView(octets.buffer, at + 2, length)
  const number = view.getUint32(0)
  // A state of number n has n mod 50 + 1 copies of it.
  if (length !== ((number % 50) + 1) * 4) throw new Error(`state ${number} has ${length} octets`)
  for (let index = 0; index < length; index += 4) {
    if (view.getUint32(index) !== number) throw new Error(`state ${number} is torn`)
  }
  return number
}

function look(index: number): void {
  const name = names[index]
  if (name === undefined) return
  reader.enter()
  const ref = reader.find(input.zone, name, 0, 1)
  if (ref === 0) {
    if (index < input.stable) throw new Error(`${input.owners[index]} is missing`)
  } else {
    const number = stateNumber(ref, 16)
    if (stateNumber(ref, 99) !== number) throw new Error('half of another state')
    if (number < (newest[index] ?? 0)) throw new Error('an older state came back')
    newest[index] = number
    // The entry must not change until the reader leaves.
    for (let again = 0; again < 20; again++) {
      if (stateNumber(ref, 16) !== number) throw new Error('the entry was used again')
    }
  }
  reader.leave()
}

let failure: string | undefined
try {
  for (let turn = 0; Atomics.load(looks, ENOUGH) === 0; turn++) {
    look((turn * 7) % names.length)
    Atomics.add(looks, input.worker, 1)
  }
} catch (error) {
  failure = String(error)
}
parentPort?.postMessage({ failure })

/*
 * A C library whose socket costs almost nothing: `recvmmsg` returns prepared datagrams in turn, `sendmmsg` accepts
 * everything. It reads and writes the structures through their pointers, like the kernel, so a measurement over it
 * shows the daemon's own share of an answer.
 */
import type { Libc } from '../../src/server/batch-socket-libc.ts'

const HEADER_OCTETS = 64
const HEADER = { name: 0, vector: 16, octets: 56 } as const
const AF_INET = 2
// Pointers are offsets in the one block of memory.
const BASE = 0x1_0000_0000n

export interface StubKernel extends Libc {
  /** Number of answered datagrams. */
  readonly sent: number
}

/**
 * @param datagrams returned in turn, each from the next of `clients`
 * @param clients IPv4 addresses as numbers
 * @param batch number of datagrams per call
 */
export function stubKernel(
  datagrams: readonly Uint8Array[],
  clients: Int32Array,
  batch: number,
): StubKernel {
  const octets = new Uint8Array(datagrams.reduce((sum, { length }) => sum + length, 0))
  const ends = new Int32Array(datagrams.length + 1)
  for (const [index, datagram] of datagrams.entries()) {
    octets.set(datagram, ends[index])
    ends[index + 1] = (ends[index] ?? 0) + datagram.length
  }
  let memory = new Uint8Array()
  let words = new Uint32Array()
  let [packetsAt, namesAt]: [number[], number[]] = [[], []]
  let [next, sent] = [0, 0]

  const place = (view: DataView, at: number) => Number(view.getBigUint64(at, true) - BASE)
  const learn = (): void => {
    const view = new DataView(memory.buffer)
    for (let slot = 0; slot < batch; slot++) {
      const header = slot * HEADER_OCTETS
      packetsAt[slot] = place(view, place(view, header + HEADER.vector))
      namesAt[slot] = place(view, header + HEADER.name)
    }
  }
  const refuse = (): number => {
    throw new Error('there is no such call here')
  }
  return {
    socket: refuse,
    setsockopt: refuse,
    bind: refuse,
    getsockname: refuse,
    inet_pton: refuse,
    poll: refuse,
    close: refuse,
    errno: () => 0,
    allocate(size) {
      memory = new Uint8Array(size)
      words = new Uint32Array(memory.buffer)
      packetsAt = []
      namesAt = []
      return BASE
    },
    free: () => undefined,
    view: () => memory.buffer,
    recvmmsg() {
      if (packetsAt.length === 0) learn()
      for (let slot = 0; slot < batch; slot++) {
        const end = ends[next + 1] as number
        let at = packetsAt[slot] as number
        const begin = ends[next] as number
        for (let from = begin; from < end; from++) memory[at++] = octets[from] as number
        words[(slot * HEADER_OCTETS + HEADER.octets) >> 2] = end - begin
        const name = namesAt[slot] as number
        const client = clients[next % clients.length] as number
        memory[name] = AF_INET
        memory[name + 2] = 0x30
        memory[name + 3] = 0x39
        memory[name + 4] = client >>> 24
        memory[name + 5] = client >>> 16
        memory[name + 6] = client >>> 8
        memory[name + 7] = client
        next = next + 1 === datagrams.length ? 0 : next + 1
      }
      return batch
    },
    sendmmsg(_fd, _messages, count) {
      sent += count
      return count
    },
    get sent() {
      return sent
    },
  }
}

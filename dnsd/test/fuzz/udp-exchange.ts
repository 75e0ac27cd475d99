import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { requestOctets } from '../support/request-octets.ts'

// The number of packets in flight. Their responses, with the kernel's overhead, fit into a receive buffer of the
// default size, so only the server can lose one.
export const BATCH_PACKETS = 48

// IDs from here on belong to valid queries.
const HONEST_IDS = 0x8000
const RESEND_MS = 1_000
const TRIES = 20

/** The responses to a batch. */
export interface Exchanged {
  /** Responses by the index of their packet; more than one would be a fault. */
  readonly answers: ReadonlyMap<number, readonly Buffer[]>
  /** Time from the last valid query to its response, including the processing of all packets before it. */
  readonly honestMs: number
}

/** A packet with the ID that identifies its response; packets too short for an ID stay unchanged. */
export function numbered(packet: Buffer, id: number): Buffer {
  if (packet.length < 2) return packet
  const copy = Buffer.from(packet)
  copy.writeUInt16BE(id)
  return copy
}

/** Sends packets to a server in batches, each followed by a valid query. */
export class UdpExchange {
  readonly #socket: Socket
  readonly #port: number
  readonly #honestName: string
  #answers = new Map<number, Buffer[]>()
  #honestId = HONEST_IDS
  #honestAnswered = (): void => undefined

  private constructor(socket: Socket, port: number, honestName: string) {
    this.#socket = socket
    this.#port = port
    this.#honestName = honestName
    socket.on('message', (answer: Buffer) => {
      this.#take(answer)
    })
  }

  /** @param host the source address, which decides which client the server sees */
  static async open(port: number, honestName: string, host = '127.0.0.1'): Promise<UdpExchange> {
    const socket = createSocket({ type: 'udp4', recvBufferSize: 1 << 22 })
    const bound = once(socket, 'listening')
    socket.bind(0, host)
    await bound
    return new UdpExchange(socket, port, honestName)
  }

  /**
   * Resolves when the valid query after the batch is answered. The server processes datagrams of one sender in order,
   * so a packet without a response by then gets none.
   *
   * @throws an error when the server does not answer a valid query within twenty seconds
   */
  async send(batch: readonly Buffer[]): Promise<Exchanged> {
    this.#answers = new Map()
    for (const [index, packet] of batch.entries()) {
      this.#socket.send(numbered(packet, index), this.#port, '127.0.0.1')
    }
    const honestMs = await this.#askHonestly()
    return { answers: this.#answers, honestMs }
  }

  close(): void {
    this.#socket.close()
  }

  async #askHonestly(): Promise<number> {
    const sentAt = performance.now()
    for (let tries = 0; tries < TRIES; tries++) {
      this.#honestId = HONEST_IDS + ((this.#honestId + 1) % HONEST_IDS)
      const question = requestOctets(this.#honestName, 'A', { id: this.#honestId })
      let timer: NodeJS.Timeout | undefined
      const answered = new Promise<boolean>((resolve) => {
        this.#honestAnswered = () => {
          resolve(true)
        }
        timer = setTimeout(resolve, RESEND_MS, false)
      })
      this.#socket.send(question, this.#port, '127.0.0.1')
      const inTime = await answered
      clearTimeout(timer)
      if (inTime) return performance.now() - sentAt
    }
    throw new Error(`an honest question was not answered in ${(TRIES * RESEND_MS) / 1000} s`)
  }

  #take(answer: Buffer): void {
    const id = answer.length < 2 ? -1 : answer.readUInt16BE(0)
    if (id === this.#honestId) this.#honestAnswered()
    else if (id < HONEST_IDS) this.#answers.set(id, [...(this.#answers.get(id) ?? []), answer])
  }
}

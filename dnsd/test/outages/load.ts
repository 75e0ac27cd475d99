import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { requestOctets } from '../support/request-octets.ts'

/** The results of queries. */
export interface LoadCounts {
  readonly asked: number
  /** Queries without a response within two seconds, or with a wrong address. */
  readonly failed: readonly string[]
  /** Responses with a serial older than one in a response before the query. */
  readonly wentBack: number
}

interface Waiting {
  readonly name: string
  /** For an SOA query: the newest serial in any response when the query was sent. */
  knownSerial: number | undefined
  readonly timer: NodeJS.Timeout
}

const ANSWER_LIMIT_MS = 2_000
const TURN_MS = 20
/** One query in this many asks for the serial. */
const SERIAL_ONE_IN = 10
const IDS = 65_536
const HEADER_BYTES = 12
const RCODE = 0xf
const AA = 0x04
/** An EDNS option of a client cookie (RFC 7873 §4). */
const COOKIE = Buffer.from([0, 10, 0, 8, 1, 2, 3, 4, 5, 6, 7, 8])

/** A resolver that queries continuously at a steady rate: existing names, and the zone's serial. */
export class Load {
  readonly #socket: Socket
  readonly #options: { readonly port: number; readonly zone: string; readonly names: number }
  readonly #waiting = new Map<number, Waiting>()
  readonly #timer: NodeJS.Timeout
  #isPaused = true
  #lastId = 0
  #asked = 0
  #failed: string[] = []
  #wentBack = 0
  #serial = 0

  private constructor(
    socket: Socket,
    options: { port: number; zone: string; names: number; perSecond: number },
  ) {
    this.#socket = socket
    this.#options = options
    socket.on('message', (answer) => this.#answered(answer))
    let due = 0
    this.#timer = setInterval(() => {
      if (this.#isPaused) return
      due += (options.perSecond * TURN_MS) / 1_000
      for (; due >= 1; due--) this.#ask()
    }, TURN_MS)
  }

  /** @param options names are `host-0.<zone>` and so on, each with an address */
  static async begin(options: {
    readonly port: number
    readonly zone: string
    readonly names: number
    readonly perSecond: number
  }): Promise<Load> {
    const socket = createSocket('udp4')
    socket.bind(0, '127.0.0.1')
    await once(socket, 'listening')
    return new Load(socket, options)
  }

  /**
   * Counts from 0, and forgets the serials that were seen: a decrease just before may not have been noticed yet, and
   * does not belong to the next outage.
   */
  reset(): void {
    this.#serial = 0
    for (const waiting of this.#waiting.values()) {
      if (waiting.knownSerial !== undefined) waiting.knownSerial = 0
    }
    this.#asked = 0
    this.#failed = []
    this.#wentBack = 0
  }

  get counts(): LoadCounts {
    return { asked: this.#asked, failed: this.#failed, wentBack: this.#wentBack }
  }

  resume(): void {
    this.#isPaused = false
  }

  /** Stops sending for a while. Resolves when every query has its response or has failed. */
  async pause(): Promise<void> {
    this.#isPaused = true
    while (this.#waiting.size > 0) await once(this.#socket, 'settled')
  }

  async end(): Promise<void> {
    clearInterval(this.#timer)
    await this.pause()
    this.#socket.close()
  }

  #ask(): void {
    const { port, zone, names } = this.#options
    const isSerial = this.#asked % SERIAL_ONE_IN === 0
    const name = isSerial ? zone : `host-${this.#asked % names}.${zone}`
    const id = (this.#lastId = (this.#lastId + 1) % IDS)
    // Every other query uses cookies.
    const edns = this.#asked % 2 === 0 ? { edns: { options: COOKIE } } : {}
    this.#asked += 1
    const timer = setTimeout(() => this.#settle(id, 'no answer'), ANSWER_LIMIT_MS)
    const knownSerial = isSerial ? this.#serial : undefined
    this.#waiting.set(id, { name, knownSerial, timer })
    this.#socket.send(
      requestOctets(name, isSerial ? 'SOA' : 'A', { id, ...edns }),
      port,
      '127.0.0.1',
    )
  }

  #answered(answer: Buffer): void {
    const id = answer.readUInt16BE(0)
    const waiting = this.#waiting.get(id)
    if (waiting === undefined) return
    const isAnswer =
      (answer.readUInt8(3) & RCODE) === 0 &&
      (answer.readUInt8(2) & AA) !== 0 &&
      answer.readUInt16BE(6) === 1
    this.#settle(id, isAnswer ? undefined : `octets 2 to 8 ${answer.toString('hex', 2, 8)}`)
    const { knownSerial } = waiting
    if (isAnswer && knownSerial !== undefined)
      this.#see(serialIn(answer, waiting.name), knownSerial)
  }

  #settle(id: number, failure: string | undefined): void {
    const waiting = this.#waiting.get(id)
    if (waiting === undefined) return
    clearTimeout(waiting.timer)
    this.#waiting.delete(id)
    if (failure !== undefined) this.#failed.push(`${waiting.name}: ${failure}`)
    this.#socket.emit('settled')
  }

  #see(serial: number, knownSerial: number): void {
    if (serial < knownSerial) {
      this.#wentBack += 1
      this.#serial = serial
    } else if (serial > this.#serial) this.#serial = serial
  }
}

/** Reads the serial from a response with one SOA record, which ends with five numbers, the serial first. */
function serialIn(answer: Buffer, zone: string): number {
  // Question; then owner (a pointer), type, class, TTL, length.
  const rdataAt = HEADER_BYTES + zone.length + 2 + 4 + 2 + 2 + 2 + 4 + 2
  const rdataBytes = answer.readUInt16BE(rdataAt - 2)
  return answer.readUInt32BE(rdataAt + rdataBytes - 20)
}

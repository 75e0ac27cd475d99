/** HTTP at the level of a device's firmware: raw octets over one connection. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export interface RawAnswer {
  readonly statusLine: string
  readonly status: number
  /** Names in lower case, with repeated headers. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string
  /** The size of the whole response in octets. */
  readonly sizeBytes: number
}

const ANSWER_LIMIT_MS = 30_000

function headersOf(lines: readonly string[]): RawAnswer['headers'] {
  return lines.map((line) => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
  })
}

/** The first header with a name. */
export function headerOf({ headers }: RawAnswer, name: string): string | undefined {
  return headers.find(([each]) => each === name)?.[1]
}

/** The complete response at the start of the received data; undefined while it is incomplete. */
function answerIn(received: Buffer): RawAnswer | undefined {
  const end = received.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [statusLine = '', ...lines] = received.toString('latin1', 0, end).split('\r\n')
  const headers = headersOf(lines)
  const length = headers.find(([name]) => name === 'content-length')?.[1]
  // Firmware finds the end only by Content-Length, and so does this.
  if (length === undefined) throw new Error(`an answer without Content-Length: ${statusLine}`)
  const sizeBytes = end + 4 + Number(length)
  if (received.length < sizeBytes) return undefined
  const status = Number(statusLine.split(' ')[1])
  return {
    statusLine,
    status,
    headers,
    body: received.toString('utf8', end + 4, sizeBytes),
    sizeBytes,
  }
}

export class RawConnection {
  readonly #socket: Socket
  #received = Buffer.alloc(0)

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.on('data', (chunk) => (this.#received = Buffer.concat([this.#received, chunk])))
    // The next `send` reports an error that occurs between calls.
    socket.on('error', () => undefined)
  }

  static async open(url: string): Promise<RawConnection> {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    return new RawConnection(socket)
  }

  /** Sends raw octets and waits for one complete response. @throws Error when the connection ends first */
  async send(octets: string): Promise<RawAnswer> {
    const signal = AbortSignal.timeout(ANSWER_LIMIT_MS)
    this.#socket.write(octets, 'latin1')
    for (;;) {
      const answer = answerIn(this.#received)
      if (answer !== undefined) {
        this.#received = this.#received.subarray(answer.sizeBytes)
        return answer
      }
      if (this.#socket.readableEnded || this.#socket.errored !== null) {
        throw new Error('the connection ended before the answer', { cause: this.#socket.errored })
      }
      await Promise.race([
        once(this.#socket, 'data', { signal }),
        once(this.#socket, 'end', { signal }),
      ])
    }
  }

  close(): void {
    this.#socket.destroy()
  }
}

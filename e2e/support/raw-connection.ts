/** HTTP as a device's firmware sees it: octets out, octets in, over one connection. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export interface RawAnswer {
  readonly statusLine: string
  readonly status: number
  /** Names in lower case, each as often as it came. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string
  /** Everything that came, in octets. */
  readonly sizeBytes: number
}

const ANSWER_LIMIT_MS = 30_000

function headersOf(lines: readonly string[]): RawAnswer['headers'] {
  return lines.map((line) => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
  })
}

/** The first header of a name. */
export function headerOf({ headers }: RawAnswer, name: string): string | undefined {
  return headers.find(([each]) => each === name)?.[1]
}

/** A whole answer at the beginning of what came; undefined while it is not whole. */
function answerIn(received: Buffer): RawAnswer | undefined {
  const end = received.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [statusLine = '', ...lines] = received.toString('latin1', 0, end).split('\r\n')
  const headers = headersOf(lines)
  const length = headers.find(([name]) => name === 'content-length')?.[1]
  // Firmware knows no other way to find the end, so neither does this.
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
    // One that comes while nobody waits is told by the next `send`.
    socket.on('error', () => undefined)
  }

  static async open(url: string): Promise<RawConnection> {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    return new RawConnection(socket)
  }

  /** Sends octets as they are, and waits for one whole answer. @throws Error when the connection ends before */
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

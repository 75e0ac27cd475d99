import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { FrameReader } from '../../src/server/frame-reader.ts'
import { read, type Read } from './ask.ts'
import { uint16 } from './request-octets.ts'

/** A message preceded by its length. */
export function framed(message: Buffer): Buffer {
  return Buffer.concat([uint16(message.length), message])
}

/** A client on one TCP connection. */
export class TcpClient {
  readonly socket: Socket
  /** Resolves when the server has closed the connection. */
  readonly closed: Promise<void>
  readonly #frames = new FrameReader()
  readonly #arrived: Buffer[] = []
  #wake = (): void => undefined
  #isClosed = false

  private constructor(socket: Socket) {
    this.socket = socket
    socket.on('data', (chunk: Buffer) => {
      this.#frames.push(chunk)
      for (let one = this.#frames.take(); one !== undefined; one = this.#frames.take()) {
        this.#arrived.push(Buffer.from(one))
      }
      this.#wake()
    })
    // A server that closes with unread octets resets this connection.
    socket.on('error', () => undefined)
    this.closed = new Promise((resolve) => {
      socket.on('close', () => {
        this.#isClosed = true
        this.#wake()
        resolve()
      })
    })
  }

  /** @param localAddress the source address; chosen by the system when absent */
  static async open(port: number, host = '127.0.0.1', localAddress?: string): Promise<TcpClient> {
    const from = localAddress === undefined ? {} : { localAddress }
    const socket = connect({ port, host, noDelay: true, ...from })
    await once(socket, 'connect')
    return new TcpClient(socket)
  }

  /** The next answers, this many; fewer when the server closes the connection before. */
  async receive(count: number): Promise<Read[]> {
    return (await this.receiveOctets(count)).map(read)
  }

  /** The same without parsing, for many and large answers, which take longer to parse than to send. */
  async receiveOctets(count: number): Promise<Buffer[]> {
    while (this.#arrived.length < count && !this.#isClosed) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    return this.#arrived.splice(0, count)
  }

  async ask(message: Buffer): Promise<Read | undefined> {
    this.socket.write(framed(message))
    const [reply] = await this.receive(1)
    return reply
  }
}

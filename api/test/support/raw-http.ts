/** HTTP as octets: what a router's firmware sends and receives, byte by byte. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export interface RawAnswer {
  /** `HTTP/1.1 200 OK` */
  readonly statusLine: string
  readonly status: number
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>
  /** Everything after the empty line. */
  readonly body: string
}

/** Resolves with the received octets when a connection is closed, also by a reset, for which `once` would throw. */
export function untilClosed(socket: Socket): Promise<string> {
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  socket.on('error', () => undefined)
  return new Promise((tell) => {
    socket.once('close', () => tell(Buffer.concat(chunks).toString('utf8')))
  })
}

/** Sends octets on a new connection and reads until the server closes it. */
export async function exchange(
  to: { readonly port: number; readonly host?: string },
  octets: string | Buffer,
): Promise<string> {
  const socket = connect({ port: to.port, host: to.host ?? '127.0.0.1' })
  const closed = untilClosed(socket)
  await once(socket, 'connect')
  socket.write(octets)
  return closed
}

/** The parts of one response. */
export function answerOf(text: string): RawAnswer {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) throw new Error(`no whole answer: ${JSON.stringify(text)}`)
  const [statusLine = '', ...lines] = text.slice(0, end).split('\r\n')
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
  })
  return {
    statusLine,
    status: Number(statusLine.split(' ')[1]),
    headers: new Map(headers),
    body: text.slice(end + 4),
  }
}

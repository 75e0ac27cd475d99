/** HTTP as octets: what a router's firmware sends and sees, byte by byte. */
import { once } from 'node:events'
import { connect } from 'node:net'

export interface RawAnswer {
  /** `HTTP/1.1 200 OK` */
  readonly statusLine: string
  readonly status: number
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>
  /** Everything behind the empty line. */
  readonly body: string
}

/** Sends octets on a connection of its own and reads until the server closes it. */
export async function exchange(
  to: { readonly port: number; readonly host?: string },
  octets: string | Buffer,
): Promise<string> {
  const socket = connect({ port: to.port, host: to.host ?? '127.0.0.1' })
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  await once(socket, 'connect')
  socket.write(octets)
  await once(socket, 'close')
  return Buffer.concat(chunks).toString('utf8')
}

/** The parts of one answer. */
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

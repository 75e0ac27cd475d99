/** One SOA question, as small as a resolver's: does the daemon answer for a zone? */
import { nameFromText, ROOT_NAME, TYPE } from '@homing/dnsd/names'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect, isIPv6 } from 'node:net'

const CLASS_IN = 1
const HEADER_OCTETS = 12

export interface DnsTarget {
  readonly address: string
  readonly port: number
}

/** The message of RFC 1035 §4: header, then one question. */
function soaQuestion(zone: string, id: number): Buffer {
  const name = nameFromText(zone, ROOT_NAME)
  const message = Buffer.alloc(HEADER_OCTETS + name.length + 4)
  message.writeUInt16BE(id, 0)
  message.writeUInt16BE(1, 4) // QDCOUNT
  name.copy(message, HEADER_OCTETS)
  message.writeUInt16BE(TYPE.SOA, HEADER_OCTETS + name.length)
  message.writeUInt16BE(CLASS_IN, HEADER_OCTETS + name.length + 2)
  return message
}

/** Whether it is an authoritative answer without error and with a record (RFC 1035 §4.1.1). */
function isAnswer(message: Buffer, id: number): boolean {
  if (message.length < HEADER_OCTETS || message.readUInt16BE(0) !== id) return false
  const flags = message.readUInt16BE(2)
  const isResponse = (flags & 0x8000) !== 0
  const isAuthoritative = (flags & 0x0400) !== 0
  const rcode = flags & 0x000f
  return isResponse && isAuthoritative && rcode === 0 && message.readUInt16BE(6) > 0
}

const randomId = () => Math.trunc(Math.random() * 0x10000)

/** Whether the zone is answered for over UDP. @throws Error when nothing answers before `signal` */
export async function answersOverUdp(
  { address, port }: DnsTarget,
  zone: string,
  signal: AbortSignal,
): Promise<boolean> {
  const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4')
  const id = randomId()
  try {
    // Connected, so that a port where nobody listens is an error at once and not a silence.
    socket.connect(port, address)
    await once(socket, 'connect', { signal })
    socket.send(soaQuestion(zone, id))
    const [message] = (await once(socket, 'message', { signal })) as [Buffer]
    return isAnswer(message, id)
  } finally {
    socket.close()
  }
}

/** Whether the zone is answered for over TCP, where two octets of length come first (RFC 1035 §4.2.2). */
export async function answersOverTcp(
  { address, port }: DnsTarget,
  zone: string,
  signal: AbortSignal,
): Promise<boolean> {
  const socket = connect({ port, host: address, signal })
  const id = randomId()
  const question = soaQuestion(zone, id)
  const length = Buffer.alloc(2)
  length.writeUInt16BE(question.length)
  let received = Buffer.alloc(0)
  try {
    socket.write(Buffer.concat([length, question]))
    for await (const chunk of socket) {
      received = Buffer.concat([received, chunk as Buffer])
      if (received.length >= 2 && received.length >= received.readUInt16BE(0) + 2) break
    }
    return isAnswer(received.subarray(2), id)
  } finally {
    socket.destroy()
  }
}

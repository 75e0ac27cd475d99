/** DNS as a resolver sees it: one question over UDP or TCP to the daemon, read by dns-packet. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect } from 'node:net'
import dnsPacket, { type Answer, type DecodedPacket, type RecordType } from 'dns-packet'

export interface DnsAnswer {
  readonly rcode: string
  readonly authoritative: boolean
  readonly answers: readonly Answer[]
  readonly authorities: readonly Answer[]
}

function readAnswer(packet: DecodedPacket): DnsAnswer {
  const codes = ['NOERROR', 'FORMERR', 'SERVFAIL', 'NXDOMAIN', 'NOTIMP', 'REFUSED']
  return {
    rcode: codes[(packet.flags ?? 0) & 0xf] ?? 'other',
    authoritative: packet.flag_aa,
    answers: packet.answers ?? [],
    authorities: packet.authorities ?? [],
  }
}

/** @throws Error for anything but an answer to that question */
function requireAnswer(packet: DecodedPacket, id: number): DecodedPacket {
  // While a server is down, its port may be given to the very socket that asks it, which then hears itself.
  if (packet.type === 'response' && packet.id === id) return packet
  throw new Error('not an answer to the question')
}

let nextId = 1

/** Asks over UDP; fails at once where nobody listens, and after 2 s without an answer. */
export async function ask(port: number, name: string, type: RecordType): Promise<DnsAnswer> {
  const socket = createSocket('udp4')
  try {
    const id = (nextId = (nextId + 1) & 0xffff)
    const question = dnsPacket.encode({ type: 'query', id, questions: [{ name, type }] })
    const signal = AbortSignal.timeout(2_000)
    // Connected: the socket hears that a port is closed.
    socket.connect(port, '127.0.0.1')
    await once(socket, 'connect', { signal })
    socket.send(question)
    const [message] = (await once(socket, 'message', { signal })) as [Buffer]
    return readAnswer(requireAnswer(dnsPacket.decode(message), id))
  } finally {
    socket.close()
  }
}

/** Asks over TCP (RFC 7766: two octets of length before each message). */
export async function askOverTcp(port: number, name: string, type: RecordType): Promise<DnsAnswer> {
  const socket = connect(port, '127.0.0.1')
  try {
    socket.write(dnsPacket.streamEncode({ type: 'query', id: 7, questions: [{ name, type }] }))
    let received = Buffer.alloc(0)
    for await (const chunk of socket) {
      received = Buffer.concat([received, chunk as Buffer])
      if (received.length >= 2 && received.length >= received.readUInt16BE(0) + 2) break
    }
    return readAnswer(dnsPacket.decode(received.subarray(2)))
  } finally {
    socket.destroy()
  }
}

/** The addresses of a name, as text. */
export async function addressesOf(
  port: number,
  name: string,
  type: 'A' | 'AAAA',
): Promise<string[]> {
  const { answers } = await ask(port, name, type)
  return answers.flatMap((answer) => (answer.type === type ? [answer.data] : []))
}

/** Asks one A question over UDP and gives the address answered; as little work as can be, since it runs in a loop. */
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'

/** The question for one name, type A, class IN; the first two octets are the ID. */
export function questionFor(fqdn: string): Buffer {
  const labels = fqdn
    .split('.')
    .map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]))
  const header = Buffer.from([0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0])
  return Buffer.concat([header, ...labels, Buffer.from([0, 0, 1, 0, 1])])
}

/** A socket that asks the server on loopback at `port`. */
export async function openAsker(port: number) {
  const socket: Socket = createSocket('udp4')
  socket.connect(port, '127.0.0.1')
  await once(socket, 'connect')
  return {
    /** The address that ends the answer, or undefined when there is none. Asks again after 1 s without an answer. */
    async ask(question: Buffer): Promise<string | undefined> {
      while (true) {
        socket.send(question)
        const signal = AbortSignal.timeout(1_000)
        const [answer] = (await once(socket, 'message', { signal }).catch(() => [])) as Buffer[]
        if (answer === undefined) continue
        // ANCOUNT 0: nothing. Otherwise the A RDATA directly follows the question: name pointer, type, class, TTL, length.
        if (answer.readUInt16BE(6) === 0) return undefined
        const rdata = question.length + 12
        return answer.subarray(rdata, rdata + 4).join('.')
      }
    },
    close: () => void socket.close(),
  }
}

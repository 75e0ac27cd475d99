/** Asks one A question over UDP and gives the address answered; as little work as can be, since it runs in a loop. */
import { questionOctets } from '@homing/dnsd/client'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'

/** The question for one name, type A, class IN; the first two octets are the ID, which is 0. */
export const questionFor = (fqdn: string): Buffer => questionOctets({ name: fqdn, type: 'A' })

/** The address that an answer gives, or undefined when it gives none. */
export function addressIn(answer: Buffer, question: Buffer): string | undefined {
  // ANCOUNT 0: nothing. Otherwise the A RDATA directly follows the question: name pointer, type, class, TTL, length.
  if (answer.readUInt16BE(6) === 0) return undefined
  const rdata = question.length + 12
  return answer.subarray(rdata, rdata + 4).join('.')
}

/** A socket that asks the server on loopback at `port`. */
export async function openAsker(port: number) {
  const socket: Socket = createSocket('udp4')
  socket.connect(port, '127.0.0.1')
  await once(socket, 'connect')
  return {
    /** The answer, or undefined when there is none within `waitMs`, or nobody listens. */
    async exchange(question: Buffer, waitMs: number): Promise<Buffer | undefined> {
      socket.send(question)
      const signal = AbortSignal.timeout(waitMs)
      while (true) {
        const [answer] = (await once(socket, 'message', { signal }).catch(() => [])) as Buffer[]
        // Another ID: the answer to a question that was given up.
        if (answer !== undefined && answer.readUInt16BE(0) !== question.readUInt16BE(0)) continue
        // Refused at once: who asks again in a loop leaves the processor to the server that is starting.
        if (answer === undefined && !signal.aborted) await delay(1)
        return answer
      }
    },
    /** The address that ends the answer, or undefined when there is none. Asks again after 1 s without an answer. */
    async ask(question: Buffer): Promise<string | undefined> {
      let answer: Buffer | undefined
      while ((answer = await this.exchange(question, 1_000)) === undefined);
      return addressIn(answer, question)
    },
    close: () => void socket.close(),
  }
}

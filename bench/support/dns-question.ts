/** Sends an A query over UDP and returns the address. It does little work, because it runs in a loop. */
import { questionOctets } from '@homing/dnsd/client'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'

/** The query for a name, type A, class IN. The first two octets are the ID, which is 0. */
export const questionFor = (fqdn: string): Buffer => questionOctets({ name: fqdn, type: 'A' })

/** The address in a response; undefined if the response has no address. */
export function addressIn(answer: Buffer, question: Buffer): string | undefined {
  // With ANCOUNT 0 there is no address. Otherwise an A record follows the question: name pointer, type, class, TTL, length.
  if (answer.readUInt16BE(6) === 0) return undefined
  const rdata = question.length + 12
  return answer.subarray(rdata, rdata + 4).join('.')
}

/** A socket for queries to the server on loopback at `port`. */
export async function openAsker(port: number) {
  const socket: Socket = createSocket('udp4')
  socket.connect(port, '127.0.0.1')
  await once(socket, 'connect')
  return {
    /** The response; undefined if it does not arrive within `waitMs`, or if no server listens. */
    async exchange(question: Buffer, waitMs: number): Promise<Buffer | undefined> {
      socket.send(question)
      const signal = AbortSignal.timeout(waitMs)
      while (true) {
        const [answer] = (await once(socket, 'message', { signal }).catch(() => [])) as Buffer[]
        // Another ID: a late answer to a query that timed out.
        if (answer !== undefined && answer.readUInt16BE(0) !== question.readUInt16BE(0)) continue
        // Refused at once. Pause, so that a loop of queries does not take CPU time from the starting server.
        if (answer === undefined && !signal.aborted) await delay(1)
        return answer
      }
    },
    /** The address in the response; undefined if it has no address. Repeats the query after 1 s without a response. */
    async ask(question: Buffer): Promise<string | undefined> {
      let answer: Buffer | undefined
      while ((answer = await this.exchange(question, 1_000)) === undefined);
      return addressIn(answer, question)
    },
    close: () => void socket.close(),
  }
}

/** A resolver that sends queries continuously and counts failures. */
import { setTimeout as delay } from 'node:timers/promises'
import { ask } from './dns.ts'

export interface DnsCounts {
  asked: number
  /** Queries without an answer within 2 s, or with an answer other than the name's addresses. */
  readonly failed: string[]
}

export interface DnsWatch {
  readonly counts: DnsCounts
  end(): Promise<void>
}

/** A resolver with a full cache sends a query when a TTL expires: a low, steady rate. */
const PAUSE_MS = 20

async function answerFor(ports: readonly number[], name: string): Promise<string | undefined> {
  let reason: string | undefined
  for (const port of ports) {
    try {
      const { rcode, authoritative, answers } = await ask(port, name, 'A')
      const isAnswer = rcode === 'NOERROR' && authoritative && answers.length === 1
      return isAnswer ? undefined : `${name}: ${rcode} with ${answers.length} records`
    } catch (error) {
      reason = `${name}: ${(error as Error).message}`
    }
  }
  return reason
}

/**
 * Starts to query the IPv4 addresses of names that have one, one after another.
 *
 * @param ports of the servers, used in turn; if one does not answer, the next one is queried
 */
export function watchDns(ports: readonly number[], names: readonly string[]): DnsWatch {
  const counts: DnsCounts = { asked: 0, failed: [] }
  const ending = new AbortController()
  async function run(): Promise<void> {
    while (!ending.signal.aborted) {
      const first = counts.asked % ports.length
      const inTurn = [...ports.slice(first), ...ports.slice(0, first)]
      const reason = await answerFor(inTurn, names[counts.asked % names.length] ?? '')
      counts.asked += 1
      if (reason !== undefined) counts.failed.push(reason)
      await delay(PAUSE_MS)
    }
  }
  const running = run()
  return {
    counts,
    async end() {
      ending.abort()
      await running
    },
  }
}

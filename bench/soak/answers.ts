/** Sends dnsd one query after another whose answer is known, and records wrong answers. */
import { setTimeout as delay } from 'node:timers/promises'
import type { BenchZone } from '../support/dns-contender.ts'
import { questionsOf } from '../support/dns-mix.ts'
import { addressIn, openAsker, questionFor } from '../support/dns-question.ts'

const PAUSE_MS = 5
/** A query is repeated after this time. After this many repetitions without an answer, dnsd counts as unresponsive. */
const WAIT_MS = 1_000
const TRIES = 10

const NXDOMAIN = 3

export interface Checked {
  readonly right: number
  /** Queries that were sent more than once, because packets get lost under load. */
  readonly repeated: number
  readonly wrong: readonly string[]
}

/** Checks answers until `stop`. */
export function checkAnswers(
  zone: BenchZone,
  port: number,
): { stop(): Promise<Checked>; so(): Checked } {
  const stopping = new AbortController()
  const wrong: string[] = []
  let [id, right, repeated] = [0, 0, 0]

  async function run(): Promise<void> {
    const asker = await openAsker(port)
    const exchange = async (question: Buffer): Promise<Buffer | undefined> => {
      for (let tries = 0; tries < TRIES; tries += 1) {
        const answer = await asker.exchange(question, WAIT_MS)
        if (answer !== undefined) return answer
        repeated += 1
      }
      return undefined
    }
    while (!stopping.signal.aborted) {
      for (const { name, type, kind, address } of questionsOf(zone.names)) {
        if (stopping.signal.aborted) break
        // This client supports one type. The load's own checks cover missing types.
        if (type !== 'A') continue
        const question = questionFor(name)
        question.writeUInt16BE((id += 1) & 0xffff, 0)
        const answer = await exchange(question)
        const isRight =
          answer !== undefined &&
          (kind === 'nxdomain'
            ? ((answer[3] ?? 0) & 0xf) === NXDOMAIN
            : addressIn(answer, question) === address)
        if (isRight) right += 1
        else wrong.push(`${name}: ${answer?.toString('hex') ?? 'no answer'}`)
        await delay(PAUSE_MS)
      }
    }
    asker.close()
  }

  const running = run()
  const so = () => ({ right, repeated, wrong })
  return {
    so,
    async stop() {
      stopping.abort()
      await running
      return so()
    },
  }
}

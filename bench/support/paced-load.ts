/**
 * The process behind `paced`: each request at its own moment. A tool that sends a second's requests together measures the burst, and one
 * that waits for an answer before the next request does not notice that answers are late.
 */
import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Request } from './load.ts'
import type { Paced, PacedTask } from './paced.ts'
import { percentile } from './rounds.ts'

/** How often it is looked which requests are due, in milliseconds. */
const TICK_MS = 1

async function answered(url: string, { path, headers }: Request, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url + path, { agent, headers }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0))
    }).on('error', reject)
  })
}

async function send({ url, seconds, rate, requests }: PacedTask): Promise<Paced> {
  const agent = new Agent({ keepAlive: true })
  const took: number[] = []
  const count = seconds * rate
  const begun = performance.now()

  async function ask(n: number): Promise<void> {
    const status = await answered(url, requests[n % requests.length] as Request, agent)
    if (status !== 200) throw new Error(`an answer was ${status}`)
    took.push(performance.now() - (begun + (n / rate) * 1_000))
  }

  const asked: Promise<void>[] = []
  try {
    while (asked.length < count) {
      // The first is due at once.
      const due = Math.min(count, Math.floor(((performance.now() - begun) / 1_000) * rate) + 1)
      while (asked.length < due) asked.push(ask(asked.length))
      await delay(TICK_MS)
    }
    await Promise.all(asked)
  } finally {
    agent.destroy()
  }
  return {
    servedPerSecond: took.length / seconds,
    p50Ms: percentile(took, 0.5),
    p99Ms: percentile(took, 0.99),
  }
}

const [task] = (await once(process, 'message')) as [PacedTask]
process.send?.(await send(task))

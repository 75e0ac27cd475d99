/**
 * The process behind `paced`: it sends each request at its own time. A tool that sends a second's requests together measures the burst. A
 * tool that waits for a response before the next request does not notice late responses.
 */
import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Request } from './load.ts'
import type { Paced, PacedTask } from './paced.ts'
import { percentile } from './rounds.ts'

/** The interval between checks for due requests, in milliseconds. */
const TICK_MS = 1
/** At first, both sides open connections and compile code. Requests in this time are not measured. */
const WARM_UP_SECONDS = 1

/** @returns the status; undefined when the connection ended first */
async function answered(
  url: string,
  { path, headers }: Request,
  agent: Agent,
): Promise<number | undefined> {
  return new Promise((resolve) => {
    get(url + path, { agent, headers }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode))
    }).on('error', () => resolve(undefined))
  })
}

async function send(task: PacedTask): Promise<Paced> {
  const { url, seconds, rate, requests, connections = Infinity, refusal } = task
  const agent = new Agent({ keepAlive: true, maxSockets: connections, maxFreeSockets: connections })
  const took: number[] = []
  const unmeasured = WARM_UP_SECONDS * rate
  const count = unmeasured + seconds * rate
  let refused = 0
  let failed = 0
  const begun = performance.now()

  async function ask(n: number): Promise<void> {
    const status = await answered(url, requests[n % requests.length] as Request, agent)
    const isMeasured = n >= unmeasured
    if (status === 200) {
      if (isMeasured) took.push(performance.now() - (begun + (n / rate) * 1_000))
    } else if (refusal === undefined) throw new Error(`an answer was ${status}`)
    else if (status === undefined) failed += 1
    else if (status !== refusal) throw new Error(`neither 200 nor ${refusal} but ${status}`)
    else if (isMeasured) refused += 1
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
    refusedPerSecond: refused / seconds,
    failed,
    p50Ms: percentile(took, 0.5),
    p99Ms: percentile(took, 0.99),
  }
}

const [task] = (await once(process, 'message')) as [PacedTask]
process.send?.(await send(task))

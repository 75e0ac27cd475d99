/**
 * Requests at a steady rate, each at its own moment. A tool that sends a second's requests together measures the burst, and one that
 * waits for an answer before the next request does not notice that answers are late.
 */
import { Agent, get } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Request } from './load.ts'
import { percentile } from './rounds.ts'

/** How often it is looked which requests are due, in milliseconds. */
const TICK_MS = 1

export interface PacedOptions {
  readonly url: string
  readonly seconds: number
  /** Requests a second. */
  readonly rate: number
  readonly next: () => Request
}

export interface Paced {
  /** Answers 200 a second. */
  readonly servedPerSecond: number
  /** From the moment at which a request was due until the whole answer was there. */
  readonly p50Ms: number
  readonly p99Ms: number
}

async function answered(url: string, { path, headers }: Request, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url + path, { agent, headers }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0))
    }).on('error', reject)
  })
}

/** @throws Error when an answer is not 200 */
export async function paced({ url, seconds, rate, next }: PacedOptions): Promise<Paced> {
  const agent = new Agent({ keepAlive: true })
  const took: number[] = []
  const begun = performance.now()
  const count = seconds * rate

  async function ask(dueMs: number): Promise<void> {
    const status = await answered(url, next(), agent)
    if (status !== 200) throw new Error(`an answer was ${status}`)
    took.push(performance.now() - dueMs)
  }

  const asked: Promise<void>[] = []
  try {
    while (asked.length < count) {
      const due = Math.min(count, Math.floor(((performance.now() - begun) / 1_000) * rate))
      while (asked.length < due) asked.push(ask(begun + (asked.length / rate) * 1_000))
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

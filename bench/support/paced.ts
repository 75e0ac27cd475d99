/** Requests at a steady rate, sent by a separate process: two loads in one process would delay each other. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { Request } from './load.ts'

export interface PacedTask {
  readonly url: string
  /** The measured time. The second before it is not measured. */
  readonly seconds: number
  /** Requests per second. */
  readonly rate: number
  /** Sent in turn; after the last, the first follows. */
  readonly requests: readonly Request[]
  /** The maximum number of connections. A due request waits for a free one. */
  readonly connections?: number
  /** A status that is expected in addition to 200. */
  readonly refusal?: number
}

export interface Paced {
  /** Responses with 200 per second. */
  readonly servedPerSecond: number
  readonly refusedPerSecond: number
  /** Requests without a response. */
  readonly failed: number
  /** For responses with 200: from the time at which the request was due until the complete response. */
  readonly p50Ms: number
  readonly p99Ms: number
}

/** @throws Error when a response is neither 200 nor the refusal, and when a response is missing and no refusal is expected */
export async function paced(task: PacedTask): Promise<Paced> {
  const load = fork(new URL('paced-load.ts', import.meta.url))
  const told = Promise.race([
    once(load, 'message') as Promise<[Paced]>,
    once(load, 'exit').then(([code]) => {
      throw new Error(`the load ended with ${code}; its last lines give the reason`)
    }),
  ])
  load.send(task)
  const [measured] = await told
  load.disconnect()
  return measured
}

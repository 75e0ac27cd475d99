/** Requests at a steady rate, sent by a process of their own: two loads in one process would wait for each other. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { Request } from './load.ts'

export interface PacedTask {
  readonly url: string
  /** Measured; a second before them is not. */
  readonly seconds: number
  /** Requests a second. */
  readonly rate: number
  /** Sent in turn, again from the first after the last. */
  readonly requests: readonly Request[]
  /** Most connections at once; a request that is due waits for one. */
  readonly connections?: number
  /** Status of an answer that is expected as well as 200. */
  readonly refusal?: number
}

export interface Paced {
  /** Answers 200 a second. */
  readonly servedPerSecond: number
  readonly refusedPerSecond: number
  /** Requests without an answer. */
  readonly failed: number
  /** Of answers 200, from the moment at which a request was due until the whole answer was there. */
  readonly p50Ms: number
  readonly p99Ms: number
}

/** @throws Error when an answer is neither 200 nor the refusal, and when there is none where no refusal is expected */
export async function paced(task: PacedTask): Promise<Paced> {
  const load = fork(new URL('paced-load.ts', import.meta.url))
  const told = Promise.race([
    once(load, 'message') as Promise<[Paced]>,
    once(load, 'exit').then(([code]) => {
      throw new Error(`the load ended with ${code}; its own last lines say why`)
    }),
  ])
  load.send(task)
  const [measured] = await told
  load.disconnect()
  return measured
}

/** The CPU time of the threads of a process, in nanoseconds (schedstat of Linux). */
import { readdirSync, readFileSync } from 'node:fs'

/** CPU time so far by thread id. The main thread has the id of the process. */
export function threadTimes(pid: number): ReadonlyMap<number, number> {
  const times = new Map<number, number>()
  for (const entry of readdirSync(`/proc/${pid}/task`)) {
    try {
      const [ns = ''] = readFileSync(`/proc/${pid}/task/${entry}/schedstat`, 'utf8').split(' ')
      times.set(Number(entry), Number(ns))
    } catch {
      // The thread has ended since it was listed.
    }
  }
  return times
}

export interface ThreadShares {
  /** The thread that used most, in µs: the one that answers. */
  readonly busiestUs: number
  /** All others together. */
  readonly restUs: number
}

/** The CPU time that the threads of a process have used since `before`. */
export function usedSince(pid: number, before: ReadonlyMap<number, number>): ThreadShares {
  const used = [...threadTimes(pid)].map(([id, ns]) => (ns - (before.get(id) ?? 0)) / 1_000)
  const busiestUs = Math.max(...used)
  return { busiestUs, restUs: used.reduce((sum, each) => sum + each, 0) - busiestUs }
}

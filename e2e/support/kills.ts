/** Kills the parts of a stack with `kill -9`, in turn, at times that a seed determines. */
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { randomFrom, shuffled } from './random.ts'
import type { PartName, Stack } from './stack.ts'

export type Victim = Exclude<PartName, 'forwarder'> | 'PostgreSQL'

const VICTIMS: readonly Victim[] = ['api', 'worker', 'dnsd', 'PostgreSQL']
/** A part of the victim's command line, because another process can have its id by now. */
const ENTRIES: Readonly<Record<Victim, string>> = {
  api: 'api/src/server.ts',
  worker: 'api/src/worker.ts',
  dnsd: 'dnsd/src/main.ts',
  PostgreSQL: 'postgres',
}

export type KillCounts = Record<Victim, number>

/** The victim's process; undefined while it is down. */
function runningPid(stack: Stack, victim: Victim): number | undefined {
  try {
    const pid = victim === 'PostgreSQL' ? stack.postgresPid() : stack.pidOf(victim)
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(ENTRIES[victim]) ? pid : undefined
  } catch {
    return undefined
  }
}

export interface KillPlan {
  /** Kills continue until this signal aborts and each part has had its share. */
  readonly during: AbortSignal
  /** The minimum number of kills of each part. */
  readonly share: number
  readonly seed: number
  /** Shortest and longest pause before a kill, in milliseconds. */
  readonly pauseMs: readonly [number, number]
  /** Resolves when the service works again. About every fourth kill does not wait for it. */
  readonly working: () => Promise<unknown>
}

/**
 * Kills the parts in rounds, with a new order in each round. A part that is still
 * down when its turn comes is skipped.
 */
export async function killInTurn(stack: Stack, plan: KillPlan): Promise<KillCounts> {
  const random = randomFrom(plan.seed)
  const [shortest, longest] = plan.pauseMs
  const counts: KillCounts = { api: 0, worker: 0, dnsd: 0, PostgreSQL: 0 }
  const isOver = () =>
    plan.during.aborted && Object.values(counts).every((count) => count >= plan.share)
  while (!isOver()) {
    for (const victim of shuffled(random, VICTIMS)) {
      if (random() < 0.75) await plan.working()
      await delay(shortest + random() * (longest - shortest))
      const pid = runningPid(stack, victim)
      if (pid === undefined) continue
      process.kill(pid, 'SIGKILL')
      counts[victim] += 1
    }
  }
  return counts
}

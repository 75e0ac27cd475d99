/** `kill -9` of the parts of a stack, in turn, at moments that a seed decides. */
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { randomFrom, shuffled } from './random.ts'
import type { PartName, Stack } from './stack.ts'

export type Victim = Exclude<PartName, 'forwarder'> | 'PostgreSQL'

const VICTIMS: readonly Victim[] = ['api', 'worker', 'dnsd', 'PostgreSQL']
/** What is found on a victim's command line: its id may be somebody else's by now. */
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

/**
 * Kills until `during` is over: rounds in which each part has its turn, in
 * another order each time, with a pause before each kill. A part that is still
 * down when its turn comes is left out.
 *
 * @param pauseMs shortest and longest pause, in milliseconds
 */
export async function killInTurn(
  stack: Stack,
  options: { during: AbortSignal; seed: number; pauseMs: readonly [number, number] },
): Promise<KillCounts> {
  const random = randomFrom(options.seed)
  const [shortest, longest] = options.pauseMs
  const counts: KillCounts = { api: 0, worker: 0, dnsd: 0, PostgreSQL: 0 }
  const { during } = options
  while (!during.aborted) {
    for (const victim of shuffled(random, VICTIMS)) {
      const pauseMs = shortest + random() * (longest - shortest)
      await delay(pauseMs, undefined, { signal: during }).catch(() => undefined)
      if (during.aborted) break
      const pid = runningPid(stack, victim)
      if (pid === undefined) continue
      process.kill(pid, 'SIGKILL')
      counts[victim] += 1
    }
  }
  return counts
}

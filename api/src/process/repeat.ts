import type { Log } from './log.ts'

export interface Repeated {
  /** Starts no more runs, and waits for the current one. */
  stop(): Promise<void>
}

/**
 * Runs a task repeatedly, `everyMs` after each end. The task must be safe to run on several workers at once; the next
 * run makes up for a failed one.
 */
export function repeat(
  name: string,
  everyMs: number,
  run: () => Promise<void>,
  log: Log,
): Repeated {
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  let underWay = Promise.resolve()
  const go = () => {
    underWay = run()
      .catch((error: unknown) =>
        log.warn({ err: error }, `${name} failed; it will run again later`),
      )
      .finally(() => {
        if (!isStopped) timer = setTimeout(go, everyMs)
      })
  }
  go()
  return {
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await underWay
    },
  }
}

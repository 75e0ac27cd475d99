import type { Log } from '../process/log.ts'

export interface Repeated {
  /** Begins no more runs and waits for the one under way. */
  stop(): Promise<void>
}

/**
 * Runs something now and again and again, `everyMs` after each end. What it does is safe for several workers at once,
 * and a run that fails is made up for by the next.
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

/** SIGINT and SIGTERM. Repeats of the same Ctrl-C count once. */

/** A terminal, npm and a service runner can each forward the same Ctrl-C. */
const SAME_SIGNAL_MS = 2_000

export interface StopSignal {
  /** Aborted by the first signal. */
  readonly first: AbortSignal
  /** Aborted by a signal more than 2 s after the first: the user wants to stop immediately. */
  readonly second: AbortSignal
}

/**
 * @param source emits the signals; the process itself outside tests
 * @param now the clock, in milliseconds
 */
export function listenForStop(
  source: Pick<NodeJS.EventEmitter, 'on'> = process,
  now: () => number = () => performance.now(),
): StopSignal {
  const first = new AbortController()
  const second = new AbortController()
  let firstAt = 0
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    source.on(name, () => {
      if (!first.signal.aborted) {
        firstAt = now()
        first.abort(new Error(`stopped by ${name}`))
      } else if (now() - firstAt >= SAME_SIGNAL_MS) second.abort(new Error(`stopped by ${name}`))
    })
  }
  return { first: first.signal, second: second.signal }
}

/**
 * How long a form holds its button after the service refused another attempt (429 with `Retry-After`). The wait lasts when
 * the error disappears, because the user typed: the service still refuses.
 */
import { createContext, useCallback, useLayoutEffect, useState } from 'react'
import { useCountdown } from './use-countdown.ts'

/**
 * Tells the form around a failure for how many seconds the service refuses another attempt, so that the form holds its
 * button. Outside of a form it does nothing.
 */
export const FormWait = createContext<(seconds: number) => void>(() => undefined)

interface Hold {
  /** The seconds until the next attempt; 0 if it is possible now. */
  readonly waitSeconds: number
  /** Begins a wait. Zero seconds do not end one. */
  readonly hold: (seconds: number) => void
  /** The label of the button: while it is held, when it works again. */
  readonly labelOf: (label: string) => string
}

/** The seconds that the service asked for; 0 if it did not. */
function secondsOf(error: unknown): number {
  if (!(error instanceof Error) || !('retryAfterSeconds' in error)) return 0
  const { retryAfterSeconds } = error
  return typeof retryAfterSeconds === 'number' ? retryAfterSeconds : 0
}

/** @param error the error of the last attempt, if the form does not show it with `Failure` */
export function useHold(error?: unknown): Hold {
  const [wait, setWait] = useState({ seconds: 0 })
  const hold = useCallback((seconds: number) => {
    if (seconds > 0) setWait({ seconds })
  }, [])
  // Before the paint, so that the button never looks as if it worked.
  useLayoutEffect(() => hold(secondsOf(error)), [hold, error])
  const waitSeconds = useCountdown(wait.seconds, wait)
  const labelOf = (label: string) => (waitSeconds > 0 ? `Try again in ${waitSeconds} s` : label)
  return { waitSeconds, hold, labelOf }
}

import { useLayoutEffect, useState } from 'react'

/** The remaining seconds of `seconds`. Each new `since` restarts the countdown. */
export function useCountdown(seconds: number, since: unknown): number {
  const [left, setLeft] = useState(seconds)
  // Before the paint, so that no old number appears.
  useLayoutEffect(() => {
    setLeft(seconds)
    if (seconds === 0) return undefined
    const end = performance.now() + seconds * 1_000
    const timer = setInterval(() => {
      const rest = Math.max(0, Math.ceil((end - performance.now()) / 1_000))
      setLeft(rest)
      if (rest === 0) clearInterval(timer)
    }, 250)
    return () => clearInterval(timer)
  }, [seconds, since])
  return left
}

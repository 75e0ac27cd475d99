/**
 * The answer to a key or a click is painted first, and what takes longer follows. React's deferred values do not wait for a
 * paint.
 */
import { startTransition, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** Runs something once the browser has painted what changed before. @returns a function that cancels it */
export function afterPaint(run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(run)
  })
  return () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
  }
}

/** Whether the browser has painted since `isAsked` became true. React then renders in small steps. False at once without it. */
export function usePainted(isAsked: boolean): boolean {
  const [isPainted, setPainted] = useState(false)
  useEffect(() => {
    if (!isAsked) return undefined
    const cancel = afterPaint(() => startTransition(() => setPainted(true)))
    return () => {
      cancel()
      setPainted(false)
    }
  }, [isAsked])
  return isAsked && isPainted
}

/**
 * A choice that its control shows before anything else follows it.
 *
 * @param current the choice that applies
 * @param apply makes another choice apply
 * @returns the choice to show, and the function that takes the next one
 */
export function useShownFirst<Choice>(
  current: Choice,
  apply: (choice: Choice) => void,
): [Choice, (choice: Choice) => void] {
  const [asked, setAsked] = useState<{ readonly choice: Choice }>()
  const latest = useRef(apply)
  useLayoutEffect(() => {
    latest.current = apply
  })
  useEffect(() => {
    if (asked === undefined) return undefined
    return afterPaint(() => {
      latest.current(asked.choice)
      setAsked(undefined)
    })
  }, [asked])
  const choose = useCallback((choice: Choice) => setAsked({ choice }), [])
  return [asked === undefined ? current : asked.choice, choose]
}

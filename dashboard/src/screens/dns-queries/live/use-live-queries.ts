import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { QUERIES_FILTER } from '../../../api/dns-queries.ts'
import { StreamSource } from '../../../api/live/stream-source.ts'
import { type LiveRow, SHOWN_LIMIT, withArrived } from './live-rows.ts'

/** Queries can arrive 200 times a second. */
const SHOW_EVERY_MS = 500

export interface LiveQueries {
  readonly rows: readonly LiveRow[]
  /** How many queries wait while the list is paused, at most as many as it can show. */
  readonly waiting: number
  /** `ended`: with the session, so nothing connects again. */
  readonly state: 'connecting' | 'live' | 'broken' | 'ended'
}

const START: LiveQueries = { rows: [], waiting: 0, state: 'connecting' }

/**
 * Follows the queries for the caller's domains while the page is visible: the service and its name servers do more work while
 * somebody watches. The stream is not the one of the other live lists, which all tabs share and which has no queries.
 *
 * @param isPaused the rows stay as they are
 */
export function useLiveQueries(isPaused: boolean): LiveQueries {
  const queries = useQueryClient()
  const [shown, setShown] = useState(START)
  const paused = useRef(isPaused)
  useEffect(() => {
    paused.current = isPaused
  }, [isPaused])

  useEffect(() => {
    let arrived: LiveRow[] = []
    let key = 0
    const setState = (state: LiveQueries['state']) =>
      setShown((last) => (last.state === state ? last : { ...last, state }))
    const open = () =>
      new StreamSource(
        {
          onEvent([name, data]) {
            if (name === 'end') {
              const isSessionOver = data.reason === 'session-ended'
              setState(isSessionOver ? 'ended' : 'broken')
              // The next call leads to the sign-in.
              if (isSessionOver) void queries.invalidateQueries(QUERIES_FILTER)
            } else setState('live')
            if (name !== 'query') return
            arrived.push({ ...data, key: (key += 1), arrivedMs: Date.now() })
            if (arrived.length > SHOWN_LIMIT) arrived.shift()
          },
          onBroken: () => setState('broken'),
        },
        { queries: true },
      )
    function show(): void {
      // React runs the function below later.
      const [batch, isHeld] = [arrived, paused.current]
      const waiting = isHeld ? batch.length : 0
      if (!isHeld) arrived = []
      setShown((last) => {
        const rows = isHeld ? last.rows : withArrived(last.rows, batch, Date.now())
        return rows === last.rows && last.waiting === waiting ? last : { ...last, rows, waiting }
      })
    }
    let source = document.hidden ? undefined : open()
    function follow(): void {
      source?.close()
      source = document.hidden ? undefined : open()
      setState('connecting')
    }
    document.addEventListener('visibilitychange', follow)
    const timer = setInterval(show, SHOW_EVERY_MS)
    return () => {
      document.removeEventListener('visibilitychange', follow)
      clearInterval(timer)
      source?.close()
    }
  }, [queries])
  return shown
}

import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { QUERIES_FILTER } from '../../../api/dns-queries.ts'
import { followQueries, type LiveStreamState } from './follow-queries.ts'
import { type LiveRow, SHOWN_LIMIT, withArrived } from './live-rows.ts'

/** Queries can arrive 200 times a second. */
const SHOW_EVERY_MS = 500

export interface LiveQueries {
  readonly rows: readonly LiveRow[]
  /** How many queries wait while the list is paused, at most as many as it can show. */
  readonly waiting: number
  readonly state: LiveStreamState
}

const START: LiveQueries = { rows: [], waiting: 0, state: 'connecting' }

/** The queries of the last 60 seconds. @param isPaused the rows stay as they are */
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
    const end = followQueries({
      onQuery(query) {
        arrived.push({ ...query, key: (key += 1), arrivedMs: Date.now() })
        if (arrived.length > SHOWN_LIMIT) arrived.shift()
      },
      onState(state) {
        setShown((last) => (last.state === state ? last : { ...last, state }))
        // The next call leads to the sign-in.
        if (state === 'ended') void queries.invalidateQueries(QUERIES_FILTER)
      },
    })
    const timer = setInterval(() => {
      const [batch, isHeld, nowMs] = [arrived, paused.current, Date.now()]
      const waiting = isHeld ? batch.length : 0
      if (!isHeld) arrived = []
      setShown((last) => {
        const rows = isHeld ? last.rows : withArrived(last.rows, batch, nowMs)
        return rows === last.rows && last.waiting === waiting ? last : { ...last, rows, waiting }
      })
    }, SHOW_EVERY_MS)
    return () => {
      clearInterval(timer)
      end()
    }
  }, [queries])
  return shown
}

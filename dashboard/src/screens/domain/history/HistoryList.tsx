import { Failure } from '@homing/theme/parts/Failure.tsx'
import { useNow } from '@homing/theme/parts/use-now.ts'
import type { ReactNode } from 'react'
import type { DomainEvent } from '../../../api/domain-history.ts'
import { NewItems } from '../NewItems.tsx'
import { useHeldList } from '../use-held-list.ts'
import { EventItem } from './EventItem.tsx'
import { isUndoable, undoneIn } from './event-words.ts'

const MINUTE_MS = 60_000
export const TITLE_ID = 'history-title'

interface HistoryListProps {
  /** The newest one is first. */
  readonly events: readonly DomainEvent[]
  /** Why changes cannot be undone, in a sentence. */
  readonly locked?: string | undefined
  /** What the list shows when it is empty. */
  readonly empty: string
  /** @param onUndone called before the event of the undo is read */
  readonly undoOf: (event: DomainEvent, onUndone: () => void) => ReactNode
}

/** The events of a history, under its title. */
export function HistoryList({ events, locked, empty, undoOf }: HistoryListProps) {
  const { items, waiting, show, expectNew, list } = useHeldList(events)
  const nowMs = useNow(MINUTE_MS)
  const undone = undoneIn(events)
  // The button that undid a change disappears.
  const follow = () => {
    expectNew()
    document.getElementById(TITLE_ID)?.focus()
  }
  const canUndo = (event: DomainEvent) => locked === undefined && isUndoable(event, nowMs)
  return (
    <>
      <div className="domain-card-head">
        <h2 id={TITLE_ID} tabIndex={-1}>
          History
        </h2>
        <NewItems waiting={waiting} what="change" onShow={show} />
      </div>
      {locked !== undefined && <p className="muted">{locked}</p>}
      {items.length === 0 && <p>{empty}</p>}
      <ul ref={list} className="domain-events" aria-labelledby={TITLE_ID}>
        {items.map((event) => (
          <EventItem
            key={event.id}
            event={event}
            isUndone={undone.has(event.id)}
            nowMs={nowMs}
            undo={canUndo(event) && undoOf(event, follow)}
          />
        ))}
      </ul>
    </>
  )
}

interface OlderProps {
  /** Why older changes could not be read. */
  readonly error: Error | null
  readonly isBusy: boolean
  readonly onShow: () => void
}

/** Reads older changes. */
export function OlderChanges({ error, isBusy, onShow }: OlderProps) {
  if (error !== null) return <Failure error={error} onRetry={onShow} />
  return (
    <button
      type="button"
      className="line-button fit"
      aria-disabled={isBusy}
      onClick={() => isBusy || onShow()}
    >
      {isBusy ? 'Loading...' : 'Show Older Changes'}
    </button>
  )
}

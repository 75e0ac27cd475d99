/**
 * Notices at the edge of the screen. A success disappears after five seconds, but not while the
 * pointer or the focus is on it. A failure and a piece of information stay until the user dismisses them.
 */
import Button from '@mui/material/Button'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { Icon } from './Icon.tsx'

interface NoticeAction {
  readonly label: string
  run(): void
}

export interface Notice {
  readonly kind: 'success' | 'failure' | 'info'
  readonly text: string
  /** Disappears with the notice. */
  readonly action?: NoticeAction
}

interface ShownNotice extends Notice {
  readonly id: number
}

const SUCCESS_SHOWN_MS = 5_000
/** The user needs time to read the action and to reach the button. */
const ACTION_SHOWN_MS = 15_000
const SHOWN_AT_ONCE = 2

let shown: readonly ShownNotice[] = []
let lastId = 0
const listeners = new Set<() => void>()

function change(next: readonly ShownNotice[]): void {
  shown = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const current = () => shown

export function notify(notice: Notice): void {
  lastId += 1
  const all = [...shown, { ...notice, id: lastId }]
  // Information is not pushed out, because nothing shows it again.
  const passing = all.filter(({ kind }) => kind !== 'info').slice(-SHOWN_AT_ONCE)
  change(all.filter((each) => each.kind === 'info' || passing.includes(each)))
}

const dismiss = (id: number) => change(shown.filter((notice) => notice.id !== id))

function NoticeCard({ notice }: { notice: ShownNotice }) {
  const [isHeld, setHeld] = useState(false)
  const { id, kind, text, action } = notice

  useEffect(() => {
    if (isHeld || kind !== 'success') return undefined
    const timer = setTimeout(dismiss, action ? ACTION_SHOWN_MS : SUCCESS_SHOWN_MS, id)
    return () => clearTimeout(timer)
  }, [id, isHeld, kind, action])

  return (
    <li
      className={`notice notice-${kind}`}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon name={kind === 'info' ? 'rotate' : kind} />
      <span>{text}</span>
      {action && (
        <Button
          onClick={() => {
            dismiss(id)
            action.run()
          }}
        >
          {action.label}
        </Button>
      )}
      <button
        type="button"
        className="icon-button"
        aria-label="Dismiss"
        onClick={() => dismiss(id)}
      >
        <Icon name="close" />
      </button>
    </li>
  )
}

export function Notices() {
  const notices = useSyncExternalStore(subscribe, current, current)
  return (
    <div role="status" className="notices">
      {notices.length > 0 && (
        <ul>
          {notices.map((notice) => (
            <NoticeCard key={notice.id} notice={notice} />
          ))}
        </ul>
      )}
    </div>
  )
}

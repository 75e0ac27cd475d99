/** A history as bars: one focusable picture, in which arrow keys, the pointer and taps choose a part. */
import { type KeyboardEvent, memo, type PointerEvent, useState } from 'react'
import type { HistorySpan, UptimePart } from '../../../api/monitors.ts'
import { kindOf, whatText, whenText } from './part-words.ts'

/** Each kind has its own height and pattern besides its colour. */
const Bars = memo(function Bars({ parts }: { readonly parts: readonly UptimePart[] }) {
  return parts.map((part) => <span key={part.from} className={`part part-${kindOf(part)}`} />)
})

/** The distance of the page keys. */
const PAGE = 12

/** The part that a key leads to; undefined for other keys. */
function partOfKey(key: string, at: number, last: number): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: at - 1,
    ArrowDown: at - 1,
    ArrowRight: at + 1,
    ArrowUp: at + 1,
    PageDown: at - PAGE,
    PageUp: at + PAGE,
    Home: 0,
    End: last,
  }
  const next = steps[key]
  return next === undefined ? undefined : Math.min(last, Math.max(0, next))
}

interface UptimeBarsProps {
  /** What the picture shows. */
  readonly label: string
  readonly parts: readonly UptimePart[]
  readonly span: HistorySpan
}

export function UptimeBars({ label, parts, span }: UptimeBarsProps) {
  // The newest part, also when a newer one follows, until the user chooses another.
  const [chosen, setChosen] = useState<string>()
  const last = parts.length - 1
  const found = parts.findIndex(({ from }) => from === chosen)
  const at = found === -1 ? last : found
  const part = parts[at]
  if (part === undefined) return <p>No data yet.</p>

  const choose = (index: number) => setChosen(parts[index]?.from)
  function press(event: KeyboardEvent): void {
    const next = partOfKey(event.key, at, last)
    if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    choose(next)
  }
  function point({ clientX, currentTarget }: PointerEvent): void {
    const { left, width } = currentTarget.getBoundingClientRect()
    const place = Math.floor(((clientX - left) / width) * parts.length)
    choose(Math.min(last, Math.max(0, place)))
  }
  const text = `${whenText(part, span)}: ${whatText(part)}`
  return (
    <div className="uptime-picture">
      <div
        className="uptime-bars"
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={1}
        aria-valuemax={parts.length}
        aria-valuenow={at + 1}
        aria-valuetext={text}
        onKeyDown={press}
        onPointerDown={point}
        onPointerMove={(event) => event.pointerType === 'mouse' && point(event)}
      >
        <Bars parts={parts} />
        <span
          className="uptime-marker"
          style={{ insetInlineStart: `${((at + 0.5) / parts.length) * 100}%` }}
        />
      </div>
      <p className="uptime-part">{text}</p>
    </div>
  )
}

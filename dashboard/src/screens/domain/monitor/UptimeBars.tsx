/** A history as bars: one focusable picture. */
import { memo } from 'react'
import type { HistorySpan, UptimePart } from '../../../api/monitors.ts'
import { usePartSlider } from '../../../components/use-part-slider.ts'
import { kindOf, whatText, whenText } from './part-words.ts'

/** Each kind has its own height and pattern besides its colour. */
const Bars = memo(function Bars({ parts }: { readonly parts: readonly UptimePart[] }) {
  return parts.map((part) => <span key={part.from} className={`part part-${kindOf(part)}`} />)
})

interface UptimeBarsProps {
  /** What the picture shows. */
  readonly label: string
  readonly parts: readonly UptimePart[]
  readonly span: HistorySpan
}

export function UptimeBars({ label, parts, span }: UptimeBarsProps) {
  const { part, place, slider } = usePartSlider(parts)
  if (part === undefined) return <p>No data yet.</p>
  const text = `${whenText(part, span)}: ${whatText(part)}`
  return (
    <div className="uptime-picture">
      <div
        className="uptime-bars"
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuetext={text}
        {...slider}
      >
        <Bars parts={parts} />
        <span className="uptime-marker" style={{ insetInlineStart: place }} />
      </div>
      <p className="uptime-part">{text}</p>
    </div>
  )
}

/**
 * A picture of the parts of a time as one focusable slider, in which arrow keys, the pointer and taps choose a part. Its text is
 * the value of the slider.
 */
import { type KeyboardEvent, type PointerEvent, useState } from 'react'

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

/** The attributes of the slider that do not depend on its text. */
interface SliderProps {
  readonly 'aria-valuemin': number
  readonly 'aria-valuemax': number
  readonly 'aria-valuenow': number
  readonly onKeyDown: (event: KeyboardEvent) => void
  readonly onPointerDown: (event: PointerEvent) => void
  readonly onPointerMove: (event: PointerEvent) => void
}

/** @returns the chosen part, undefined if there are no parts; and its place in percent of the width */
export function usePartSlider<Part extends { readonly from: string }>(parts: readonly Part[]) {
  // The newest part, also when a newer one follows, until the user chooses another.
  const [chosen, setChosen] = useState<string>()
  const last = parts.length - 1
  const found = parts.findIndex(({ from }) => from === chosen)
  const at = found === -1 ? last : found

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
  const slider: SliderProps = {
    'aria-valuemin': 1,
    'aria-valuemax': parts.length,
    'aria-valuenow': at + 1,
    onKeyDown: press,
    onPointerDown: point,
    onPointerMove: (event) => event.pointerType === 'mouse' && point(event),
  }
  return { part: parts[at], place: `${((at + 0.5) / parts.length) * 100}%`, slider } as const
}

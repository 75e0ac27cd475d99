import { spanText } from '@homing/theme/formats'

/** What another shortest interval of monitors means for accounts; empty if it stays the same. In seconds. */
export function intervalEffects(before: number, after: number): string[] {
  if (before === after) return []
  const change = `The shortest interval of monitors changes from ${spanText(before)} to ${spanText(after)}.`
  return after > before
    ? [`${change} Monitors with a shorter interval get the new one.`]
    : [`${change} Monitors keep their interval, and owners can shorten it.`]
}

import { count } from '@homing/theme/formats'

/** The effect of another limit on the records of the plan's accounts. */
export function recordEffects(before: number, after: number): readonly string[] {
  if (before === after) return []
  const change = `The record limit changes from ${count(before)} to ${count(after)}.`
  return after > before
    ? [change]
    : [`${change} Accounts with more records keep them, and cannot add others.`]
}

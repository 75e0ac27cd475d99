import { count } from '@homing/theme/formats'

/** What another number of stealth web forwards means for accounts; empty if it stays the same. */
export function stealthEffects(before: number, after: number): string[] {
  if (before === after) return []
  const change = `The limit of stealth web forwards changes from ${count(before)} to ${count(after)}.`
  if (after > before)
    return [`${change} Those over the former limit show their target in a frame again.`]
  return [`${change} Those over the limit act as redirects, the newest first. Nothing is deleted.`]
}

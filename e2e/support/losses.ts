/** The loss detector: compares the acknowledged updates with the stored ones. */
import type { Update } from './ledger.ts'

export interface Promised {
  /** Every update that was acknowledged. */
  readonly acknowledged: readonly Update[]
  /** The number of the last update that was sent, by name, acknowledged or not. */
  readonly lastSent: ReadonlyMap<string, number>
}

/** The update that each name shows; undefined if it shows none of them. */
export type Present = ReadonlyMap<string, number | undefined>

function lastAcknowledged(acknowledged: readonly Update[]): Map<string, number> {
  const last = new Map<string, number>()
  for (const { name, number } of acknowledged) {
    if (number > (last.get(name) ?? 0)) last.set(name, number)
  }
  return last
}

/**
 * The names that show neither their last acknowledged update nor a later one whose
 * outcome the sender does not know. One sentence for each.
 */
export function findLost({ acknowledged, lastSent }: Promised, present: Present): string[] {
  const lost: string[] = []
  for (const [name, number] of lastAcknowledged(acknowledged)) {
    const shown = present.get(name)
    const sent = lastSent.get(name) ?? number
    if (shown !== undefined && shown >= number && shown <= sent) continue
    lost.push(
      `${name} shows ${shown ?? 'no update'}; ${number} was acknowledged, ${sent} sent last`,
    )
  }
  return lost
}

/** Acknowledged updates that are missing from the history of their names. */
export function findForgotten(
  acknowledged: readonly Update[],
  history: ReadonlyMap<string, ReadonlySet<number>>,
): string[] {
  return acknowledged
    .filter(({ name, number }) => history.get(name)?.has(number) !== true)
    .map(({ name, number }) => `${name}: ${number} was acknowledged and never stored`)
}

/** What an event changed in a record, in sentences. */
import { spanText } from '@homing/theme/formats'
import type { DomainEvent } from '../../../api/domain-history.ts'

type Settings = NonNullable<DomainEvent['new']['record']>

/** The event of a record with many values names the first ones. */
const SHOWN_VALUES = 10

function valueSentences(values: readonly string[], verb: string): string[] {
  const others = values.length - SHOWN_VALUES
  const shown = values.slice(0, SHOWN_VALUES).map((value) => `${value} ${verb}`)
  return others > 0 ? [...shown, `and ${others} more ${verb}`] : shown
}

const without = (values: readonly string[], others: readonly string[]) =>
  values.filter((value) => !others.includes(value))

const nameOf = ({ type, owner }: Settings) => `${type} of ${owner}`

/** @returns an empty list for an event that is not about a record */
export function recordChangesOf({ old, new: next }: DomainEvent): readonly string[] {
  const [from, to] = [old.record ?? null, next.record ?? null]
  const record = to ?? from
  if (record === null) return []
  const ttl =
    from !== null && to !== null && from.ttl !== to.ttl
      ? [`TTL changed from ${spanText(from.ttl)} to ${spanText(to.ttl)}`]
      : []
  return [
    nameOf(record),
    ...valueSentences(without(to?.values ?? [], from?.values ?? []), 'added'),
    ...valueSentences(without(from?.values ?? [], to?.values ?? []), 'removed'),
    ...ttl,
  ]
}

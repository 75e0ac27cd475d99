/** A mock of the API's DNS queries. */
import type { components } from '@homing/openapi/client'
import { exampleOf, mock, ok } from './mock.ts'

type Schemas = components['schemas']
type Ability = Schemas['Me']['limits']['abilities'][number]

/** The user's plan with these abilities alone. */
export function serveAbilities(...abilities: Ability[]): void {
  const me = exampleOf('getMe')
  mock.handle({ getMe: () => ok({ ...me, limits: { ...me.limits, abilities } }) })
}

/** A summary: the contract's example, with changes. */
export const summary = (changes: Partial<Schemas['DnsSummary']> = {}): Schemas['DnsSummary'] => ({
  ...exampleOf('getDnsStats'),
  ...changes,
})

const HOUR_MS = 3_600_000

interface SeriesOptions {
  /** The queries of each hour, the last of which is not over yet. */
  readonly hours: readonly number[]
  readonly changes?: Partial<Schemas['QuerySeries']>
}

/** A series of hours up to noon, all of one value. */
export function series({ hours, changes = {} }: SeriesOptions): Schemas['QuerySeries'] {
  const end = Date.parse('2026-05-12T12:00:00.000Z')
  const time = (n: number) => new Date(end - (hours.length - n) * HOUR_MS).toISOString()
  const total = hours.reduce((sum, queries) => sum + queries, 0)
  return {
    ...exampleOf('getQuerySeries'),
    from: time(0),
    to: time(hours.length),
    resolution: '1h',
    total,
    previous_total: null,
    values: [{ value: 'A', label: 'A', queries: total }],
    parts: hours.map((queries, n) => ({
      from: time(n),
      to: time(n + 1),
      queries,
      is_partial: n === hours.length - 1,
      values: [queries],
    })),
    previous: hours.map(() => 0),
    markers: [],
    ...changes,
  }
}

/** The number of records in each state, among the results of the other filters. Each count is a filter button. */
import { useGetList, useListContext } from 'react-admin'
import { count } from '@homing/theme/formats'
import { useFilter } from './filters.tsx'

export interface State {
  readonly label: string
  /** The value of the field; undefined matches any value. */
  readonly value: string | boolean | undefined
}

/** The records in any state. */
export const ALL: State = { label: 'All', value: undefined }

/** The numbers of records by state without any other filter; undefined while they load. */
type Totals = Readonly<Record<string, number>> | undefined

interface StateCountsProps {
  readonly label: string
  readonly field: string
  readonly states: readonly State[]
  /** For a list whose totals another call has at once: each button asks only if there are other filters. */
  readonly unfiltered?: { readonly totals: Totals } | undefined
}

function totalOf(totals: Totals, { value }: State): number | undefined {
  if (totals === undefined) return undefined
  if (value !== undefined) return totals[String(value)] ?? 0
  return Object.values(totals).reduce((sum, each) => sum + each, 0)
}

const ONE = { page: 1, perPage: 1 }
const BY_ID = { field: 'id', order: 'ASC' } as const

interface StateButtonProps extends Pick<StateCountsProps, 'field' | 'unfiltered'> {
  readonly state: State
}

function StateButton({ field, state, unfiltered }: StateButtonProps) {
  const { label, value } = state
  const { resource } = useListContext()
  const { filter, change } = useFilter()
  const { [field]: chosen, ...others } = filter
  const wanted = value === undefined ? others : { ...others, [field]: value }
  const known = Object.keys(others).length === 0 ? unfiltered : undefined
  // Omit a count that fails to load: the list itself shows the error.
  const { total: counted } = useGetList(
    resource,
    { pagination: ONE, sort: BY_ID, filter: wanted },
    { placeholderData: (previous) => previous, retry: false, enabled: known === undefined },
  )
  const total = known === undefined ? counted : totalOf(known.totals, state)
  return (
    <button
      type="button"
      className="state"
      aria-pressed={chosen === value}
      onClick={() => change({ [field]: value })}
    >
      <span className="state-label">{label}</span>
      <span className="state-count">{total === undefined ? '–' : count(total)}</span>
    </button>
  )
}

export function StateCounts({ label, field, states, unfiltered }: StateCountsProps) {
  return (
    <div className="states" role="group" aria-label={label}>
      {states.map((state) => (
        <StateButton key={state.label} field={field} state={state} unfiltered={unfiltered} />
      ))}
    </div>
  )
}

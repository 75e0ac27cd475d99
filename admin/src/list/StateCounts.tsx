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

interface StateCountsProps {
  readonly label: string
  readonly field: string
  readonly states: readonly State[]
}

const ONE = { page: 1, perPage: 1 }
const BY_ID = { field: 'id', order: 'ASC' } as const

function StateButton({ field, state: { label, value } }: { field: string; state: State }) {
  const { resource } = useListContext()
  const { filter, change } = useFilter()
  const { [field]: chosen, ...others } = filter
  const wanted = value === undefined ? others : { ...others, [field]: value }
  // Omit a count that fails to load: the list itself shows the error.
  const { total } = useGetList(
    resource,
    { pagination: ONE, sort: BY_ID, filter: wanted },
    { placeholderData: (previous) => previous, retry: false },
  )
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

export function StateCounts({ label, field, states }: StateCountsProps) {
  return (
    <div className="states" role="group" aria-label={label}>
      {states.map((state) => (
        <StateButton key={state.label} field={field} state={state} />
      ))}
    </div>
  )
}

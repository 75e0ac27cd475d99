import { useFilter } from './filters.tsx'

interface ObjectFilterProps {
  readonly label: string
  /** The field of the filter, whose value is the id of an object. */
  readonly field: string
}

/** The object by which the list is filtered, with a way back to all. */
export function ObjectFilter({ label, field }: ObjectFilterProps) {
  const { filter, change } = useFilter()
  const id = filter[field]
  if (typeof id !== 'string') return null
  return (
    <div className="owner-filter">
      {label}: <strong>{id}</strong>
      <button type="button" className="text-button" onClick={() => change({ [field]: undefined })}>
        Show all
      </button>
    </div>
  )
}

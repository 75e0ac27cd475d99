import type { DomainListRequest, SortField } from '../../api/domain-list.ts'

type Sort = DomainListRequest['sort']

const CHOICES: readonly (readonly [string, SortField, boolean])[] = [
  ['Domain', 'fqdn', false],
  ['Zone', 'zone', false],
  ['Last update', 'last_update_at', true],
]

interface PhoneSortProps {
  readonly sort: Sort
  readonly onSort: (sort: Sort) => void
}

/** Sorts the cards on phones, which have no column headers. */
export function PhoneSort({ sort, onSort }: PhoneSortProps) {
  return (
    <select
      className="phone-sort"
      aria-label="Sort by"
      value={sort.field}
      onChange={(event) => {
        const [, field, descending] = CHOICES.find(([, name]) => name === event.target.value) ?? []
        if (field !== undefined && descending !== undefined) onSort({ field, descending })
      }}
    >
      {CHOICES.map(([title, field]) => (
        <option key={field} value={field}>
          {title}
        </option>
      ))}
    </select>
  )
}

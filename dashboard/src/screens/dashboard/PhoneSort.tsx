import { type DomainListRequest, SORT_FIELDS } from '../../api/domain-list.ts'

type Sort = DomainListRequest['sort']

/** Each order in words: ascending, descending. */
const WORDS: Readonly<Record<Sort['field'], readonly [string, string]>> = {
  fqdn: ['Domain, A to Z', 'Domain, Z to A'],
  zone: ['Zone, A to Z', 'Zone, Z to A'],
  record_ip: ['Current IP, lowest first', 'Current IP, highest first'],
  last_update_at: ['Update, oldest first', 'Update, newest first'],
}

interface Choice extends Sort {
  readonly key: string
  readonly words: string
}

const keyOf = ({ field, descending }: Sort): string => `${descending ? '-' : ''}${field}`

const CHOICES: readonly Choice[] = SORT_FIELDS.flatMap((field) =>
  WORDS[field].map((words, n) => {
    const sort = { field, descending: n === 1 }
    return { ...sort, key: keyOf(sort), words }
  }),
)

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
      value={keyOf(sort)}
      onChange={({ target }) => {
        const choice = CHOICES.find(({ key }) => key === target.value)
        if (choice !== undefined) onSort({ field: choice.field, descending: choice.descending })
      }}
    >
      {CHOICES.map(({ key, words }) => (
        <option key={key} value={key}>
          {words}
        </option>
      ))}
    </select>
  )
}

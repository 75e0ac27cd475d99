import { Icon } from '@homing/theme/parts/Icon.tsx'
import { readSearch, withoutTerm } from '../../../api/domain-search.ts'

interface SearchChipsProps {
  readonly search: string
  readonly onSearch: (text: string) => void
}

/** The operators of the search, each of which can be removed, and why some are not applied. */
export function SearchChips({ search, onSearch }: SearchChipsProps) {
  const { terms, faults } = readSearch(search)
  if (terms.length + faults.length === 0) return null
  return (
    <div className="search-chips">
      {terms.map((term, n) => (
        <button
          // The same operator can be typed twice.
          // oxlint-disable-next-line react/no-array-index-key
          key={`${n} ${term.text}`}
          type="button"
          className="badge chip"
          aria-label={`Remove the filter ${term.text}`}
          onClick={() => onSearch(withoutTerm(search, term))}
        >
          <span>
            {term.name}: <bdi>{term.value}</bdi>
          </span>
          <Icon name="close" size={14} />
        </button>
      ))}
      <div role="status">
        {faults.map((fault) => (
          <p key={fault} className="search-fault">
            {fault}
          </p>
        ))}
      </div>
    </div>
  )
}

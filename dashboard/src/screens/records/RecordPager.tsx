import { count, counted } from '@homing/theme/formats'
import { RECORD_PAGE_SIZE } from '../../api/records.ts'

interface RecordPagerProps {
  readonly page: number
  readonly shown: number
  /** Across all pages. */
  readonly total: number
  readonly onPage: (page: number) => void
}

export function RecordPager({ page, shown, total, onPage }: RecordPagerProps) {
  if (total <= RECORD_PAGE_SIZE) return <p className="muted">{counted(total, 'record')}</p>
  const first = (page - 1) * RECORD_PAGE_SIZE + 1
  return (
    <nav className="domain-pages record-pages" aria-label="Pages of records">
      <span className="muted">
        {count(first)}–{count(first + shown - 1)} of {counted(total, 'record')}
      </span>
      <button
        type="button"
        className="line-button"
        disabled={page === 1}
        onClick={() => onPage(page - 1)}
      >
        Previous
      </button>
      <button
        type="button"
        className="line-button"
        disabled={page * RECORD_PAGE_SIZE >= total}
        onClick={() => onPage(page + 1)}
      >
        Next
      </button>
    </nav>
  )
}

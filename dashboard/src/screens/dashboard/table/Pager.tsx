import { count, counted } from '@homing/theme/formats'
import { PAGE_SIZE } from '../../../api/domains.ts'

interface PagerProps {
  readonly page: number
  readonly shown: number
  readonly total: number
  readonly onPage: (page: number) => void
}

export function Pager({ page, shown, total, onPage }: PagerProps) {
  if (total <= PAGE_SIZE) return <p className="muted pager">{counted(total, 'domain')}</p>
  const first = (page - 1) * PAGE_SIZE + 1
  return (
    <nav className="pager" aria-label="Pages of domains">
      <span className="muted">
        {count(first)}–{count(first + shown - 1)} of {counted(total, 'domain')}
      </span>
      <button
        type="button"
        className="button button-line"
        disabled={page === 1}
        onClick={() => onPage(page - 1)}
      >
        Previous
      </button>
      <button
        type="button"
        className="button button-line"
        disabled={page * PAGE_SIZE >= total}
        onClick={() => onPage(page + 1)}
      >
        Next
      </button>
    </nav>
  )
}

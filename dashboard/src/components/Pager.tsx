import { count, counted } from '@homing/theme/formats'

interface PagerProps {
  readonly page: number
  readonly pageSize: number
  /** On this page. */
  readonly shown: number
  /** On all pages. */
  readonly total: number
  /** What is counted, in the singular. */
  readonly noun: string
  /** Classes of the bar and of its buttons, as the panel around it looks. */
  readonly className: string
  readonly buttonClassName: string
  readonly onPage: (page: number) => void
}

/** The part of a list that is shown, and the way to the pages beside it. */
export function Pager(props: PagerProps) {
  const { page, pageSize, shown, total, noun, className, buttonClassName, onPage } = props
  if (total <= pageSize) return <p className={`muted ${className}`}>{counted(total, noun)}</p>
  const first = (page - 1) * pageSize + 1
  return (
    <nav className={className} aria-label={`Pages of ${noun}s`}>
      <span className="muted">
        {count(first)}–{count(first + shown - 1)} of {counted(total, noun)}
      </span>
      <button
        type="button"
        className={buttonClassName}
        disabled={page === 1}
        onClick={() => onPage(page - 1)}
      >
        Previous
      </button>
      <button
        type="button"
        className={buttonClassName}
        disabled={page * pageSize >= total}
        onClick={() => onPage(page + 1)}
      >
        Next
      </button>
    </nav>
  )
}

/** The page of one record: its heading and content, or the error. */
import type { ReactNode } from 'react'
import { HttpError } from 'react-admin'
import { Link } from 'react-router'
import { lastPlaceOf } from './last-search.ts'
import { PageHeading } from './PageHeading.tsx'
import { Trouble } from './Trouble.tsx'
import { Waiting } from './Waiting.tsx'

const isMissing = (error: unknown) => error instanceof HttpError && error.status === 404

interface RecordPageProps<Row> {
  /** The list of these records. */
  readonly list: { readonly label: string; readonly path: string }
  readonly record: Row | undefined
  readonly error: unknown
  readonly onRetry: () => void
  readonly title: (record: Row) => string
  readonly children: (record: Row) => ReactNode
}

export function RecordPage<Row>(props: RecordPageProps<Row>) {
  const { list, record, error, onRetry, title, children } = props
  const above = (
    <Link to={lastPlaceOf(list.path)} className="page-above">
      {list.label}
    </Link>
  )
  if (record !== undefined) {
    return (
      <>
        <PageHeading title={title(record)} above={above} />
        {children(record)}
      </>
    )
  }
  if (!error) return <Waiting />
  return (
    <>
      <PageHeading title={isMissing(error) ? 'Not found' : 'Not available'} above={above} />
      <Trouble error={error} onRetry={onRetry} />
    </>
  )
}

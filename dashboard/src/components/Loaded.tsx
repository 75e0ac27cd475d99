import { clockText } from '@homing/theme/formats'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Failure } from '@homing/theme/parts/Failure.tsx'
import { Message } from '@homing/theme/parts/Message.tsx'
import { SectionSkeleton } from './SectionSkeleton.tsx'
import { useOnline } from './use-online.ts'

interface LoadedProps<T> {
  readonly query: Pick<UseQueryResult<T>, 'data' | 'error' | 'dataUpdatedAt' | 'fetchStatus'> & {
    readonly refetch: () => unknown
  }
  /** What failed, before the reason: `Failed to load data`. */
  readonly failure?: string
  /** Has the size of what is loaded. Default: that of a section. */
  readonly placeholder?: ReactNode
  readonly children: (data: T) => ReactNode
}

/** Data of the service: a placeholder until it arrives, an error with Retry, and old data with its time. */
export function Loaded<T>({ query, failure, placeholder, children }: LoadedProps<T>) {
  const { data, error, dataUpdatedAt, fetchStatus, refetch } = query
  const isOffline = !useOnline() || fetchStatus === 'paused'
  if (data === undefined) {
    if (error !== null) {
      const text = failure === undefined ? undefined : `${failure}. ${error.message}`
      return <Failure error={error} text={text} onRetry={() => void refetch()} />
    }
    if (!isOffline) return placeholder ?? <SectionSkeleton />
    return (
      <Message tone="warn">
        <p>This device is offline. The data appears when it is online again.</p>
      </Message>
    )
  }
  return (
    <>
      {(error !== null || isOffline) && (
        <Message
          tone="warn"
          action={
            <button type="button" className="text-button" onClick={() => void refetch()}>
              Retry
            </button>
          }
        >
          <p>
            {error === null ? 'This device is offline.' : error.message} The data below is from{' '}
            {clockText(dataUpdatedAt)}.
          </p>
        </Message>
      )}
      {children(data)}
    </>
  )
}

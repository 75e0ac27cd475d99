import { clockText } from '@homing/theme/formats'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Failure } from '@homing/theme/parts/Failure.tsx'
import { Message } from '@homing/theme/parts/Message.tsx'
import { SectionSkeleton } from './SectionSkeleton.tsx'

interface LoadedProps<T> {
  readonly query: Pick<UseQueryResult<T>, 'data' | 'error' | 'dataUpdatedAt' | 'fetchStatus'> & {
    readonly refetch: () => unknown
  }
  readonly children: (data: T) => ReactNode
}

/** Data of the service: a placeholder until it arrives, an error with Retry, and old data with its time. */
export function Loaded<T>({ query, children }: LoadedProps<T>) {
  const { data, error, dataUpdatedAt, fetchStatus, refetch } = query
  if (data === undefined) {
    if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />
    if (fetchStatus !== 'paused') return <SectionSkeleton />
    return (
      <Message tone="warn">
        <p>This device is offline. The data appears when it is online again.</p>
      </Message>
    )
  }
  return (
    <>
      {(error !== null || fetchStatus === 'paused') && (
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

import { Message } from '@homing/theme/parts/Message.tsx'
import { clockText } from '@homing/theme/formats'
import { NetworkFailure } from '../../../api/problem.ts'

function reasonOf(error: Error | null): string {
  if (error === null) return 'This device is offline.'
  return error instanceof NetworkFailure ? 'Cannot reach the service.' : error.message
}

interface StalenessProps {
  readonly error: Error | null
  readonly since: number
  readonly onRetry: () => void
}

/** Warns that the rows are out of date, and shows their time. */
export function Staleness({ error, since, onRetry }: StalenessProps) {
  return (
    <Message
      tone="warn"
      action={
        <button type="button" className="text-button" onClick={onRetry}>
          Retry
        </button>
      }
    >
      <p>
        {reasonOf(error)} This list was last updated at {clockText(since)}.
      </p>
    </Message>
  )
}

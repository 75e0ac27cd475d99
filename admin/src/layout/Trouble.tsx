import { Message } from '@homing/theme/parts/Message.tsx'
import { RequestId } from '@homing/theme/parts/RequestId.tsx'
import { messageOf, requestIdOf } from '../api/problem.ts'

interface TroubleProps {
  readonly error: unknown
  readonly onRetry?: () => void
}

/** An error: its message, the request id, and a button to retry. */
export function Trouble({ error, onRetry }: TroubleProps) {
  return (
    <div className="trouble">
      <Message
        tone="error"
        action={
          onRetry && (
            <button type="button" className="text-button" onClick={onRetry}>
              Retry
            </button>
          )
        }
      >
        <span>{messageOf(error)}</span>
        <RequestId id={requestIdOf(error)} />
      </Message>
    </div>
  )
}

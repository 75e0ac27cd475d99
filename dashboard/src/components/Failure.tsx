/** Shows an error: its message, and the request id. */
import { Message } from './Message.tsx'

interface FailureProps {
  readonly error: Error & { readonly requestId?: string | undefined }
  readonly onRetry?: () => void
}

export function Failure({ error, onRetry }: FailureProps) {
  return (
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
      <p>{error.message}</p>
      {error.requestId !== undefined && (
        <p className="muted">
          Request <span className="monospace">{error.requestId}</span>
        </p>
      )}
    </Message>
  )
}

/** Shows an error: its message, and the request id. */
import { Message } from './Message.tsx'

interface FailureProps {
  /** `isHint`: nothing failed, the user only has to repeat the action. */
  readonly error: Error & {
    readonly detail?: string | undefined
    readonly requestId?: string | undefined
    readonly isHint?: boolean
  }
  /** Shown if the service sent no text. Default: the error's technical message. */
  readonly otherwise?: string | undefined
  readonly onRetry?: () => void
}

export function Failure({ error, otherwise, onRetry }: FailureProps) {
  return (
    <Message
      tone={error.isHint === true ? 'info' : 'error'}
      action={
        onRetry && (
          <button type="button" className="text-button" onClick={onRetry}>
            Retry
          </button>
        )
      }
    >
      <p>{otherwise === undefined ? error.message : (error.detail ?? otherwise)}</p>
      {error.requestId !== undefined && (
        <p className="muted">
          Request <span className="monospace">{error.requestId}</span>
        </p>
      )}
    </Message>
  )
}

/** Shows an error: its message, what the user can do about it, and the request id. */
import { useContext, useLayoutEffect } from 'react'
import { FormWait } from './form-wait.ts'
import { Message } from './Message.tsx'
import { RequestId } from './RequestId.tsx'
import { useCountdown } from './use-countdown.ts'

/** An error of a call. A field is undefined if the service did not send it. */
interface CallError extends Error {
  readonly code?: string
  /** The text of the service. */
  readonly detail?: string | undefined
  readonly requestId?: string | undefined
  /** Nothing failed: the user only has to repeat the action. */
  readonly isHint?: boolean
  readonly retryAfterSeconds?: number | undefined
  readonly fields?: readonly { readonly field: string; readonly message: string }[]
}

interface FailureProps {
  readonly error: CallError
  /** Replaces the text of the service. */
  readonly text?: string | undefined
  /** Shown if the service sent no text. Default: the error's technical message. */
  readonly otherwise?: string | undefined
  readonly tone?: 'error' | 'warn'
  /** False if a button shows the seconds until the next attempt. */
  readonly hasTimer?: boolean
  readonly onRetry?: () => void
}

/** The refusals that another plan lifts. */
const OF_PLAN = ['plan-required', 'domain-limit', 'key-limit', 'record-limit']

export function Failure({
  error,
  otherwise,
  text = otherwise === undefined ? error.message : (error.detail ?? otherwise),
  tone,
  hasTimer = true,
  onRetry,
}: FailureProps) {
  const { code = '', fields = [], isHint = false } = error
  const waitSeconds = useCountdown(error.retryAfterSeconds ?? 0, error)
  const holdForm = useContext(FormWait)
  // A failure with its own way to retry is of a list in the form, not of the form.
  const isOfForm = onRetry === undefined
  useLayoutEffect(() => {
    if (isOfForm) holdForm(error.retryAfterSeconds ?? 0)
  }, [holdForm, isOfForm, error])
  const canRetry = onRetry !== undefined && waitSeconds === 0
  return (
    <Message
      tone={tone ?? (isHint ? 'info' : 'error')}
      action={
        canRetry && (
          <button type="button" className="text-button" onClick={onRetry}>
            Retry
          </button>
        )
      }
    >
      <p>{text}</p>
      {fields
        .filter(({ message }) => message !== text)
        .map(({ field, message }) => (
          <p key={field}>{message}</p>
        ))}
      {hasTimer && waitSeconds > 0 && <p role="timer">You can try again in {waitSeconds} s.</p>}
      {OF_PLAN.includes(code) && <a href="/pricing">Compare plans</a>}
      <RequestId id={error.requestId} />
    </Message>
  )
}

import { ApiProblem, textOf } from '../../api/problem.ts'
import { Failure } from '@homing/theme/parts/Failure.tsx'
import { Message } from '@homing/theme/parts/Message.tsx'

interface ResendOutcomeProps {
  /** The service's answer; undefined before it. */
  readonly text: string | undefined
  readonly error: Error | null
}

/** What came of the request for another link: green for success, yellow for too many requests, red for an error. */
export function ResendOutcome({ text, error }: ResendOutcomeProps) {
  if (text !== undefined) {
    return (
      <Message tone="success">
        <p>{text}</p>
      </Message>
    )
  }
  if (error === null) return null
  const isLimited = error instanceof ApiProblem && error.status === 429
  const otherwise = isLimited
    ? 'Too many requests. Please wait before trying again.'
    : 'Failed to send verification email.'
  return (
    <Failure
      error={error}
      text={textOf(error, otherwise)}
      tone={isLimited ? 'warn' : 'error'}
      hasTimer={false}
    />
  )
}

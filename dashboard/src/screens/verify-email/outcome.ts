/** What came of a link that verifies an address. */
import { ApiProblem, textOf } from '../../api/problem.ts'

export type Verification =
  | { readonly kind: 'verified' | 'already' | 'expired' }
  /** The person must confirm, because this browser did not register the account. */
  | { readonly kind: 'unconfirmed'; readonly text: string }
  | {
      readonly kind: 'failed'
      readonly text: string
      readonly requestId?: string | undefined
      readonly canRetry: boolean
    }

/** The outcome of a call that the service refused, or that it did not answer. */
export function outcomeOf(error: Error): Verification {
  const text = textOf(error, 'Verification failed')
  if (!(error instanceof ApiProblem)) return { kind: 'failed', text, canRetry: true }
  if (error.code === 'already-verified') return { kind: 'already' }
  if (error.code === 'email-unconfirmed') return { kind: 'unconfirmed', text }
  if (error.status === 400 && text.includes('expired')) return { kind: 'expired' }
  const canRetry = error.status === 429 || error.status >= 500
  return { kind: 'failed', text, requestId: error.requestId, canRetry }
}

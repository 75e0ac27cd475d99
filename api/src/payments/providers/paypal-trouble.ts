/**
 * What PayPal's errors mean to the service.
 *
 * Messages of PayPal can quote what was sent, so an error of ours has only the issue code of PayPal.
 */
import {
  OutgoingFailure,
  type OutgoingCode,
} from '../../integrations/outgoing-http/outgoing-failure.ts'
import { ProviderTrouble, type TroubleKind } from '../provider.ts'

/** Nothing was sent yet. */
const NOT_SENT: ReadonlySet<OutgoingCode> = new Set([
  'dns',
  'dns-unavailable',
  'refused',
  'unreachable',
  'tls-expired',
  'tls-not-yet-valid',
  'tls-name-mismatch',
  'tls-untrusted',
  'tls-failed',
])

const SAID: Readonly<Record<TroubleKind, string>> = {
  refused: 'refused the call',
  unavailable: 'is not available',
  unknown: 'gave no clear answer',
}

/** PayPal said, or did not say, what became of a call. @param code of PayPal or of the connection */
export function trouble(kind: TroubleKind, code: string, cause?: unknown): ProviderTrouble {
  return new ProviderTrouble('paypal', kind, `PayPal ${SAID[kind]}: ${code}`, { code, cause })
}

/** Refused by us: PayPal has something that the service never sells or changes. */
export const refused = (message: string, code: string | null = null) =>
  new ProviderTrouble('paypal', 'refused', message, { code })

/** @param changes whether the request could have changed something */
export function troubleOfFailure(error: unknown, changes: boolean): unknown {
  if (!(error instanceof OutgoingFailure)) return error
  const kind = changes && !NOT_SENT.has(error.code) ? 'unknown' : 'unavailable'
  return trouble(kind, error.code, error)
}

/** The error body of the REST APIs; that of OAuth has `error` in place of `name`. */
interface ErrorBody {
  readonly name?: unknown
  readonly error?: unknown
  readonly details?: readonly { readonly issue?: unknown }[]
}

/** `SUBSCRIPTION_STATUS_INVALID`, or the status when PayPal gives no code. */
function codeOf(status: number, body: unknown): string {
  const { name, error, details } = (body ?? {}) as ErrorBody
  const issue = Array.isArray(details) ? details[0]?.issue : undefined
  const code = [issue, name, error].find((each) => typeof each === 'string')
  return /^[\w.-]{1,80}$/.test(code ?? '') ? String(code) : `status ${status}`
}

/** Two requests with the same id at the same time: the first is still being worked on. */
const IN_PROGRESS = /^(?:PREVIOUS_REQUEST_IN_PROGRESS|RESOURCE_CONFLICT)$/

/** The operator has to pay in before PayPal refunds; a payment that is pending can be refunded later. */
const NOT_YET = /^(?:REFUND_FAILED_INSUFFICIENT_FUNDS|PENDING_CAPTURE)$/

/** @param changes whether the request could have changed something */
export function troubleOfStatus(status: number, body: unknown, changes: boolean): ProviderTrouble {
  const code = codeOf(status, body)
  // The operator has to correct the key or its permissions: what was wanted is repeated until then.
  const isPassing =
    [401, 403, 408, 409, 429, 503].includes(status) || IN_PROGRESS.test(code) || NOT_YET.test(code)
  if (isPassing) return trouble('unavailable', code)
  if (status >= 500 || status < 400) return trouble(changes ? 'unknown' : 'unavailable', code)
  return trouble('refused', code)
}

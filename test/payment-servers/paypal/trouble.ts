/** Errors in PayPal's shape: https://developer.paypal.com/api/rest/responses/. */
import type { Answer, Call } from '../http-server.ts'
import type { Body } from './objects.ts'

export class PayPalTrouble extends Error {
  readonly status: number
  readonly title: string
  readonly issue: string
  readonly field: string | undefined

  constructor(status: number, title: string, issue: string, description: string, field?: string) {
    super(description)
    this.status = status
    this.title = title
    this.issue = issue
    this.field = field
  }
}

export const missing = () =>
  new PayPalTrouble(
    404,
    'RESOURCE_NOT_FOUND',
    'INVALID_RESOURCE_ID',
    'Requested resource ID was not found.',
  )

export const invalid = (
  field: string,
  issue = 'INVALID_PARAMETER_VALUE',
  description = 'The value of a field is invalid.',
) => new PayPalTrouble(400, 'INVALID_REQUEST', issue, description, field)

export const refused = (issue: string, description: string) =>
  new PayPalTrouble(422, 'UNPROCESSABLE_ENTITY', issue, description)

/** The answer for an error. @param id of the call, for PayPal’s support */
export function troubleAnswer(error: PayPalTrouble, id: string): Answer {
  const details = [
    {
      ...(error.field !== undefined && { field: `/${error.field}`, location: 'body' }),
      issue: error.issue,
      description: error.message,
    },
  ]
  const body = { name: error.title, message: error.message, debug_id: id, details, links: [] }
  return { status: error.status, headers: { 'paypal-debug-id': id }, body }
}

/** The JSON object of a call. @throws PayPalTrouble */
export function bodyOf(call: Call): Body {
  if (call.body === '') return {}
  try {
    const value: unknown = JSON.parse(call.body)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Body
  } catch {
    // Below.
  }
  throw new PayPalTrouble(
    400,
    'INVALID_REQUEST',
    'MALFORMED_REQUEST_JSON',
    'The request JSON is not well formed.',
  )
}

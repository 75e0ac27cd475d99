/** Errors in PayPal's shape: https://developer.paypal.com/api/rest/responses/. */

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

/** Errors in Stripe's shape: https://docs.stripe.com/api/errors. */

export class StripeTrouble extends Error {
  readonly status: number
  readonly fields: Readonly<Record<string, unknown>>

  constructor(status: number, message: string, fields: Readonly<Record<string, unknown>> = {}) {
    super(message)
    this.status = status
    this.fields = { type: 'invalid_request_error', ...fields }
  }
}

export const invalid = (message: string, param?: string, code?: string) =>
  new StripeTrouble(400, message, { ...(param && { param }), ...(code && { code }) })

export const missing = (noun: string, id: string, param = 'id', status = 404) =>
  new StripeTrouble(status, `No such ${noun}: '${id}'`, { param, code: 'resource_missing' })

export const requiredParam = (param: string) =>
  invalid(`Missing required param: ${param}.`, param, 'parameter_missing')

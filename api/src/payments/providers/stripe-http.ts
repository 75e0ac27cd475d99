/** The HTTP client of Stripe's SDK, which takes no answer of others for one of Stripe. */
import type { Stripe } from 'stripe'
import { stripeLibrary } from './stripe-library.ts'

type HttpClient = ReturnType<typeof Stripe.createNodeHttpClient>
type Response = Awaited<ReturnType<HttpClient['makeRequest']>>

/** The code of an error answer that Stripe did not give. */
export const NOT_STRIPE = 'not_stripe'

const isOfStripe = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'error' in body && body.error !== null

/**
 * A proxy on the way answers an error of its own. Without Stripe's field `error`, the SDK would take its body for the object
 * that was asked for, and a call that failed for one that succeeded.
 */
function checked(response: Response): Response {
  if (response.getStatusCode() < 400) return response
  const read = response.toJSON.bind(response)
  response.toJSON = async () => {
    const body: unknown = await read()
    if (isOfStripe(body)) return body
    return { error: { type: 'api_error', code: NOT_STRIPE, message: 'An error of a proxy' } }
  }
  return response
}

export function stripeHttpClient(): HttpClient {
  const client = stripeLibrary().createNodeHttpClient()
  const send = client.makeRequest.bind(client)
  client.makeRequest = async (...request) => checked(await send(...request))
  return client
}

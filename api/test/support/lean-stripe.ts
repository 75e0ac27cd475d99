/** A door before the local server of Stripe that answers as other versions of its API, and as servers with fewer calls. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

type Json = Record<string, unknown>

/** `sparse`: nothing is expanded, and what is null or optional is missing. `older`: fields are where they were before 2025-03-31. */
export type Shape = 'sparse' | 'older'

export interface LeanStripe extends AsyncDisposable {
  readonly origin: string
}

const OPTIONAL = new Set(
  'type billing_scheme interval_count usage_type start_date status_transitions balance_transactions disputed refunds payment_method_details url'.split(
    ' ',
  ),
)

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null

const sparse = (key: string, value: unknown, holder: Json): unknown =>
  value === null ||
  (OPTIONAL.has(key) && holder['object'] !== 'checkout.session' && !('end_date' in holder))
    ? undefined
    : value

/** What an invoice was to be paid with. */
function firstPayment(invoice: Json): Json {
  const { payments } = invoice as { payments?: { data: { payment: Json }[] } }
  return payments?.data[0]?.payment ?? {}
}

function older(holder: Json): Json {
  if (holder['object'] === 'subscription') {
    const { items } = holder as { items: { data: Json[] } }
    const { current_period_start, current_period_end } = items.data[0] ?? {}
    const data = items.data.map(
      ({ current_period_start: _start, current_period_end: _end, ...item }) => item,
    )
    return { ...holder, current_period_start, current_period_end, items: { ...items, data } }
  }
  if (holder['object'] !== 'invoice') return holder
  const { parent, payments: _payments, ...invoice } = holder
  const { subscription_details: details } = parent as { subscription_details: Json }
  const { payment_intent } = firstPayment(holder)
  return { ...invoice, subscription: details['subscription'], payment_intent }
}

function reshaped(value: unknown, shape: Shape | undefined): unknown {
  if (shape === undefined || !isObject(value)) return value
  if (Array.isArray(value)) return value.map((each) => reshaped(each, shape))
  const entries = Object.entries(value).map(([key, each]) => [key, reshaped(each, shape)] as const)
  const whole = Object.fromEntries(entries)
  if (shape === 'older') return older(whole)
  return Object.fromEntries(entries.map(([key, each]) => [key, sparse(key, each, whole)]))
}

const bodyless = (method: string) => method === 'GET' || method === 'DELETE'

/**
 * Opens the door.
 *
 * @param without calls, as `GET /v1/charges`, that are answered 404
 */
export async function leanStripe(
  target: string,
  { shape, without }: { readonly shape?: Shape; readonly without?: RegExp },
): Promise<LeanStripe> {
  const server = createServer((request, response) => {
    void (async () => {
      const { method = 'GET', url = '/', headers } = request
      const parts: Buffer[] = []
      for await (const part of request as AsyncIterable<Buffer>) parts.push(part)
      const text = Buffer.concat(parts).toString()
      const plain = (query: string) =>
        shape === 'sparse'
          ? query.replaceAll(/(?:^|&)expand(?:%5B|\[)\d+(?:%5D|\])=[^&]*/g, '')
          : query
      const [path = '', query = ''] = url.split('?')
      if (without?.test(`${method} ${path}`) === true) {
        response.writeHead(404, { 'content-type': 'application/json' })
        const error = { type: 'invalid_request_error', message: `Unrecognized request URL` }
        response.end(JSON.stringify({ error }))
        return
      }
      const { host: _host, 'content-length': _length, connection: _connection, ...sent } = headers
      const answer = await fetch(`${target}${path}?${plain(query)}`, {
        method,
        headers: sent as Record<string, string>,
        ...(!bodyless(method) && { body: plain(text) }),
      })
      response.writeHead(answer.status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(reshaped(await answer.json(), shape)))
    })()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/**
 * A process that opens event streams and counts what comes on them.
 *
 *   { url, authorizations } → { open }      once every stream has had its first heartbeat
 *   { close: true } → { events }            the events since then
 */
import { Agent, type ClientRequest, get } from 'node:http'

interface Order {
  readonly url?: string
  readonly authorizations?: readonly string[]
  readonly close?: true
}

const AT_ONCE = 20
const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY })
let requests: ClientRequest[] = []
let events = 0

/** Resolves with the first heartbeat. */
function follow(url: string, authorization: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent, headers: { authorization } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`a stream got ${response.statusCode}`))
      response.setEncoding('utf8')
      response.on('data', (text: string) => {
        events += text.split('event: ').length - 1
        if (text.includes('event: heartbeat')) resolve()
      })
      response.on('error', () => undefined)
    })
    request.on('error', reject)
    requests.push(request)
  })
}

process.on('message', ({ url, authorizations = [], close }: Order) => {
  if (close) {
    for (const request of requests) request.destroy()
    requests = []
    process.send?.({ events })
    return
  }
  void openAll(url ?? '', [...authorizations])
})

/** A few at a time, so that no call is refused because of overload. */
async function openAll(url: string, waiting: string[]): Promise<void> {
  const openNext = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) await follow(url, next)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, openNext))
  events = 0
  process.send?.({ open: requests.length })
}
process.once('disconnect', () => process.exit())

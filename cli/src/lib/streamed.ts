/** A response that is read while it arrives: a live stream, or a large file. */
import {
  headersOf,
  notOurs,
  PAUSE_LIMIT_MS,
  redirected,
  strange,
  succeeded,
  textOf,
  timedOut,
} from './api.ts'
import type { Caller } from './caller.ts'
import { CommandFailure } from './failure.ts'
import { proxyFor } from './proxy.ts'
import { type ArrivingReply, transportThrough } from './transport.ts'
import { unreachable } from './unreachable.ts'

interface Wanted {
  /** The path with its query. */
  readonly path: string
  /** The media type of the response. Another one does not come from a Homing API. */
  readonly type: 'text/event-stream' | 'text/csv' | 'text/plain' | 'application/json'
  /** How long the response can pause, in milliseconds; 30 seconds when absent. */
  readonly pauseLimitMs?: number
}

/**
 * The text of a response, in parts of any length.
 *
 * @throws CommandFailure when the API refuses, or when the connection is lost or pauses for too long
 */
export async function* streamed(
  { account: { server }, options: { authorization, trace } }: Caller,
  { path, type, pauseLimitMs = PAUSE_LIMIT_MS }: Wanted,
): AsyncGenerator<string, void, undefined> {
  const proxy = proxyFor(server, process.env)
  const transport = await transportThrough(proxy)
  const controller = new AbortController()
  const wait = () => setTimeout(() => controller.abort(timedOut()), pauseLimitMs)
  let timer = wait()
  try {
    const headers = { ...headersOf({ authorization }), accept: type }
    const url = new URL(`${server}${path}`)
    const reply = await transport({ method: 'GET', url, headers }, controller.signal)
    trace?.(`GET ${url.href}: ${reply.status}`)
    await requireType(server, reply, type)
    const decoder = new TextDecoder()
    for await (const part of reply.body) {
      // The time in which the reader of the text pauses is not the server's.
      clearTimeout(timer)
      yield decoder.decode(part, { stream: true })
      timer = wait()
    }
    yield decoder.decode()
  } catch (error) {
    throw error instanceof CommandFailure ? error : unreachable(server, error, proxy)
  } finally {
    clearTimeout(timer)
    controller.abort()
  }
}

/** @throws CommandFailure if the response is a problem, or not one of this API */
async function requireType(
  server: string,
  reply: ArrivingReply,
  type: Wanted['type'],
): Promise<void> {
  const { ok, status, headers } = reply
  if (status >= 300 && status < 400) throw redirected(server, headers.get('location'))
  const found = headers.get('content-type')?.split(';')[0]
  if (ok && found === type) return
  if (!/^application\/(?:problem\+)?json$/.test(found ?? '')) throw notOurs(server, reply)
  succeeded({ error: await problemIn(reply), response: reply })
  throw strange()
}

/** The problem in a response; undefined if it is not JSON or does not arrive. */
async function problemIn(reply: ArrivingReply): Promise<unknown> {
  try {
    return JSON.parse(await textOf(reply))
  } catch {
    return undefined
  }
}

/** Calls of the api in one line. */
import type { Problem } from '@homing/openapi'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { expect } from 'vitest'
import { listedOperations } from './contract-table.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export interface CallOptions {
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: unknown
  /** The address that the call comes from. */
  readonly ip?: string
}

export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>
  readonly text: string
  /** The body as JSON, of the type that the test expects. */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters
  json<T>(): T
}

/** The credential of a call: the token of a session, or an API key. */
export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

/** The URLs of event streams, which do not end by themselves. */
const STREAM_URLS = new Set(
  listedOperations.filter(({ success }) => success.events !== undefined).map(({ url }) => url),
)

/** Opens an event stream, hangs up at once, and answers with what came until then. */
async function callStream(app: FastifyInstance, options: InjectOptions): Promise<Reply> {
  const answer = await app.inject({ ...options, payloadAsStream: true })
  const { raw, headers, statusCode: status } = answer
  const body = answer.stream()
  let text = ''
  // A problem document ends by itself.
  if (status === 200) {
    text = String(body.read() ?? '')
    raw.res.destroy()
  } else for await (const part of body) text += String(part)
  // oxlint-disable-next-line typescript/no-unsafe-return
  return { status, headers, text, json: () => JSON.parse(text) }
}

/** Calls the api. A body that is not a string is sent as JSON. */
export async function call(
  app: FastifyInstance,
  method: Method,
  url: string,
  { headers, body, ip }: CallOptions = {},
): Promise<Reply> {
  const options: InjectOptions = {
    method,
    url,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined
      ? {}
      : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    ...(ip === undefined ? {} : { remoteAddress: ip }),
  }
  if (STREAM_URLS.has(url.replace(/\?.*/s, ''))) return callStream(app, options)
  const answer = await app.inject(options)
  return {
    status: answer.statusCode,
    headers: answer.headers,
    text: answer.body,
    json: () => answer.json(),
  }
}

/** The problem document of a response, after checking its form. */
export function problemOf(reply: Reply): Problem {
  expect(reply.headers['content-type']).toBe('application/problem+json; charset=utf-8')
  const problem = reply.json<Problem>()
  expect(problem.status).toBe(reply.status)
  expect(problem.message).toBe(problem.detail)
  expect(problem.type).toBe(`urn:homing:problem:${problem.code}`)
  expect(problem.requestId).toMatch(/^[\w-]+$/)
  return problem
}

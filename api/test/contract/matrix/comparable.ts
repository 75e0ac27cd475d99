/** Answers as they are compared: what two calls are told alike, whatever they name. */
import { problemOf, type Reply } from '../../support/calls.ts'
import type { Belongings } from './belongings.ts'

/** The code of a problem, or the status of any other response. */
export const outcomeOf = (reply: Reply) =>
  reply.status < 400 ? reply.status : problemOf(reply).code

/** Keys of an answer, however deep: what a success looks like without what it says. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf)
  if (typeof value !== 'object' || value === null) return typeof value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shapeOf(each)]))
}

/** An answer without what differs between any two calls, and with the same word for what the calls named. */
export function comparable(reply: Reply, its: Belongings): unknown {
  const { status, headers } = reply
  const names = Object.keys(headers).filter((name) => name !== 'content-length')
  if (status < 400) {
    const isJson = String(headers['content-type']).startsWith('application/json')
    return { status, names, shape: isJson ? shapeOf(reply.json()) : reply.text }
  }
  const { requestId: _, ...problem } = problemOf(reply)
  let text = JSON.stringify(problem)
  for (const value of Object.values<string>({ ...its })) text = text.replaceAll(value, '…')
  return { status, names, text }
}

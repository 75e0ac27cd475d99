/** Responses in a form that can be compared: two refusals must be equal, whatever the calls name. */
import { problemOf, type Reply } from '../../support/calls.ts'
import type { Belongings } from './belongings.ts'

/** The code of a problem, of a batch that of its first refused line, or the status of any other response. */
export function outcomeOf(reply: Reply) {
  if (reply.status < 400) return reply.status
  const { code, verdicts = [] } = problemOf(reply)
  return verdicts.find(({ ok }) => !ok)?.code ?? code
}

/** The keys of a response at any depth: the form of a success without its values. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf)
  if (typeof value !== 'object' || value === null) return typeof value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shapeOf(each)]))
}

/**
 * A response without the parts that differ between any two calls, and with one word for everything that the calls
 * named.
 */
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

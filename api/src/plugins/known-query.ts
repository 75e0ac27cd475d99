/**
 * Refuses query parameters that an operation does not have, so that a call never does something other than intended.
 */
import { acceptedQuery, type Operation } from '@homing/openapi'
import { invalid } from '../rules/errors.ts'

/** Names that a message repeats. Others could be of any length, or contain anything. */
const PLAIN_NAME = /^[\w.-]{1,64}$/
/** Maximum number of unknown parameters that a message names. */
const TOLD_LIMIT = 10

/** @throws Refusal `validation-failed` that names each unknown parameter and the accepted ones */
export function requireKnownQuery(operation: Operation, query: unknown): void {
  const accepted = acceptedQuery(operation)
  if (accepted === undefined || typeof query !== 'object' || query === null) return
  const unknown = Object.keys(query).filter((name) => !accepted.includes(name))
  if (unknown.length === 0) return
  const remedy =
    accepted.length === 0
      ? 'This call has no query parameters. Remove it.'
      : `Expected any of: ${accepted.join(', ')}.`
  const faults = unknown.slice(0, TOLD_LIMIT).map((name) => {
    const isPlain = PLAIN_NAME.test(name)
    const subject = isPlain ? name : 'One of the parameters'
    return {
      field: isPlain ? name : 'query',
      message: `${subject} is not a query parameter of this call. ${remedy}`,
    }
  })
  throw invalid(...faults)
}

/**
 * The statuses with which a monitored target counts as up: numbers and ranges with commas between them, such as
 * `200-399` or `200,401`. The stored form has no spaces and is in the owner's order.
 */
import { invalid } from './errors.ts'

/** Statuses from `first` to `last`, both included. */
export interface StatusRange {
  readonly first: number
  readonly last: number
}

const FIRST_STATUS = 100
const LAST_STATUS = 599
const PART = /^([1-5]\d\d)(?:-([1-5]\d\d))?$/

const EXPECTED = `Write numbers from ${FIRST_STATUS} to ${LAST_STATUS}, or ranges of them, with commas between them, such as 200-399 or 200,401.`

const partsOf = (text: string) => text.replaceAll(/\s+/g, '').split(',')

function rangeOf(part: string): StatusRange | undefined {
  const [, first, last = first] = PART.exec(part) ?? []
  if (first === undefined || last === undefined || Number(first) > Number(last)) return undefined
  return { first: Number(first), last: Number(last) }
}

/**
 * Reads what an owner wrote.
 *
 * @returns the form to store
 * @throws Refusal `validation-failed`
 */
export function parseExpectedStatus(text: string): string {
  const parts = partsOf(text)
  const wrong = parts.find((part) => rangeOf(part) === undefined)
  if (wrong === undefined) return parts.join(',')
  const message =
    wrong === ''
      ? `expected_status has an empty part. ${EXPECTED}`
      : `expected_status contains “${wrong.slice(0, 20)}”, which is not a status or a range of statuses. ${EXPECTED}`
  throw invalid({ field: 'expected_status', message })
}

/** Whether a target that answers with this status is up. @param stored as `parseExpectedStatus` returns it */
export function expectsStatus(stored: string, status: number): boolean {
  return partsOf(stored)
    .map(rangeOf)
    .some((range) => range !== undefined && status >= range.first && status <= range.last)
}

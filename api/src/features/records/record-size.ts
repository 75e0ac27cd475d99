/** Refuses changes with which the values of an account's records would take too much, and counts what is written. */
import type { Knex } from 'knex'
import { valuesSize } from '../../feed/record-terms.ts'
import { tooMany } from '../../limits/require-allowance.ts'
import type { RateLimits } from '../../limits/rate-limits.ts'
import { isLong, LONG_CHARACTERS, sizeOf, sizeRefusal } from '../../rules/records-size.ts'
import type { RecordLine } from './record-line.ts'

/** Refuses the long records with which the account would exceed the total. The transaction holds the account. */
export async function refuseBeyondSize(
  trx: Knex.Transaction,
  userId: string,
  lines: readonly RecordLine[],
): Promise<void> {
  const due = lines.filter((line) => line.isAllowed && line.isDue)
  const growing = due.filter(({ before, after }) => sizeOf(after?.values) > sizeOf(before?.rdata))
  const long = growing.filter(({ after }) => isLong(after?.values))
  if (long.length === 0) return
  const grows = due.reduce(
    (size, { before, after }) => size + sizeOf(after?.values) - sizeOf(before?.rdata),
    0,
  )
  const refusal = sizeRefusal((await valuesSize(trx, userId)) + grows)
  if (refusal === undefined) return
  for (const line of long) line.refuse(refusal)
}

interface SizeLimit {
  readonly rateLimits: RateLimits
}

const ALLOWANCE = 'record-size-account'
const KIB = 1_024

/** @throws Refusal `rate-limited` for an account that wrote too much */
export function requireSizeAllowance({ rateLimits }: SizeLimit, userId: string): void {
  const retryAfterSeconds = rateLimits.refusedFor(ALLOWANCE, userId)
  if (retryAfterSeconds !== undefined) throw tooMany(retryAfterSeconds)
}

/** Counts what was written: the history has the values before and after. The next call is refused beyond the limit. */
export async function countSize(
  { rateLimits }: SizeLimit,
  userId: string,
  lines: readonly RecordLine[],
): Promise<void> {
  const size = lines
    .filter((line) => line.isDue)
    .reduce((sum, { before, after }) => sum + sizeOf(before?.rdata) + sizeOf(after?.values), 0)
  if (size > LONG_CHARACTERS) await rateLimits.take(ALLOWANCE, userId, 1, Math.ceil(size / KIB))
}

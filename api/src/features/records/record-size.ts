/**
 * How much the values of records may take. Most records are short, and the plan limits their number. Records of 64 KiB
 * would fill the memory of the name servers, and their history the disk.
 */
import type { Knex } from 'knex'
import { query } from '../../database/sql.ts'
import { tooMany } from '../../limits/require-allowance.ts'
import type { RateLimits } from '../../limits/rate-limits.ts'
import { Refusal } from '../../rules/errors.ts'
import type { RecordLine } from './record-line.ts'

const KIB = 1_024
/** For all records of an account, in characters. A file of 10,000 short records has a tenth of it. */
const TOTAL_LIMIT_MIB = 16
/** The number of records limits how much shorter ones take. */
const LONG_CHARACTERS = KIB

const sizeOf = (values: readonly string[] = []) =>
  values.reduce((size, value) => size + value.length, 0)

const SIZE = `
  select coalesce(sum(char_length(array_to_string(rdata, ''))), 0)::int as size from records where user_id = ?`

/** Refuses the long records with which the account would exceed the total. The transaction holds the account. */
export async function refuseBeyondSize(
  trx: Knex.Transaction,
  userId: string,
  lines: readonly RecordLine[],
): Promise<void> {
  const due = lines.filter((line) => line.isAllowed && line.isDue)
  const growing = due.filter(({ before, after }) => sizeOf(after?.values) > sizeOf(before?.rdata))
  const long = growing.filter(({ after }) => sizeOf(after?.values) > LONG_CHARACTERS)
  if (long.length === 0) return
  const [row] = await query<{ size: number }>(trx, SIZE, [userId], 'record-size')
  const grows = due.reduce(
    (size, { before, after }) => size + sizeOf(after?.values) - sizeOf(before?.rdata),
    0,
  )
  if ((row?.size ?? 0) + grows <= TOTAL_LIMIT_MIB * KIB * KIB) return
  const message = `The values of your records would take more than ${TOTAL_LIMIT_MIB} MiB, which is the maximum. Use shorter values, or delete some records.`
  for (const line of long) line.refuse(new Refusal('record-limit', message))
}

interface SizeLimit {
  readonly rateLimits: RateLimits
}

const ALLOWANCE = 'record-size-account'

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

/**
 * How much the values of records may take. Most records are short, and the plan limits their number. Records of 64 KiB
 * would fill the memory of the name servers, and their history the disk.
 */
import { Refusal } from './errors.ts'

/** For all records of an account, in characters. A file of 10,000 short records has a tenth of it. */
const TOTAL_LIMIT_MIB = 16
/** The number of records limits how much shorter ones take. */
export const LONG_CHARACTERS = 1_024

/** The characters of some values. */
export const sizeOf = (values: readonly string[] = []): number =>
  values.reduce((size, value) => size + value.length, 0)

export const isLong = (values: readonly string[] = []): boolean => sizeOf(values) > LONG_CHARACTERS

/** Why the values of an account cannot take so many characters; undefined: they can. */
export function sizeRefusal(characters: number): Refusal<'record-limit'> | undefined {
  if (characters <= TOTAL_LIMIT_MIB * 1_048_576) return undefined
  return new Refusal(
    'record-limit',
    `The values of your records would take more than ${TOTAL_LIMIT_MIB} MiB, which is the maximum. Use shorter values, or delete some records.`,
  )
}

import { DatabaseError } from 'pg'

/** Errors of JavaScript that say that a value is wrong. */
const OF_VALUES = [TypeError, RangeError, SyntaxError]

/**
 * Whether a statement failed because of the data that it was given, so that it would fail again: SQLSTATE classes 22
 * (data), 23 (constraint) and 54 (too large), or an error of this program before it reached the database.
 */
export function isBadData(error: unknown): boolean {
  if (error instanceof DatabaseError) return /^(22|23|54)/.test(error.code ?? '')
  return OF_VALUES.some((type) => error instanceof type)
}

/**
 * Codes on paper for whoever lost the second factor: ten, each good once. They are 140 random bits, so
 * their SHA-256 is enough to keep; the letters are those of Crockford's base 32, which leaves out I, L,
 * O and U, and what is typed is read forgivingly.
 */
import type { Knex } from 'knex'
import { digestOf } from '../domain/secrets.ts'
import type { Services } from '../services.ts'
import { query } from '../sql.ts'

const CODES = 10
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** Of five bits each. */
const CODE_LETTERS = 28
const GROUP_LETTERS = 7

function newCode(randomBytes: (count: number) => Buffer): string {
  // 256 is a multiple of 32, so every letter is equally likely.
  const letters = [...randomBytes(CODE_LETTERS)].map((octet) => LETTERS.charAt(octet % 32))
  return Array.from({ length: CODE_LETTERS / GROUP_LETTERS }, (_, n) =>
    letters.slice(n * GROUP_LETTERS, (n + 1) * GROUP_LETTERS).join(''),
  ).join('-')
}

/** A code as it was made, whatever case, hyphens and look-alikes somebody typed. */
const plainCode = (text: string) =>
  text.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1')

/**
 * Makes an account's codes anew; the old ones are worth nothing from then on.
 *
 * @param trx with the account locked
 * @returns the codes, which nobody can read again
 */
export async function makeRecoveryCodes(
  { now, randomBytes }: Pick<Services, 'now' | 'randomBytes'>,
  trx: Knex.Transaction,
  userId: string,
): Promise<string[]> {
  const codes = Array.from({ length: CODES }, () => newCode(randomBytes))
  await query(trx, 'delete from recovery_codes where user_id = ?', [userId])
  await query(
    trx,
    `insert into recovery_codes (user_id, code_digest, created_at)
     select ?, decode(digest, 'hex'), ? from unnest(?::text[]) as digest`,
    [userId, now(), codes.map((code) => digestOf(plainCode(code)))],
  )
  return codes
}

/** Uses a code up. Of many at once with one code one succeeds. @returns whether it was right */
export async function useRecoveryCode(
  { now }: Pick<Services, 'now'>,
  trx: Knex.Transaction,
  userId: string,
  code: string,
): Promise<boolean> {
  const used = await query(
    trx,
    `update recovery_codes set used_at = ?
     where user_id = ? and code_digest = decode(?, 'hex') and used_at is null returning 1`,
    [now(), userId, digestOf(plainCode(code))],
  )
  return used.length > 0
}

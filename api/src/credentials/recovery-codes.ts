/**
 * Recovery codes for users who lost their second factor: ten codes, each single use. They have 140
 * random bits, so storing their SHA-256 is safe. The letters are those of Crockford's base 32, which
 * omits I, L, O and U; input is read tolerantly.
 */
import type { Knex } from 'knex'
import { digestBytes } from '../rules/secrets.ts'
import { RecoveryCode } from '../models/recovery-code.ts'
import type { CredentialServices } from './services.ts'

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

/** Normalizes a typed code: upper case, without spaces and hyphens, look-alikes replaced. */
const plainCode = (text: string) =>
  text.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1')

/**
 * Creates new codes for an account; the old ones become invalid.
 *
 * @param trx with the account locked
 * @returns the codes, which cannot be read again
 */
export async function makeRecoveryCodes(
  { now, randomBytes }: Pick<CredentialServices, 'now' | 'randomBytes'>,
  trx: Knex.Transaction,
  userId: string,
): Promise<string[]> {
  const codes = Array.from({ length: CODES }, () => newCode(randomBytes))
  await RecoveryCode.query(trx).delete().modify('ownedBy', userId)
  const created_at = now()
  await RecoveryCode.query(trx).insert(
    codes.map((code) => ({
      user_id: userId,
      code_digest: digestBytes(plainCode(code)),
      created_at,
    })),
  )
  return codes
}

/** Uses a code up. Of several concurrent calls with one code, one succeeds. @returns whether it was right */
export async function useRecoveryCode(
  { now }: Pick<CredentialServices, 'now'>,
  trx: Knex.Transaction,
  userId: string,
  code: string,
): Promise<boolean> {
  const used = await RecoveryCode.query(trx)
    .patch({ used_at: now() })
    .modify('ownedBy', userId)
    .modify('unused')
    .where('code_digest', digestBytes(plainCode(code)))
  return used > 0
}

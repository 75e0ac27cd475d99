/**
 * One-time codes of an authenticator (RFC 6238): six digits, every 30 seconds, SHA-1, which every
 * authenticator app supports. The clock is the server's.
 */
import type { Knex } from 'knex'
import { Secret, TOTP } from 'otpauth'
import { Refusal } from '../rules/errors.ts'
import { TotpSecret } from '../models/totp-secret.ts'
import { decryptSecret, encryptSecret } from './encrypted-secret.ts'
import type { CredentialServices } from './services.ts'

/** 160 bits, as RFC 4226 §4 recommends for SHA-1. */
const SECRET_OCTETS = 20
/** Steps that a clock may be off, or a person late, in either direction (RFC 6238 §5.2). */
const WINDOW_STEPS = 1

const generatorOf = (secret: Buffer, label: { issuer?: string; label?: string } = {}) =>
  new TOTP({ ...label, secret: new Secret({ buffer: Uint8Array.from(secret).buffer }) })

/** Where the secret of an account's authenticator is stored. */
export const totpPlace = (userId: string) => ({ purpose: 'totp', row: userId }) as const

/** The data for a new authenticator. */
export interface NewTotpSecret {
  /** Base32, for manual entry. */
  readonly secret: string
  /** The secret with issuer and account, for the QR code. */
  readonly uri: string
}

/**
 * Creates an authenticator. Sign-in does not require it until its first code was right. An unconfirmed authenticator is
 * replaced.
 *
 * @param trx with the account locked, and no authenticator on
 */
export async function beginTotp(
  { config, now, randomBytes }: Pick<CredentialServices, 'config' | 'now' | 'randomBytes'>,
  trx: Knex.Transaction,
  { userId, username }: { readonly userId: string; readonly username: string },
): Promise<NewTotpSecret> {
  const secret = randomBytes(SECRET_OCTETS)
  const encrypted = encryptSecret(config.secretKey, totpPlace(userId), secret, randomBytes)
  await TotpSecret.query(trx).deleteById(userId).modify('begun')
  await TotpSecret.query(trx).insert({
    user_id: userId,
    sealed_secret: encrypted,
    created_at: now(),
  })
  const generator = generatorOf(secret, { issuer: config.productName, label: username })
  return { secret: generator.secret.base32, uri: generator.toString() }
}

/**
 * @throws Refusal `unavailable` when decryption fails: the operator must set `SECRET_KEY_PREVIOUS` to the key that
 * encrypted it.
 */
function readSecret(
  { config, log }: Pick<CredentialServices, 'config' | 'log'>,
  userId: string,
  encrypted: string,
): Buffer {
  try {
    return decryptSecret(config, totpPlace(userId), encrypted)
  } catch (error) {
    log.error({ err: error, userId }, 'the codes of an authenticator app cannot be checked')
    throw new Refusal(
      'unavailable',
      'The service cannot check codes of your authenticator app at the moment. Use a recovery code or a passkey, or contact the operator.',
    )
  }
}

/** Which authenticator a code is for: the active one, or the unconfirmed one. */
type TotpStanding = 'on' | 'begun'

/**
 * Uses a code up, if it is right: at most one step away, and later than every code that was accepted
 * before. The row stays locked until commit: of several calls with one code one succeeds, and no worker
 * can re-encrypt the secret with another `SECRET_KEY` meanwhile.
 *
 * @returns whether it was right
 * @throws Refusal `unavailable` when the secret cannot be read
 */
export async function useTotpCode(
  { config, log, now }: Pick<CredentialServices, 'config' | 'log' | 'now'>,
  trx: Knex.Transaction,
  userId: string,
  code: string,
  standing: TotpStanding = 'on',
): Promise<boolean> {
  const totp = await TotpSecret.query(trx).findById(userId).modify(standing).forUpdate()
  if (totp === undefined) return false
  const generator = generatorOf(readSecret({ config, log }, userId, totp.sealed_secret))
  const timestamp = now().getTime()
  const steps = generator.validate({ token: code, timestamp, window: WINDOW_STEPS })
  if (steps === null) return false
  const step = generator.counter({ timestamp }) + steps
  if (step <= Number(totp.last_step ?? -1)) return false
  await totp
    .$query(trx)
    .patch({ last_step: String(step), confirmed_at: totp.confirmed_at ?? now() })
  return true
}

/** Removes the authenticator. @returns its former state; undefined if the account had no authenticator */
export async function endTotp(
  trx: Knex.Transaction,
  userId: string,
): Promise<TotpStanding | undefined> {
  const [ended] = await TotpSecret.query(trx)
    .delete()
    .modify('ownedBy', userId)
    .returning('confirmed_at')
  if (ended === undefined) return undefined
  return ended.confirmed_at === null ? 'begun' : 'on'
}

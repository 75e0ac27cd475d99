/** A passkey that somebody shows: whose it is, whether the signature is right, and noting its use. */
import type { PasskeyAssertion } from '@homing/openapi'
import type { Knex } from 'knex'
import { Refusal } from '../../domain/errors.ts'
import type { Services } from '../../services.ts'
import { query } from '../../sql.ts'
import { type Assertion, challengeOf, checkAssertion, type KnownCredential } from './ceremony.ts'
import { type ChallengeUse, takeChallenge } from './challenges.ts'

interface FoundPasskey extends KnownCredential {
  readonly id: string
  readonly name: string
  readonly user_id: string
  readonly credential_version: number
  readonly passkey_handle: Buffer
}

/** A passkey whose signature is right. Its use is not noted yet. */
export interface ShownPasskey {
  readonly passkey: FoundPasskey
  readonly assertion: Assertion
}

async function findPasskey(knex: Knex, credentialId: string): Promise<FoundPasskey | undefined> {
  const [found] = await query<FoundPasskey>(
    knex,
    `select p.id, p.name, p.user_id, p.credential_id, p.public_key, p.is_synced,
            u.credential_version, u.passkey_handle
     from passkeys p join users u on u.id = p.user_id where p.credential_id = decode(?, 'hex')`,
    [Buffer.from(credentialId, 'base64url').toString('hex')],
  )
  return found
}

/** What is asked of a passkey. */
export interface Demand {
  readonly use: ChallengeUse
  /** Whose it has to be; undefined: it says so itself. */
  readonly userId?: string
}

/**
 * Looks at a passkey that somebody shows, and uses its challenge up.
 *
 * @returns undefined for whatever is not right: which it is, is nobody's business
 */
export async function readShown(
  services: Services,
  credential: PasskeyAssertion,
  { use, userId }: Demand,
): Promise<ShownPasskey | undefined> {
  const challenge = challengeOf(credential.response.clientDataJSON)
  if (challenge === undefined || !(await takeChallenge(services, challenge, use))) return undefined
  const passkey = await findPasskey(services.knex, credential.id)
  if (passkey === undefined || (userId ?? passkey.user_id) !== passkey.user_id) return undefined
  // WebAuthn §7.2, step 6: where nobody was named, the passkey names its owner.
  const { userHandle } = credential.response
  const isNamed = userHandle === passkey.passkey_handle.toString('base64url')
  if (!isNamed && (userId === undefined || (userHandle ?? '') !== '')) return undefined
  const isAlone = userId === undefined
  const assertion = await checkAssertion(services, challenge, credential, passkey, isAlone)
  return assertion && { passkey, assertion }
}

const COPIED =
  'This passkey has signed more often elsewhere, so there may be a copy of it. Sign in another way and remove it.'

/** The authenticator has counted less than it did before (WebAuthn §6.1.1). */
export class CopiedPasskey extends Refusal<'wrong-credentials'> {
  constructor() {
    super('wrong-credentials', COPIED)
    this.name = 'CopiedPasskey'
  }
}

/**
 * Notes that a passkey was used. The count has to rise, unless the authenticator does not count; the row
 * decides between two uses at the same moment.
 *
 * @returns whether it is still there
 * @throws CopiedPasskey
 */
export async function noteUse(
  trx: Knex.Transaction,
  { passkey, assertion: { signCount, isBackedUp } }: ShownPasskey,
  at: Date,
): Promise<boolean> {
  const noted = await query(
    trx,
    `update passkeys set sign_count = ?, is_backed_up = ?, last_used_at = ?
     where id = ? and (sign_count < ? or (sign_count = 0 and ? = 0)) returning 1`,
    [signCount, isBackedUp, at, passkey.id, signCount, signCount],
  )
  if (noted.length > 0) return true
  const left = await query(trx, 'select 1 from passkeys where id = ?', [passkey.id])
  if (left.length > 0) throw new CopiedPasskey()
  return false
}

/** Tells the owner that a passkey was refused for its count, unless that was told often already. */
export async function tellOfCopy(
  { knex, jobs, rateLimits, now }: Services,
  { passkey }: ShownPasskey,
): Promise<void> {
  if ((await rateLimits.take('passkey-notice', passkey.id)) !== undefined) return
  const notice = { event: 'copied', name: passkey.name, at: now().toISOString() } as const
  const job = { kind: 'passkey', userId: passkey.user_id, ...notice } as const
  await knex.transaction((trx) => jobs.enqueue(trx, 'mail', job))
}

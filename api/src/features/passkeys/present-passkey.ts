/** Checks a passkey at a sign-in or confirmation: finds its owner, verifies the signature, and records the use. */
import type { PasskeyAssertion } from '@homing/openapi'
import type { Knex } from 'knex'
import { Refusal } from '../../rules/errors.ts'
import { Passkey } from '../../models/passkey.ts'
import type { Row } from '../../models/table.ts'
import type { User } from '../../models/user.ts'
import type { Services } from '../../compose.ts'
import { type Assertion, challengeOf, checkAssertion, type KnownCredential } from './ceremony.ts'
import { type ChallengeUse, takeChallenge } from './challenges.ts'

/** A passkey with the data that identifies its account. */
type FoundPasskey = KnownCredential &
  Pick<Row<typeof Passkey>, 'id' | 'name' | 'user_id'> &
  Pick<Row<typeof User>, 'credential_version'> & {
    readonly passkey_handle: Buffer
  }

/** A passkey with a valid signature. Its use is not recorded yet. */
export interface ShownPasskey {
  readonly passkey: FoundPasskey
  readonly assertion: Assertion
}

async function findPasskey(knex: Knex, credentialId: string): Promise<FoundPasskey | undefined> {
  const [found] = await Passkey.query(knex)
    .joinRelated('account')
    .select('passkeys.*', 'account.credential_version', 'account.passkey_handle')
    .where('passkeys.credential_id', Buffer.from(credentialId, 'base64url'))
    .toKnexQuery<FoundPasskey>()
  return found
}

/** The requirements for a passkey. */
export interface Demand {
  readonly use: ChallengeUse
  /** The account that must own the passkey; undefined when the passkey names its owner. */
  readonly userId?: string
}

/**
 * Verifies a passkey, and uses up its challenge.
 *
 * @returns undefined when anything is invalid: the caller must not learn what
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
  // WebAuthn §7.2, step 6: when no user was named, the passkey names its owner.
  const { userHandle } = credential.response
  const isNamed = userHandle === passkey.passkey_handle.toString('base64url')
  if (!isNamed && (userId === undefined || (userHandle ?? '') !== '')) return undefined
  const isAlone = userId === undefined
  const assertion = await checkAssertion(services, challenge, credential, passkey, isAlone)
  return assertion && { passkey, assertion }
}

const COPIED =
  'A copy of this passkey may exist: its signature counter went back. Use another sign-in method and remove the passkey.'

/** The authenticator's counter is lower than before (WebAuthn §6.1.1). */
export class CopiedPasskey extends Refusal<'wrong-credentials'> {
  constructor() {
    super('wrong-credentials', COPIED)
    this.name = 'CopiedPasskey'
  }
}

/**
 * Records the use of a passkey. The counter must increase, unless the authenticator does not count; the
 * row lock decides between two concurrent uses.
 *
 * @returns whether the passkey still exists
 * @throws CopiedPasskey
 */
export async function noteUse(
  trx: Knex.Transaction,
  { passkey, assertion: { signCount, isBackedUp } }: ShownPasskey,
  at: Date,
): Promise<boolean> {
  const noted = await Passkey.query(trx)
    .findById(passkey.id)
    .patch({ sign_count: String(signCount), is_backed_up: isBackedUp, last_used_at: at })
    .where((either) => {
      either.where('sign_count', '<', signCount)
      if (signCount === 0) either.orWhere('sign_count', 0)
    })
  if (noted > 0) return true
  if (await Passkey.query(trx).findById(passkey.id).select('id')) throw new CopiedPasskey()
  return false
}

/** Notifies the owner that a passkey was refused because of its counter, within a rate limit. */
export async function tellOfCopy(
  { knex, jobs, rateLimits, now }: Services,
  { passkey }: ShownPasskey,
): Promise<void> {
  if ((await rateLimits.take('passkey-notice', passkey.id)) !== undefined) return
  const notice = { event: 'copied', name: passkey.name, at: now().toISOString() } as const
  const job = { kind: 'passkey', userId: passkey.user_id, ...notice } as const
  await knex.transaction((trx) => jobs.enqueue(trx, 'mail', job))
}

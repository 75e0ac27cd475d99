/** A passkey that somebody shows: whose it is, whether the signature is right, and noting its use. */
import type { PasskeyAssertion } from '@homing/openapi'
import type { Knex } from 'knex'
import { Refusal } from '../../rules/errors.ts'
import { Passkey } from '../../models/passkey.ts'
import type { Row } from '../../models/table.ts'
import type { User } from '../../models/user.ts'
import type { Services } from '../../compose.ts'
import { type Assertion, challengeOf, checkAssertion, type KnownCredential } from './ceremony.ts'
import { type ChallengeUse, takeChallenge } from './challenges.ts'

/** A passkey with what its account is known by. */
type FoundPasskey = KnownCredential &
  Pick<Row<typeof Passkey>, 'id' | 'name' | 'user_id'> &
  Pick<Row<typeof User>, 'credential_version'> & {
    readonly passkey_handle: Buffer
  }

/** A passkey whose signature is right. Its use is not noted yet. */
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
  'A copy of this passkey may exist: its signature counter went back. Use another sign-in method and remove the passkey.'

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

/**
 * Completes a sign-in, after the caller has given every proof that the account requires. From here
 * on password, second factor and passkey are the same: one session with a new token, one entry in
 * the history, one mail when the device is new.
 */
import type { SignInMethod } from '@homing/openapi'
import type { Knex } from 'knex'
import { raw } from 'objection'
import { Refusal } from '../rules/errors.ts'
import type { Row } from '../models/table.ts'
import { User } from '../models/user.ts'
import type { RequestSource } from '../caller/request-source.ts'
import { requireUsable } from './account-row.ts'
import { writeLogin } from './login-history.ts'
import { beginSession } from './session.ts'
import type { CredentialServices } from './services.ts'

const NOT_VERIFIED = 'Please verify your email address before logging in.'

/** An account whose owner has proved their identity, and the version of its credentials for which the proof is valid. */
export interface ProvenAccount {
  readonly userId: string
  readonly credentialVersion: number
}

/** An account that somebody signs in to, or tries to, and the method. */
export type SignIn<Account = ProvenAccount> = Account & { readonly method: SignInMethod }

const SIGNED_IN = ['id', 'username', 'email', 'account_type', 'given_name', 'surname'] as const

export type SignedInUser = Pick<Row<typeof User>, (typeof SIGNED_IN)[number]>

/** A subquery of `returning` reads the row as it was before the statement. */
const WAS_TO_BE_DELETED = `
  (select former.deletion_due_at is not null from users former where former.id = users.id)
  as was_to_be_deleted`

export interface BegunSession {
  readonly user: SignedInUser
  /** The account was to be deleted. Signing in cancelled that. */
  readonly isDeletionCancelled: boolean
  readonly token: string
  readonly createdAt: Date
}

/**
 * Begins a session. Signing in cancels a scheduled deletion of the account. An account whose deletion
 * is due cannot sign in, even while its domains are still being deleted.
 *
 * @param settle uses up single-use proofs: in the same transaction, with the account locked, so that
 * of two calls one succeeds; an error rolls everything back
 * @returns undefined when the account's credentials changed after they were verified
 * @throws Refusal `email-not-verified`, `account-disabled`
 */
export async function completeSignIn(
  services: CredentialServices,
  { method, ...proven }: SignIn,
  { ip, userAgent: client }: RequestSource,
  settle?: (trx: Knex.Transaction) => Promise<void>,
): Promise<BegunSession | undefined> {
  const cc = await services.countryOf(ip)
  const at = services.now()
  return services.knex.transaction(async (trx) => {
    const [user] = await User.query(trx)
      .patch({
        last_login: at,
        last_login_ip: ip,
        last_login_cc: cc,
        deletion_due_at: null,
        registration_digest: null,
      })
      .where({ id: proven.userId, credential_version: proven.credentialVersion })
      .modify(['verified', 'notBlocked'])
      .modify('notGone', at)
      .returning([...SIGNED_IN, raw(WAS_TO_BE_DELETED)])
      .castTo<(User & { readonly was_to_be_deleted: boolean })[]>()
    if (user === undefined) {
      await maySignIn(trx, proven, at)
      return undefined
    }
    await settle?.(trx)
    if (user.was_to_be_deleted) await services.accountReturned(trx, user.id, at)
    const login = { userId: user.id, at, ip, cc, client }
    const { isNews } = await writeLogin(trx, { ...login, method })
    if (isNews) {
      const job = { ...login, at: at.toISOString() }
      await services.jobs.enqueue(trx, 'mail', { kind: 'new-device', ...job })
    }
    const session = { userId: user.id, ip, userAgent: client }
    const isDeletionCancelled = user.was_to_be_deleted
    return { user, isDeletionCancelled, ...(await beginSession(services, trx, session)) }
  })
}

/** Records a failed sign-in in the owner's history. It is written shortly after the response. */
export function noteFailedSignIn(
  { loginHistory, now }: CredentialServices,
  { userId, method }: SignIn<Pick<ProvenAccount, 'userId'>>,
  { ip }: RequestSource,
): void {
  loginHistory.noteFailure({ userId, at: now(), ip, method })
}

/**
 * Checks that an account with valid credentials may sign in.
 *
 * @returns whether the account exists at that time, with unchanged credentials
 * @throws Refusal `email-not-verified`, `account-disabled`
 */
export async function maySignIn(
  knex: Knex,
  { userId, credentialVersion }: ProvenAccount,
  at: Date,
): Promise<boolean> {
  const account = await User.query(knex)
    .findOne({ id: userId, credential_version: credentialVersion })
    .select('enabled', 'account_type', 'email_verified_at', 'deletion_due_at')
  if (account === undefined) return false
  if (account.email_verified_at === null) throw new Refusal('email-not-verified', NOT_VERIFIED)
  requireUsable(account)
  // After that time the deletion cannot be cancelled.
  return account.deletion_due_at === null || account.deletion_due_at > at
}

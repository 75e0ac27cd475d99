/**
 * The end of every way to sign in: whoever calls has proved who they are, with all that the account
 * asks for. From here on password, second factor and passkey are the same: one session with a new
 * token, one line in the history, one mail when the device is a new one.
 */
import type { SignInMethod } from '@homing/openapi'
import type { Knex } from 'knex'
import { Refusal } from '../rules/errors.ts'
import type { Row } from '../models/table.ts'
import { User } from '../models/user.ts'
import type { RequestSource } from '../caller/request-source.ts'
import { requireUsable } from './account-row.ts'
import { writeLogin } from './login-history.ts'
import { beginSession } from './session.ts'
import type { CredentialServices } from './services.ts'

const NOT_VERIFIED = 'Please verify your email address before logging in.'

/** An account that somebody proved to be theirs, and the version of its credentials that this holds for. */
export interface ProvenAccount {
  readonly userId: string
  readonly credentialVersion: number
}

/** What somebody signs in to, or tries to, and how. */
export type SignIn<Account = ProvenAccount> = Account & { readonly method: SignInMethod }

const SIGNED_IN = ['id', 'username', 'email', 'account_type', 'given_name', 'surname'] as const

export type SignedInUser = Pick<Row<typeof User>, (typeof SIGNED_IN)[number]>

export interface BegunSession {
  readonly user: SignedInUser
  readonly token: string
  readonly createdAt: Date
}

/**
 * Begins a session. Signing in takes back that the account is to be deleted; one whose time is over
 * is gone already, though its names may still be on their way out.
 *
 * @param settle what may be used once only is used up here: in the same transaction, with the account
 * locked, so that of two calls one succeeds; what it throws undoes everything
 * @returns undefined when the account's credentials changed after they were found right
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
      .patch({ last_login: at, last_login_ip: ip, last_login_cc: cc, deletion_due_at: null })
      .where({ id: proven.userId, credential_version: proven.credentialVersion })
      .modify(['verified', 'notBlocked'])
      .modify('notGone', at)
      .returning([...SIGNED_IN])
    if (user === undefined) {
      await maySignIn(trx, proven, at)
      return undefined
    }
    await settle?.(trx)
    const login = { userId: user.id, at, ip, cc, client }
    const { isNews } = await writeLogin(trx, { ...login, method })
    if (isNews) {
      const job = { ...login, at: at.toISOString() }
      await services.jobs.enqueue(trx, 'mail', { kind: 'new-device', ...job })
    }
    const session = { userId: user.id, ip, userAgent: client }
    return { user, ...(await beginSession(services, trx, session)) }
  })
}

/** Puts down for the owner that somebody tried in vain, a moment after the answer. */
export function noteFailedSignIn(
  { loginHistory, now }: CredentialServices,
  { userId, method }: SignIn<Pick<ProvenAccount, 'userId'>>,
  { ip }: RequestSource,
): void {
  loginHistory.noteFailure({ userId, at: now(), ip, method })
}

/**
 * Makes sure that nothing keeps an account that was proved from signing in.
 *
 * @returns whether it is there at that time, with the credentials that it had
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
  // Afterwards nobody can take its deletion back.
  return account.deletion_due_at === null || account.deletion_due_at > at
}

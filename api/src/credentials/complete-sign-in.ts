/**
 * The end of every way to sign in: whoever calls has proved who they are, with all that the account
 * asks for. From here on password, second factor and passkey are the same: one session with a new
 * token, one line in the history, one mail when the device is a new one.
 */
import type { SignedIn, SignInMethod } from '@homing/openapi'
import type { Knex } from 'knex'
import { Refusal } from '../domain/errors.ts'
import type { Standing } from '../domain/plans.ts'
import type { Origin } from '../plugins/origin.ts'
import type { Services } from '../services.ts'
import { query } from '../sql.ts'
import { requireUsable } from './account-row.ts'
import { writeLogin } from './login-history.ts'
import { beginSession } from './session.ts'

const NOT_VERIFIED = 'Please verify your email address before logging in.'

/** An account that somebody proved to be theirs, and the version of its credentials that this holds for. */
export interface ProvenAccount {
  readonly userId: string
  readonly credentialVersion: number
}

/** What somebody signs in to, or tries to, and how. */
export type SignIn<Account = ProvenAccount> = Account & { readonly method: SignInMethod }

export interface SignedInUser {
  readonly id: string
  readonly username: string
  readonly email: string
  readonly account_type: SignedIn['account_type']
  readonly given_name: string | null
  readonly surname: string | null
}

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
  services: Services,
  { method, ...proven }: SignIn,
  { ip, userAgent: client }: Origin,
  settle?: (trx: Knex.Transaction) => Promise<void>,
): Promise<BegunSession | undefined> {
  const cc = await services.countryOf(ip)
  const at = services.now()
  return services.knex.transaction(async (trx) => {
    const [user] = await query<SignedInUser>(
      trx,
      `update users set last_login = ?, last_login_ip = ?, last_login_cc = ?, deletion_due_at = null
       where id = ? and credential_version = ?
         and email_verified_at is not null and enabled and account_type <> 'disabled'
         and (deletion_due_at is null or deletion_due_at > ?)
       returning id, username, email, account_type, given_name, surname`,
      [at, ip, cc, proven.userId, proven.credentialVersion, at],
    )
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
  { loginHistory, now }: Services,
  { userId, method }: SignIn<Pick<ProvenAccount, 'userId'>>,
  { ip }: Origin,
): void {
  loginHistory.noteFailure({ userId, at: now(), ip, method })
}

interface SignInStanding extends Standing {
  readonly is_verified: boolean
  /** The time in which its deletion could be taken back is over. */
  readonly is_gone: boolean
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
  const [standing] = await query<SignInStanding>(
    knex,
    `select enabled, account_type, email_verified_at is not null as is_verified,
            coalesce(deletion_due_at <= ?, false) as is_gone
     from users where id = ? and credential_version = ?`,
    [at, userId, credentialVersion],
  )
  if (standing === undefined) return false
  if (!standing.is_verified) throw new Refusal('email-not-verified', NOT_VERIFIED)
  requireUsable(standing)
  return !standing.is_gone
}

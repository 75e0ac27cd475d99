import type { Credentials, SignedIn } from '@homing/openapi'
import type { Knex } from 'knex'
import { requireUsable } from '../../credentials/account-row.ts'
import { writeLogin } from '../../credentials/login-history.ts'
import {
  authenticatePassword,
  type PasswordClaim,
  type PasswordVerdict,
} from '../../credentials/password.ts'
import { beginSession } from '../../credentials/session.ts'
import { Refusal } from '../../domain/errors.ts'
import { query } from '../../sql.ts'
import type { Origin } from '../../plugins/contract.ts'
import type { Services } from '../../services.ts'
import { tooMany } from '../../integrations/allowance.ts'
import { TEXTS } from './texts.ts'

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
 * Signs in by user name or e-mail address. What keeps an account from signing in is told to
 * whoever has its password, and to nobody else.
 *
 * @throws Refusal `wrong-credentials`, `email-not-verified`, `account-disabled`, `rate-limited`
 */
export async function login(
  services: Services,
  { username_or_email: username, password }: Credentials,
  origin: Origin,
): Promise<BegunSession> {
  const claim = { username, password, ip: origin.ip }
  const session =
    (await beginIfRight(services, claim, origin, false)) ??
    // The password was changed since it was last right.
    (await beginIfRight(services, claim, origin, true))
  if (session === undefined) throw new Refusal('wrong-credentials', TEXTS.wrongCredentials)
  return session
}

/** Undefined when the account's credentials changed after the password was found right. */
async function beginIfRight(
  services: Services,
  claim: PasswordClaim,
  origin: Origin,
  afresh: boolean,
): Promise<BegunSession | undefined> {
  const verdict = await authenticatePassword(services, claim, { afresh })
  if (verdict.kind === 'throttled') throw tooMany(verdict.retryAfterSeconds)
  if (verdict.kind === 'wrong') {
    if (verdict.userId !== undefined) noteFailure(services, verdict.userId, origin)
    throw new Refusal('wrong-credentials', TEXTS.wrongCredentials)
  }
  try {
    return await beginFor(services, verdict, origin)
  } catch (error) {
    if (error instanceof Refusal) noteFailure(services, verdict.userId, origin)
    throw error
  }
}

const noteFailure = ({ loginHistory, now }: Services, userId: string, { ip }: Origin) =>
  loginHistory.noteFailure({ userId, at: now(), ip })

type RightPassword = Extract<PasswordVerdict, { kind: 'account' }>

/**
 * Begins a session. Signing in takes back that the account is to be deleted; one whose time is over
 * is gone already, though its names may still be on their way out.
 *
 * @throws Refusal `email-not-verified`, `account-disabled`
 */
async function beginFor(
  services: Services,
  verdict: RightPassword,
  origin: Origin,
): Promise<BegunSession | undefined> {
  const { ip, userAgent: client } = origin
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
      [at, ip, cc, verdict.userId, verdict.credentialVersion, at],
    )
    if (user === undefined) {
      await explainRefusal(trx, verdict)
      return undefined
    }
    const login = { userId: user.id, at, ip, cc, client }
    const { isKnown } = await writeLogin(trx, login)
    if (!isKnown) {
      const job = { ...login, at: at.toISOString() }
      await services.jobs.enqueue(trx, 'mail', { kind: 'new-device', ...job })
    }
    const session = { userId: user.id, ip, userAgent: client }
    return { user, ...(await beginSession(services, trx, session)) }
  })
}

interface Standing {
  readonly enabled: boolean
  readonly account_type: string
  readonly is_verified: boolean
}

/**
 * Why an account whose password was right may not sign in. Returns when nothing but its credentials
 * changed.
 *
 * @throws Refusal `email-not-verified`, `account-disabled`
 */
async function explainRefusal(
  trx: Knex.Transaction,
  { userId, credentialVersion }: RightPassword,
): Promise<void> {
  const [standing] = await query<Standing>(
    trx,
    `select enabled, account_type, email_verified_at is not null as is_verified
     from users where id = ? and credential_version = ?`,
    [userId, credentialVersion],
  )
  if (standing === undefined) return
  if (!standing.is_verified) throw new Refusal('email-not-verified', TEXTS.notVerified)
  requireUsable(standing)
}

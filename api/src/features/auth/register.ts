import { type NewAccount, type RegisteredAccount, TERMS_VERSION } from '@homing/openapi'
import type { Knex } from 'knex'
import { DatabaseError } from 'pg'
import { requireGoodPassword } from '../../credentials/new-password.ts'
import { newRegistrationSecret } from '../../credentials/registration-secret.ts'
import { invalid, Refusal } from '../../rules/errors.ts'
import { requireLastingAddress } from '../../rules/disposable-mail.ts'
import { NEIGHBOURHOOD, networkOf } from '../../rules/networks.ts'
import { isReservedUsername } from '../../rules/reserved-usernames.ts'
import { digestBytes } from '../../rules/secrets.ts'
import { User } from '../../models/user.ts'
import type { RequestSource } from '../../caller/request-source.ts'
import type { Services } from '../../compose.ts'
import { requireAllowance } from '../../limits/require-allowance.ts'
import { TEXTS } from './texts.ts'

const usernameTaken = () =>
  new Refusal('username-taken', TEXTS.usernameTaken, {
    faults: [{ field: 'username', message: TEXTS.usernameTaken }],
  })

/** Who registers. */
interface Registrant {
  readonly source: Pick<RequestSource, 'ip'>
  /** The cookie of a registration that this browser made before, if it is one of our pages. */
  readonly formerSecret: string | undefined
}

/** A new account, and the secret of the browser that registered it. */
interface Registration {
  readonly account: RegisteredAccount
  readonly secret: string
}

/**
 * Creates an account whose address must still be verified.
 *
 * An address of another account can be claimed in the same way: the response, the work and what the
 * account can do are the same, so the caller does not learn about the other account. A job decides
 * which mail is sent to whom.
 *
 * The browser that registered an account replaces it when it registers the same user name again before the address is
 * verified: that is how somebody corrects a mistyped address.
 *
 * @throws Refusal `validation-failed`, `username-taken`, `rate-limited`, `unavailable`
 */
export async function register(
  services: Services,
  account: NewAccount,
  { source: { ip }, formerSecret }: Registrant,
): Promise<Registration> {
  requireTerms(account)
  requireLastingAddress(account.email)
  const { username, email, password } = account
  const wanted = { password, field: 'password', names: [username, email] }
  await requireGoodPassword(services.config, wanted)
  const network = networkOf(ip, NEIGHBOURHOOD)
  await requireCaptcha(services, account.captcha_token, network)
  if (isReservedUsername(account.username)) throw usernameTaken()
  await requirePlaceFor(services, network)
  const secret = newRegistrationSecret(services)
  try {
    await open(services, account, { ip, secret, formerSecret })
  } catch (error) {
    // A failed registration does not count against the limit of new accounts.
    await services.rateLimits.giveBack('new-accounts-network', network)
    if (error instanceof DatabaseError && error.constraint === 'users_username_key') {
      throw usernameTaken()
    }
    throw error
  }
  return { account: { message: TEXTS.registered, username, email }, secret }
}

/** @throws Refusal `validation-failed` for terms that are refused, or are not the current ones */
function requireTerms({ terms, terms_version: version = TERMS_VERSION }: NewAccount): void {
  if (terms === false) throw invalid({ field: 'terms', message: TEXTS.termsRefused })
  if (version === TERMS_VERSION) return
  const message = `${TEXTS.termsChanged} It is ${TERMS_VERSION}.`
  throw invalid({ field: 'terms_version', message })
}

/** Programs may omit the acceptance of the terms; then nothing is recorded. */
const acceptsTerms = ({ terms, terms_version: version }: NewAccount) =>
  terms === true || version !== undefined

/**
 * Requires a solved CAPTCHA, if this service uses one, and counts the registration.
 *
 * @throws Refusal `validation-failed`, `rate-limited`, `unavailable`
 */
async function requireCaptcha(
  services: Services,
  token: string | undefined,
  network: string,
): Promise<void> {
  const { captcha } = services
  const missing = () => invalid({ field: 'captcha_token', message: TEXTS.captchaMissing })
  if (captcha !== undefined && token === undefined) throw missing()
  await requireAllowance(services, 'register-network', network)
  if (captcha === undefined || token === undefined) return
  if (!(await captcha.accepts(token, 'register'))) throw missing()
}

/** @throws Refusal `rate-limited` when a network has opened as many accounts as a day allows */
async function requirePlaceFor({ rateLimits }: Services, network: string): Promise<void> {
  const retryAfterSeconds = await rateLimits.take('new-accounts-network', network)
  if (retryAfterSeconds === undefined) return
  throw new Refusal('rate-limited', TEXTS.manyAccounts, { retryAfterSeconds })
}

interface Opening {
  readonly ip: string
  readonly secret: string
  readonly formerSecret: string | undefined
}

/** Deletes an account that this browser registered under the name and that was never verified, with its link. */
async function dropFormer(
  trx: Knex.Transaction,
  { username }: NewAccount,
  secret: string | undefined,
): Promise<void> {
  if (secret === undefined) return
  await User.query(trx)
    .delete()
    .modify('unverified')
    .where({ registration_digest: digestBytes(secret), account_type: 'free' })
    .whereRaw('lower(username) = lower(?)', username)
}

/** Writes the account, and the job that decides which mail is sent. @throws DatabaseError */
async function open(
  services: Services,
  account: NewAccount,
  { ip, secret, formerSecret }: Opening,
): Promise<void> {
  const passwordHash = await services.passwords.hash(account.password)
  const cc = await services.countryOf(ip)
  const mayNotify = (await services.rateLimits.take('notice-address', account.email)) === undefined
  const at = services.now()
  const terms = acceptsTerms(account) && { terms_version: TERMS_VERSION, terms_accepted_at: at }
  await services.knex.transaction(async (trx) => {
    await dropFormer(trx, account, formerSecret)
    const user = await User.query(trx).insert({
      username: account.username,
      email: account.email,
      password_hash: passwordHash,
      given_name: account.given_name || null,
      surname: account.surname || null,
      created_at: at,
      account_create_cc: cc,
      registration_digest: digestBytes(secret),
      ...terms,
    })
    await services.jobs.enqueue(trx, 'registration', { userId: user.id, mayNotify })
  })
}

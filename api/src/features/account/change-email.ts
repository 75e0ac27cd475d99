/** Another e-mail address: asked for with the password, and confirmed by links to the present one and the new one. */
import type { EmailChange } from '@homing/openapi'
import { ownerOfAddress } from '../../credentials/find-account.ts'
import { dropLinks, makeLink } from '../../credentials/mail-link.ts'
import { requirePresentPassword } from '../../credentials/present-password.ts'
import { requireLastingAddress } from '../../rules/disposable-mail.ts'
import { invalid } from '../../rules/errors.ts'
import { requireAllowance } from '../../limits/require-allowance.ts'
import type { RequestSource } from '../../caller/request-source.ts'
import { User } from '../../models/user.ts'
import type { CallerAccount } from '../../caller/principal.ts'
import type { JobServices, Services } from '../../compose.ts'

/** How long both links work. */
const LINK_LIFETIME_MS = 86_400_000

/** What was asked for, as its job carries it. */
interface EmailWish {
  readonly userId: string
  /** Of the account's credentials: a password that was changed meanwhile asks for nothing any more. */
  readonly credentialVersion: number
  /** The new address. */
  readonly email: string
  /** Whether its owner may be told, if it has one. */
  readonly mayNotify: boolean
}

/**
 * Asks for the change. The answer and the work are the same when the new address is somebody's
 * already: a job finds out.
 *
 * @throws Refusal `validation-failed`, `rate-limited`
 */
export async function changeEmail(
  services: Services,
  account: CallerAccount,
  { email, password }: EmailChange,
  { ip }: RequestSource,
): Promise<void> {
  requireLastingAddress(email)
  const given = { account, password, ip, field: 'password' }
  const credentialVersion = await requirePresentPassword(services, given)
  const own = await User.query(services.knex)
    .findById(account.id)
    .modify('withEmail', email)
    .select('id')
  if (own)
    throw invalid({ field: 'email', message: 'Your account already has this e-mail address.' })
  await requireAllowance(services, 'change-email-account', account.id)
  await requireAllowance(services, 'change-email-address', email)
  const mayNotify = (await services.rateLimits.take('notice-address', email)) === undefined
  const job = { userId: account.id, credentialVersion, email, mayNotify }
  await services.knex.transaction((trx) => services.jobs.enqueue(trx, 'change-email', job))
}

/**
 * Mails both links, and makes those of an earlier wish worthless. Where another account has the new
 * address, its owner is told instead, and without that link nothing is ever changed. A wish of somebody
 * whose password was changed before the job ran is none.
 */
export async function settleEmailChange(
  services: JobServices,
  { userId, credentialVersion, email: newEmail, mayNotify }: EmailWish,
): Promise<void> {
  await services.knex.transaction(async (trx) => {
    const account = await User.query(trx)
      .findOne({ id: userId, credential_version: credentialVersion })
      .modify(['verified', 'notBlocked'])
      .forNoKeyUpdate()
    if (account === undefined) return
    const made = { userId, lifetimeMs: LINK_LIFETIME_MS }
    await dropLinks(trx, userId, 'change_email_new')
    const toOld = await makeLink(services, trx, {
      ...made,
      purpose: 'change_email_old',
      email: account.email,
    })
    await services.jobs.enqueue(trx, 'mail', { kind: 'confirm-old-email', newEmail, ...toOld })
    const owner = await ownerOfAddress(trx, newEmail)
    if (owner !== undefined) {
      if (!mayNotify) return
      return services.jobs.enqueue(trx, 'mail', { kind: 'address-in-use', userId: owner })
    }
    const toNew = await makeLink(services, trx, {
      ...made,
      purpose: 'change_email_new',
      email: newEmail,
    })
    await services.jobs.enqueue(trx, 'mail', { kind: 'confirm-new-email', newEmail, ...toNew })
  })
}

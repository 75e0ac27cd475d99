/** Changes the email address: requested with the password, and confirmed by links to the present address and the new one. */
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
import type { JobData } from '../../queue/job-data.ts'

/** Lifetime of both links. */
const LINK_LIFETIME_MS = 86_400_000

/**
 * Requests the change. Response and work are the same when another account has the new address;
 * only a job checks that.
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
    throw invalid({ field: 'email', message: 'Your account already has this email address.' })
  await requireAllowance(services, 'change-email-account', account.id)
  await requireAllowance(services, 'change-email-address', email)
  const mayNotify = (await services.rateLimits.take('notice-address', email)) === undefined
  const job = { userId: account.id, credentialVersion, email, mayNotify }
  await services.knex.transaction((trx) => services.jobs.enqueue(trx, 'change-email', job))
}

/**
 * Mails both links, and invalidates those of an earlier request. If another account has the new
 * address, its owner is notified instead; without that link the address is never changed. A request is
 * ignored if the password was changed before the job ran.
 */
export async function settleEmailChange(
  services: JobServices,
  { userId, credentialVersion, email: newEmail, mayNotify }: JobData['change-email'],
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

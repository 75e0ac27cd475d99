/** The link that sets a new password: anybody can request it for an address; a job mails it if an account has the address. */
import { makeLink } from '../../credentials/mail-link.ts'
import { User } from '../../models/user.ts'
import type { RequestSource } from '../../caller/request-source.ts'
import type { JobServices, Services } from '../../compose.ts'
import { requireAllowance } from '../../limits/require-allowance.ts'
import { requireNetworkAllowance } from '../../limits/network-limits.ts'

/** Lifetime of a link that sets a password. */
const LINK_LIFETIME_MS = 3_600_000

/**
 * Requests a link. Response and work are the same whether or not an account has the address; only a
 * job checks that.
 *
 * @throws Refusal `rate-limited`
 */
export async function forgotPassword(
  services: Services,
  email: string,
  { ip }: RequestSource,
): Promise<void> {
  await requireNetworkAllowance(services, 'forgot-network', ip)
  await requireAllowance(services, 'forgot-address', email)
  await services.knex.transaction((trx) => services.jobs.enqueue(trx, 'forgot-password', { email }))
}

/**
 * Mails a link to the account that has the address verified, if it may sign in. A claimed address
 * proves nothing: it must be verified first.
 */
export async function settleForgotten(
  services: JobServices,
  { email }: { readonly email: string },
): Promise<void> {
  await services.knex.transaction(async (trx) => {
    const account = await User.query(trx)
      .modify('withEmail', email)
      .modify(['verified', 'notBlocked'])
      .forNoKeyUpdate()
      .first()
    if (account === undefined) return
    const link = await makeLink(services, trx, {
      userId: account.id,
      purpose: 'reset_password',
      email: account.email,
      lifetimeMs: LINK_LIFETIME_MS,
    })
    await services.jobs.enqueue(trx, 'mail', { kind: 'reset-password', ...link })
  })
}

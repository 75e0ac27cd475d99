/** The mails that follow a registration. Jobs send them, so the response to the registration does not depend on them. */
import type { Knex } from 'knex'
import { ownerOfAddress } from '../../credentials/find-account.ts'
import { makeLink } from '../../credentials/mail-link.ts'
import { User } from '../../models/user.ts'
import type { JobServices } from '../../compose.ts'

/** Lifetime of a link that verifies an address. */
const LINK_LIFETIME_MS = 86_400_000

/** Creates the link and queues its mail. Older links of the account become invalid on commit. */
async function sendLink(
  services: JobServices,
  trx: Knex.Transaction,
  { id, email }: Pick<User, 'id' | 'email'>,
): Promise<void> {
  const link = await makeLink(services, trx, {
    userId: id,
    purpose: 'verify_email',
    email,
    lifetimeMs: LINK_LIFETIME_MS,
  })
  await services.jobs.enqueue(trx, 'mail', { kind: 'verify-email', ...link })
}

/**
 * Sends the link of a new account, or notifies the owner of its address of the attempt. Nothing is sent to an
 * address that many accounts were recently opened with: a user who needs a link can request one.
 */
export async function settleRegistration(
  services: JobServices,
  { userId, mayNotify }: { readonly userId: string; readonly mayNotify: boolean },
): Promise<void> {
  if (!mayNotify) return
  await services.knex.transaction(async (trx) => {
    const account = await User.query(trx).findById(userId).modify('unverified').forNoKeyUpdate()
    if (account === undefined) return
    const owner = await ownerOfAddress(trx, account.email)
    if (owner === undefined) return sendLink(services, trx, account)
    await services.jobs.enqueue(trx, 'mail', { kind: 'address-in-use', userId: owner })
  })
}

/** Sends a new link to the newest account that claims the address, unless an account has it verified. */
export async function settleResend(
  services: JobServices,
  { email }: { readonly email: string },
): Promise<void> {
  await services.knex.transaction(async (trx) => {
    if ((await ownerOfAddress(trx, email)) !== undefined) return
    const account = await User.query(trx)
      .modify('withEmail', email)
      .modify('unverified')
      .orderBy('id', 'desc')
      .limit(1)
      .forNoKeyUpdate()
      .first()
    if (account !== undefined) await sendLink(services, trx, account)
  })
}

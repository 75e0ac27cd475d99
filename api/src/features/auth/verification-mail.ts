/** What follows a registration by mail: decided by jobs, out of sight of whoever registers. */
import type { Knex } from 'knex'
import { ownerOfAddress } from '../../credentials/find-account.ts'
import { makeLink } from '../../credentials/mail-link.ts'
import { User } from '../../models/user.ts'
import type { JobServices } from '../../compose.ts'

/** How long a link that verifies an address works. */
const LINK_LIFETIME_MS = 86_400_000

/** Makes the link and puts its mail in line. Older links of the account are dead from the commit on. */
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
 * Sends the link of a new account, or tells the owner of its address that somebody tried. An address that many
 * accounts were opened with lately is left alone: whoever waits there for a link asks for it.
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

/** Sends a new link to the newest account that claims the address, unless the address is somebody's. */
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

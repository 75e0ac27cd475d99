/**
 * The known networks of an account: those from which the right password came recently. When other callers have used up
 * the attempts for a user name, known networks have some more (decision 0031).
 *
 * A former holder of the password may have known networks too, and could use up these attempts indefinitely. So they
 * are forgotten whenever the account's credentials end, except the network of the caller who ends them.
 */
import type { Knex } from 'knex'
import { networkOf } from '../rules/networks.ts'
import { KnownNetwork } from '../models/known-network.ts'
import { query } from '../database/sql.ts'
import type { CredentialServices } from './services.ts'

/** How long a network stays known after the right password came from it, in days. */
export const KNOWN_NETWORK_DAYS = 60

/** An account, and the version of its credentials for which a password was right. */
interface RightPassword {
  readonly userId: string
  readonly credentialVersion: number
}

/** Whether a network is known for the account that `name` means (a user name or a verified email address). */
export async function isKnownNetwork(knex: Knex, name: string, network: string): Promise<boolean> {
  if (name.includes('\0')) return false
  const known = await KnownNetwork.query(knex)
    .select('known_networks.network')
    .joinRelated('account(verified)')
    .where('known_networks.network', network)
    .whereRaw('lower(?) in (lower(account.username), lower(account.email))', name)
    .first()
  return known !== undefined
}

const REMEMBER = `
  insert into known_networks (user_id, network, seen_at)
  select id, ?, ?::timestamptz from users where id = ? and credential_version = ? for share
  on conflict (user_id, network) do update set seen_at = excluded.seen_at
  returning xmax = 0 as is_new`

/**
 * Records that the right password came from an address. A password that was replaced during its evaluation
 * records nothing: the statement locks the account's row, so it waits for a concurrent change and then sees the
 * new version.
 *
 * @returns whether the network was unknown until now
 */
export async function rememberNetwork(
  { knex, now }: Pick<CredentialServices, 'knex' | 'now'>,
  { userId, credentialVersion }: RightPassword,
  ip: string,
): Promise<boolean> {
  const values = [networkOf(ip), now(), userId, credentialVersion]
  const [row] = await query<{ readonly is_new: boolean }>(knex, REMEMBER, values)
  return row?.is_new === true
}

/**
 * Forgets the known networks of an account.
 *
 * @param callerIp the address of the owner who ends the credentials, whose network stays known if it was; undefined
 * when another person ends them
 */
export async function forgetNetworks(
  trx: Knex.Transaction,
  userId: string,
  callerIp?: string,
): Promise<void> {
  const forgotten = KnownNetwork.query(trx).delete().modify('ownedBy', userId)
  if (callerIp !== undefined) forgotten.whereNot('network', networkOf(callerIp))
  await forgotten
}

/** Lists, renames and removes the passkeys of an account. */
import type { Knex } from 'knex'
import { factorsChanged, lockFactors } from '../../credentials/second-factors.ts'
import { notFound } from '../../rules/errors.ts'
import { readGivenName } from '../../rules/given-name.ts'
import { requireAllowance } from '../../limits/require-allowance.ts'
import type { SessionPrincipal } from '../../caller/principal.ts'
import { Passkey } from '../../models/passkey.ts'
import type { Services } from '../../compose.ts'
import { NAME_MISSING, PASSKEY_COLUMNS, type PasskeyRow } from './passkey-row.ts'

/** Oldest first. */
export async function listPasskeys(knex: Knex, userId: string): Promise<PasskeyRow[]> {
  return Passkey.query(knex)
    .modify('ownedBy', userId)
    .select(PASSKEY_COLUMNS)
    .orderBy('id')
    .toKnexQuery<PasskeyRow>()
}

/** @throws Refusal `validation-failed`; `not-found` for an id that does not exist or belongs to another account */
export async function renamePasskey(
  knex: Knex,
  userId: string,
  id: string,
  text: string,
): Promise<PasskeyRow> {
  const name = readGivenName(text, NAME_MISSING)
  const [passkey] = await Passkey.query(knex)
    .patch({ name })
    .where('id', id)
    .modify('ownedBy', userId)
    .returning('*')
  if (passkey === undefined) throw notFound('passkey')
  return passkey
}

/**
 * Removes a passkey, which can no longer sign in. The owner is notified by mail.
 *
 * @throws Refusal `not-found` for an id that does not exist or belongs to another account;
 * `rate-limited`
 */
export async function removePasskey(
  services: Services,
  { account, sessionId }: SessionPrincipal,
  id: string,
): Promise<void> {
  await requireAllowance(services, 'notices-account', account.id)
  await services.knex.transaction(async (trx) => {
    await lockFactors(trx, account.id)
    const [gone] = await Passkey.query(trx)
      .delete()
      .where('id', id)
      .modify('ownedBy', account.id)
      .returning('name')
    if (gone === undefined) throw notFound('passkey')
    await factorsChanged(trx, account.id, sessionId)
    const notice = { event: 'removed', name: gone.name, at: services.now().toISOString() } as const
    await services.jobs.enqueue(trx, 'mail', { kind: 'passkey', userId: account.id, ...notice })
  })
}

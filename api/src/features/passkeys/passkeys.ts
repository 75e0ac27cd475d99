/** The passkeys of an account: seeing, renaming and removing them. */
import type { Knex } from 'knex'
import { factorsChanged, lockFactors } from '../../credentials/second-factors.ts'
import { notFound } from '../../domain/errors.ts'
import { readGivenName } from '../../domain/given-name.ts'
import { requireAllowance } from '../../integrations/allowance.ts'
import type { SessionPrincipal } from '../../principal.ts'
import type { Services } from '../../services.ts'
import { query } from '../../sql.ts'
import { NAME_MISSING, PASSKEY_COLUMNS, type PasskeyRow } from './passkey-row.ts'

/** In the order in which they were added. */
export async function listPasskeys(knex: Knex, userId: string): Promise<PasskeyRow[]> {
  return query<PasskeyRow>(
    knex,
    `select ${PASSKEY_COLUMNS} from passkeys where user_id = ? order by id`,
    [userId],
  )
}

/** @throws Refusal `validation-failed`; `not-found` for an id that does not exist and for somebody else's */
export async function renamePasskey(
  knex: Knex,
  userId: string,
  id: string,
  text: string,
): Promise<PasskeyRow> {
  const [row] = await query<PasskeyRow>(
    knex,
    `update passkeys set name = ? where id = ? and user_id = ? returning ${PASSKEY_COLUMNS}`,
    [readGivenName(text, NAME_MISSING), id, userId],
  )
  if (row === undefined) throw notFound('passkey')
  return row
}

/**
 * Removes a passkey: it signs nobody in any more. The owner is told by mail.
 *
 * @throws Refusal `not-found` for an id that does not exist and for somebody else's; `rate-limited`
 */
export async function removePasskey(
  services: Services,
  { account, sessionId }: SessionPrincipal,
  id: string,
): Promise<void> {
  await requireAllowance(services, 'notices-account', account.id)
  await services.knex.transaction(async (trx) => {
    await lockFactors(trx, account.id)
    const [gone] = await query<{ name: string }>(
      trx,
      'delete from passkeys where id = ? and user_id = ? returning name',
      [id, account.id],
    )
    if (gone === undefined) throw notFound('passkey')
    await factorsChanged(trx, account.id, sessionId)
    const notice = { event: 'removed', ...gone, at: services.now().toISOString() } as const
    await services.jobs.enqueue(trx, 'mail', { kind: 'passkey', userId: account.id, ...notice })
  })
}

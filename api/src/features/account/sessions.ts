/** Lists and ends the sessions of an account. */
import type { Session as SessionBody } from '@homing/openapi'
import type { Knex } from 'knex'
import { forgetNetworks } from '../../credentials/known-networks.ts'
import { endSessionsBut } from '../../credentials/session.ts'
import { notFound } from '../../rules/errors.ts'
import { Session } from '../../models/session.ts'
import type { Row } from '../../models/table.ts'
import type { RequestSource } from '../../caller/request-source.ts'
import type { SessionPrincipal } from '../../caller/principal.ts'
import type { Services } from '../../compose.ts'

const COLUMNS = ['id', 'created_at', 'last_used_at', 'expires_at', 'ip', 'user_agent'] as const

/** The sessions of the caller's account that have not ended, last used first. */
export async function listSessions(
  { knex, now, countryOf }: Pick<Services, 'knex' | 'now' | 'countryOf'>,
  { account, sessionId }: SessionPrincipal,
): Promise<SessionBody[]> {
  const rows = await Session.query(knex)
    .modify('ownedBy', account.id)
    .modify('current', now())
    .modify('byUse')
    .select(COLUMNS)
    .toKnexQuery<Pick<Row<typeof Session>, (typeof COLUMNS)[number]>>()
  return Promise.all(
    rows.map(async (row) => ({
      id: row.id,
      created_at: row.created_at.toISOString(),
      last_used_at: row.last_used_at.toISOString(),
      expires_at: row.expires_at.toISOString(),
      ip: row.ip,
      cc: row.ip === null ? null : await countryOf(row.ip),
      client: row.user_agent,
      is_current: row.id === sessionId,
    })),
  )
}

/** @throws Refusal `not-found` */
export async function endSession(knex: Knex, userId: string, id: string): Promise<void> {
  const ended = await Session.query(knex).delete().where('id', id).modify('ownedBy', userId)
  if (ended === 0) throw notFound('session')
}

/** Ends every session of the account except the caller's, and forgets its known networks except the caller's. */
export async function endOtherSessions(
  knex: Knex,
  { account, sessionId }: SessionPrincipal,
  { ip }: RequestSource,
): Promise<void> {
  await knex.transaction(async (trx) => {
    await endSessionsBut(trx, account.id, sessionId)
    await forgetNetworks(trx, account.id, ip)
  })
}

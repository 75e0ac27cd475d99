/** Where somebody is signed in, and ending that. */
import type { Session } from '@homing/openapi'
import type { Knex } from 'knex'
import { forgetNetworks } from '../../credentials/known-networks.ts'
import { endSessionsBut } from '../../credentials/session.ts'
import { notFound } from '../../domain/errors.ts'
import type { Origin } from '../../plugins/contract.ts'
import type { SessionPrincipal } from '../../principal.ts'
import type { Services } from '../../services.ts'
import { query } from '../../sql.ts'

interface SessionRow {
  readonly id: string
  readonly created_at: Date
  readonly last_used_at: Date
  readonly expires_at: Date
  readonly ip: string | null
  readonly user_agent: string | null
}

/** The sessions of the caller's account that have not ended, the last used first. */
export async function listSessions(
  { knex, now }: Pick<Services, 'knex' | 'now'>,
  { account, sessionId }: SessionPrincipal,
): Promise<Session[]> {
  const rows = await query<SessionRow>(
    knex,
    `select id, created_at, last_used_at, expires_at, host(ip) as ip, user_agent
     from sessions where user_id = ? and expires_at > ? order by last_used_at desc, id desc`,
    [account.id, now()],
  )
  return rows.map((row) => ({
    id: row.id,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    ip: row.ip,
    client: row.user_agent,
    is_current: row.id === sessionId,
  }))
}

/** @throws Refusal `not-found` */
export async function endSession(knex: Knex, userId: string, id: string): Promise<void> {
  const ended = await query(
    knex,
    'delete from sessions where id = ? and user_id = ? returning id',
    [id, userId],
  )
  if (ended.length === 0) throw notFound('session')
}

/** Ends every session of the account but the caller's, and forgets every network that it knows but the caller's. */
export async function endOtherSessions(
  knex: Knex,
  { account, sessionId }: SessionPrincipal,
  { ip }: Origin,
): Promise<void> {
  await knex.transaction(async (trx) => {
    await endSessionsBut(trx, account.id, sessionId)
    await forgetNetworks(trx, account.id, ip)
  })
}

/** Zones of accounts as the proof of ownership leaves them. */
import assert from 'node:assert/strict'
import type { Knex } from 'knex'
import { query } from '../../src/database/sql.ts'
import { insertZone } from '../../src/feed/new-zone.ts'

/** Inserts a zone with its name server, and its claim. */
export async function insertOwnZone(
  knex: Knex,
  userId: string,
  name: string,
  state = 'active',
): Promise<{ readonly zoneId: string; readonly claimId: string }> {
  const zoneId = await knex.transaction(async (trx) => {
    const id = await insertZone(trx, { name, offered: false, mname: `ns1.${name}` })
    await query(trx, 'update zones set is_own = true, owner_id = ?, is_served = ? where id = ?', [
      userId,
      state === 'active',
      id,
    ])
    await query(
      trx,
      `insert into records (zone_id, owner, type, ttl, rdata, origin)
       values (?, ?, 'NS', 3600, array[?], 'system'), (?, ?, 'A', 3600, array['192.0.2.53'], 'system')`,
      [id, name, `ns1.${name}.`, id, `ns1.${name}`],
    )
    return id
  })
  const [claim] = await query<{ id: string }>(
    knex,
    `insert into zone_claims (user_id, name, token, state, proof, active_at)
     values (?, ?, ?, ?, 'delegation', now()) returning id`,
    [userId, name, `token-${name}`, state],
  )
  assert(claim)
  return { zoneId, claimId: claim.id }
}

/*
 * Repairs the feed after the database was restored to an older state.
 *
 * Followers and secondaries have seen serials that the restored database does not know, and would
 * take its next changes for old ones. Every zone therefore gets a new feed id, which makes dnsd
 * read the zone again, and a serial increased by 2²⁸. That is above everything that was lost (2²⁸
 * changes are three days at a thousand a second), and well within the 2³¹ by which a secondary can
 * be behind and still follow (RFC 1982). The feed of the forwarders is lifted in the same way.
 */
import type { Knex } from 'knex'
import { enterStep } from './lock-order.ts'
import { query } from '../database/sql.ts'

/** How much serials are increased. */
export const SERIAL_LIFT = 2n ** 28n

export interface LiftedZone {
  readonly name: string
  readonly serial: bigint
}

/**
 * Gives the whole feed a new identity. Existing change sets stay readable, but no follower
 * continues from them, because the tokens are new. Safe to repeat.
 */
export async function declareRestored(knex: Knex): Promise<LiftedZone[]> {
  return knex.transaction(async (trx) => {
    const held = await query<{ zone_id: string }>(
      trx,
      'select zone_id from zone_serials order by zone_id for update',
    )
    enterStep(
      trx,
      'serials',
      held.map(({ zone_id }) => zone_id),
    )
    enterStep(trx, 'forwards', [])
    const lifted = `serial + ${SERIAL_LIFT}`
    const rows = await query<{ name: string; serial: string }>(
      trx,
      `with feed as materialized (select gen_random_uuid() as id),
       lifted as (
         update zone_serials set
           serial = ${lifted} + case when (${lifted}) % 4294967296 = 0 then 1 else 0 end,
           feed_id = feed.id, token = gen_random_uuid(), previous_token = gen_random_uuid()
         from feed
         returning zone_id, serial
       )
       select z.name, l.serial, notify_followers(z.id)
       from lifted l join zones z on z.id = l.zone_id order by z.name`,
    )
    await query(
      trx,
      `with lifted as (
         update forward_serial set
           serial = serial + ${SERIAL_LIFT}, feed_id = gen_random_uuid(),
           token = gen_random_uuid(), previous_token = gen_random_uuid()
         returning serial
       )
       select pg_notify('homing_forwards', serial::text) from lifted`,
    )
    return rows.map(({ name, serial }) => ({ name, serial: BigInt(serial) }))
  })
}

/*
 * The addresses of the forwarders (FORWARD_ADDRESSES), which forwarded domains publish instead of their own.
 *
 * The list is data, because every transaction that publishes a forwarded domain reads it. It is replaced under the
 * serials of all zones: a transaction that published the former list has ended by then, and each later one sees the
 * new list. So the forwards that exist at that moment are all that show the former addresses, and a job publishes
 * them again.
 */
import type { Knex } from 'knex'
import { query } from '../database/sql.ts'
import { OWNERS_PER_SET_LIMIT, type ZoneOwners } from './change-set.ts'
import { enterStep } from './lock-order.ts'
import { publish } from './publish.ts'

/** A domain and its wildcard are two names. */
const FORWARDS_PER_STEP = OWNERS_PER_SET_LIMIT / 2

/** Less than the first forward's id. */
export const FIRST_FORWARD = '0'

// Compared as addresses: the configuration can write one in several ways.
const IS_SAME = `
  select not exists (
    (select address from forward_addresses except select unnest(?::inet[]))
    union all
    (select unnest(?::inet[]) except select address from forward_addresses)
  ) as same`

const REPLACE = `
  with gone as (delete from forward_addresses where address <> all (?::inet[]))
  insert into forward_addresses (address)
  select distinct address from unnest(?::inet[]) as address on conflict do nothing`

/**
 * Stores the addresses that forwarded domains publish from now on.
 *
 * @returns whether existing forwards show other addresses, so that the job `forward-addresses` has to follow in the
 * same transaction
 */
export async function replaceForwardAddresses(
  trx: Knex.Transaction,
  addresses: readonly string[],
): Promise<boolean> {
  const [state] = await query<{ same: boolean }>(trx, IS_SAME, [addresses, addresses])
  if (state?.same === true) return false
  const zones = await query<{ zone_id: string }>(
    trx,
    'select zone_id from zone_serials order by zone_id for update',
  )
  enterStep(
    trx,
    'serials',
    zones.map(({ zone_id }) => zone_id),
  )
  await query(trx, REPLACE, [addresses, addresses])
  const forwards = await query(trx, 'select from web_forwards limit 1')
  return forwards.length > 0
}

const NAMES = `
  with page as (
    select id, domain_id from web_forwards where id > ?::bigint order by id limit ${FORWARDS_PER_STEP}
  ), named as (
    select domain_id as id from page
    union all
    select w.id from page p join domains w on w.base_id = p.domain_id
  ), by_zone as (
    select d.zone_id, array_agg(d.fqdn) as owners
    from named n join domains d on d.id = n.id where d.is_forwarded group by d.zone_id
  )
  select (select max(id) from page) as last,
         coalesce((select json_agg(json_build_object('zoneId', zone_id::text, 'owners', owners)) from by_zone), '[]') as zones`

/**
 * Publishes the domains of the next forwards, 250 at most. Only their state is read, under the serials, so no domain is
 * locked and updates of their addresses do not wait.
 *
 * @param after the id of the last forward that was published; `FIRST_FORWARD` at the start
 * @returns the id of the last one in this step; undefined when there were no more
 */
export async function publishForwarded(knex: Knex, after: string): Promise<string | undefined> {
  return knex.transaction(async (trx) => {
    const [page] = await query<{ last: string | null; zones: ZoneOwners[] }>(trx, NAMES, [after])
    if (page === undefined || page.last === null) return undefined
    await publish(trx, page.zones)
    return page.last
  })
}

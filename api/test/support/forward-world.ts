/** Web forwards in a feed world, and what the forward feed says of them. */
import type { Knex } from 'knex'
import { expect } from 'vitest'
import type { Actor } from '../../src/feed/address-change.ts'
import type { ForwardSettings } from '../../src/feed/forward-rows.ts'
import { endForward, startForward } from '../../src/feed/forwards.ts'
import { holdOwnedDomain, lockDomains } from '../../src/feed/lock-order.ts'
import { publishDomains } from '../../src/feed/publish.ts'
import type { DomainRow } from '../../src/feed/rows.ts'
import { WebForward, type WebForwardRow } from '../../src/models/web-forward.ts'
import { query } from '../../src/database/sql.ts'
import { insertDomain, replay, toldSets, zoneId } from './feed-world.ts'

export const OWNER: Actor = {
  kind: 'session',
  id: null,
  sourceIp: '198.51.100.7',
  client: 'a browser',
}

/** A redirect. */
const REDIRECT: ForwardSettings = {
  target_url: 'https://www.example.net/',
  forwarding_type: 'redirect',
  status_code: 301,
  title: null,
  description: null,
  keywords: null,
  forward_path: true,
  forward_query: true,
  is_active: true,
  fallback: null,
  checked_at: null,
  check_result: null,
}

export const STEALTH: ForwardSettings = { ...REDIRECT, forwarding_type: 'stealth', title: 'Home' }

/** A published domain. */
export async function publishedDomain(
  knex: Knex,
  userId: string,
  fqdn: string,
  base?: DomainRow,
): Promise<DomainRow> {
  return knex.transaction(async (trx) => {
    const row = await insertDomain(trx, {
      userId,
      fqdn,
      ipv4: '203.0.113.1',
      ...(base !== undefined && { baseId: base.id }),
    })
    await publishDomains(trx, [row.id])
    return row
  })
}

/** Runs a change of forwards with the locks that it needs. */
export async function withHeldDomain<T>(
  knex: Knex,
  { id, user_id }: Pick<DomainRow, 'id' | 'user_id'>,
  change: (trx: Knex.Transaction, base: DomainRow) => Promise<T>,
): Promise<T> {
  return knex.transaction(async (trx) => {
    const base = (await holdOwnedDomain(trx, user_id, id))?.domain
    if (base === undefined) throw new Error(`no domain ${id}`)
    return change(trx, base)
  })
}

export const start = (
  knex: Knex,
  domain: DomainRow,
  settings: Partial<ForwardSettings> = {},
): Promise<WebForwardRow> =>
  withHeldDomain(knex, domain, (trx, base) =>
    startForward(trx, base, { ...REDIRECT, ...settings }, OWNER),
  )

/** A forward as it is now. */
export async function presentForward(
  trx: Knex.Transaction,
  { id }: Pick<WebForwardRow, 'id'>,
): Promise<WebForwardRow> {
  const [row] = await WebForward.query(trx).where({ id }).toKnexQuery<WebForwardRow>()
  if (row === undefined) throw new Error(`no web forward ${id}`)
  return row
}

export const end = (
  knex: Knex,
  domain: DomainRow,
  forward: Pick<WebForwardRow, 'id'>,
): Promise<WebForwardRow> =>
  withHeldDomain(knex, domain, async (trx, base) =>
    endForward(trx, base, await presentForward(trx, forward), OWNER),
  )

/** A row of the view `forward_change`. */
export interface ForwardChange {
  readonly serial: string
  readonly name: string
  readonly forward: Readonly<Record<string, unknown>> | null
  readonly is_removed: boolean
  readonly grace_seconds: number
  readonly token: string
  readonly previous_token: string
}

/** All changes of the forward feed that are kept, in the order of serials. */
const forwardChanges = (knex: Knex): Promise<ForwardChange[]> =>
  query<ForwardChange>(knex, 'select * from forward_change order by serial, name')

/** The last change of a name. */
export const lastChange = async (knex: Knex, name: string): Promise<ForwardChange | undefined> =>
  (await forwardChanges(knex)).findLast((change) => change.name === name)

/** Checks that the changes form a chain, lead to what a full read gives, and that this is the state of the tables. */
export async function expectForwardFeedEqualsTables(knex: Knex): Promise<void> {
  const held: Record<string, unknown> = {}
  let before: ForwardChange | undefined
  for (const change of await forwardChanges(knex)) {
    if (before !== undefined && before.serial !== change.serial) {
      expect(change.previous_token).toBe(before.token)
    }
    if (before?.serial === change.serial) expect(change.token).toBe(before.token)
    before = change
    if (change.is_removed) delete held[change.name]
    else held[change.name] = change.forward
  }
  const rows = (view: string) =>
    query<{ name: string; forward: unknown }>(knex, `select name, forward from ${view}`)
  const asObject = (of: readonly { name: string; forward: unknown }[]) =>
    Object.fromEntries(of.map(({ name, forward }) => [name, forward]))
  expect(held).toEqual(asObject(await rows('forward_target')))
  expect(held).toEqual(asObject(await rows('forward_state')))
  const [feed] = await query<{ serial: string; token: string }>(
    knex,
    'select serial, token from forward_feed',
  )
  if (before !== undefined) expect(feed).toEqual({ serial: before.serial, token: before.token })
}

/** What the feed of the zone says of the domains of these tests, forwarded and not. */
export const FORWARDED = [{ type: 'A', ttl: 60, rdata: ['192.0.2.80', '192.0.2.81'] }]
export const OWN = [{ type: 'A', ttl: 60, rdata: ['203.0.113.1'] }]

/** Stores the addresses of `FORWARDED`, in another order. */
export async function storeForwardAddresses(knex: Knex): Promise<void> {
  await query(knex, 'delete from forward_addresses')
  await query(knex, `insert into forward_addresses values ('192.0.2.81'), ('192.0.2.80')`)
}

/** The state of a name in the feed of its zone; undefined when it does not exist. */
export const servedState = async (knex: Knex, owner: string): Promise<unknown> =>
  replay(await toldSets(knex, await zoneId(knex)))[owner]

/** The state of a name in the forward feed; undefined when the feed does not have it. */
export async function toldForward(knex: Knex, name: string): Promise<unknown> {
  const [row] = await query<{ forward: unknown }>(
    knex,
    'select forward from forward_target where name = ?',
    [name],
  )
  return row?.forward
}

/** Changes columns of domains, as a change of state does, and publishes them. */
export async function changeDomains(
  knex: Knex,
  assignment: string,
  ids: readonly string[],
): Promise<void> {
  await knex.transaction(async (trx) => {
    await lockDomains(trx, ids)
    await query(trx, `update domains set ${assignment} where id = any (?::bigint[])`, [[...ids]])
    await publishDomains(trx, ids)
  })
}

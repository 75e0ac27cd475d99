/**
 * Everything that changes whether a domain is served or exists also changes the forward feed, in the same transaction.
 * The writers are called as their users call them.
 */
import type { Domain } from '@homing/openapi'
import assert from 'node:assert/strict'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { query } from '../../src/database/sql.ts'
import type { Caller } from '../support/api-world.ts'
import type { Method } from '../support/domain-world.ts'
import { expectForwardFeedEqualsTables, lastChange, toldForward } from '../support/forward-world.ts'
import { removeAccount } from '../support/remove-account.ts'
import { useForwardWorld } from '../support/web-forward-world.ts'

const t = useForwardWorld()
let boss: Caller
/** A forwarded domain, its wildcard, and a registered name below it. */
let home: Domain
let wildcard: Domain
let below: Domain

beforeAll(async () => {
  boss = await t.world.person('boss', 'admin')
})
beforeEach(async () => {
  t.targets.describe('https://shop.example.com/', {})
  home = await t.domain(t.ada, 'home')
  const { fqdn } = home
  wildcard = await t.read<Domain>(t.ada, 'POST', '/api/domains/wildcard', { base_fqdn: fqdn })
  below = await t.made(t.ada, { fqdn: `cam.${fqdn}`, record_ip: '203.0.113.8' })
  const body = { domain_id: home.id, target_url: 'https://shop.example.com/' }
  await t.read(t.ada, 'POST', '/api/webforward', body)
})

async function call(who: Caller, method: Method, url: string, body?: object): Promise<void> {
  const answer = await t.call(who, method, url, body)
  assert.ok(answer.status < 300, answer.body)
}
const byOwner = (method: Method, url: string, body?: object) => call(t.ada, method, url, body)
const byBoss = (method: Method, url: string, body?: object) => call(boss, method, url, body)

type State = 'forwarded' | 'stops the wildcard' | 'absent'

/** What the feed says of a name; of one that left it, with the seconds for which forwarders go on. */
async function stateOf(fqdn: string): Promise<State | `absent after ${number} s`> {
  const told = await toldForward(t.world.knex, fqdn)
  if (told === null) return 'stops the wildcard'
  if (told !== undefined) return 'forwarded'
  const last = await lastChange(t.world.knex, fqdn)
  return last === undefined ? 'absent' : `absent after ${last.grace_seconds} s`
}
const states = async () => [
  await stateOf(home.fqdn),
  await stateOf(wildcard.fqdn),
  await stateOf(below.fqdn),
]

const serial = async () => {
  const [feed] = await query<{ serial: string }>(t.world.knex, 'select serial from forward_feed')
  assert.ok(feed)
  return feed.serial
}

/** The changes of the forward feed after a serial that no transaction of a zone's feed wrote. */
const strayChanges = (after: string) =>
  query(
    t.world.knex,
    `select f.name, f.serial from forward_changes f
     where f.serial > ?::bigint and not exists (select from zone_changes z where z.xmin = f.xmin)`,
    [after],
  )

const IN_FORCE = ['forwarded', 'forwarded', 'stops the wildcard']
const GONE = ['absent after 120 s', 'absent after 120 s', 'absent after 120 s']
const STOPPED = ['absent after 0 s', 'absent after 0 s', 'absent after 120 s']

test('the start of a forward', async () => {
  expect(await states()).toEqual(IN_FORCE)
})

/** Each: what happens, then what the feed says of the domain, its wildcard and the name below. */
const WRITERS: readonly [string, () => Promise<unknown>, readonly string[]][] = [
  ['lock', () => byBoss('POST', `/api/admin/domains/${home.id}/lock`), STOPPED],
  [
    'lock and unlock',
    async () => {
      await byBoss('POST', `/api/admin/domains/${home.id}/lock`)
      await byBoss('POST', `/api/admin/domains/${home.id}/unlock`)
    },
    IN_FORCE,
  ],
  ['lock of the name below', () => byBoss('POST', `/api/admin/domains/${below.id}/lock`), IN_FORCE],
  [
    'block of the owner',
    () => byBoss('PUT', `/api/admin/users/${t.ada.id}`, { enabled: false }),
    STOPPED,
  ],
  [
    'block of the owner and its end',
    async () => {
      await byBoss('PUT', `/api/admin/users/${t.ada.id}`, { enabled: false })
      await byBoss('PUT', `/api/admin/users/${t.ada.id}`, { enabled: true })
    },
    IN_FORCE,
  ],
  ['pause', () => byOwner('PUT', `/api/domains/${home.id}`, { paused: true }), GONE],
  [
    'pause in a batch',
    () =>
      byOwner('POST', '/api/domains/bulk', {
        operations: [{ op: 'change', id: home.id, paused: true }],
      }),
    GONE,
  ],
  [
    'pause, and the undo of it',
    async () => {
      await byOwner('PUT', `/api/domains/${home.id}`, { paused: true })
      const [event] = await t.read<{ id: string }[]>(t.ada, 'GET', `/api/domains/${home.id}/events`)
      await byOwner('POST', `/api/domains/${home.id}/events/${event?.id}/undo`)
    },
    IN_FORCE,
  ],
  ['deletion', () => byOwner('DELETE', `/api/domains/${home.id}`), GONE],
  [
    'deletion in a batch',
    () => byOwner('POST', '/api/domains/bulk', { operations: [{ op: 'delete', id: home.id }] }),
    GONE,
  ],
  [
    'deletion and restoration, which brings back the forward',
    async () => {
      await byOwner('DELETE', `/api/domains/${home.id}`)
      await byOwner('POST', `/api/domains/${home.id}/restore`)
    },
    IN_FORCE,
  ],
  [
    'deletion of the wildcard',
    () => byOwner('DELETE', `/api/domains/${wildcard.id}`),
    ['forwarded', 'absent after 120 s', 'absent after 120 s'],
  ],
  [
    'deletion and creation of the wildcard',
    async () => {
      await byOwner('DELETE', `/api/domains/${wildcard.id}`)
      await byOwner('POST', '/api/domains/wildcard', { base_fqdn: home.fqdn })
    },
    IN_FORCE,
  ],
  [
    'deletion of the name below',
    () => byOwner('DELETE', `/api/domains/${below.id}`),
    ['forwarded', 'forwarded', 'absent after 0 s'],
  ],
  [
    'deletion and restoration of the name below',
    async () => {
      await byOwner('DELETE', `/api/domains/${below.id}`)
      await byOwner('POST', `/api/domains/${below.id}/restore`)
    },
    IN_FORCE,
  ],
  [
    'removal of the account',
    () => removeAccount(t.world.knex, t.ada.id),
    ['absent after 120 s', 'absent after 120 s', 'absent after 0 s'],
  ],
  [
    'a plan without wildcards',
    () => byBoss('PUT', `/api/admin/users/${t.ada.id}`, { account_type: 'free' }),
    ['forwarded', 'absent after 120 s', 'absent after 3660 s'],
  ],
]

test.each(WRITERS)('%s', async (_, act, expected) => {
  const before = await serial()
  await act()
  expect(await states()).toEqual(expected)
  await expectForwardFeedEqualsTables(t.world.knex)
  expect(await strayChanges(before)).toEqual([])
  await t.served(home.fqdn)
})

test('a smaller plan that withholds the domain', async () => {
  // The free plan has five domains, and serves the oldest ones.
  await byOwner('DELETE', `/api/domains/${home.id}`)
  for (const n of [1, 2, 3, 4]) await t.domain(t.ada, `old${n}`)
  const forward = await t.forwarded(t.ada, 'late', { target_url: 'https://shop.example.com/' })
  expect(await stateOf(forward.fqdn)).toBe('forwarded')
  await byBoss('PUT', `/api/admin/users/${t.ada.id}`, { account_type: 'free' })
  expect(await stateOf(forward.fqdn)).toBe('absent after 120 s')
  await byBoss('PUT', `/api/admin/users/${t.ada.id}`, { account_type: 'pro' })
  expect(await stateOf(forward.fqdn)).toBe('forwarded')
  await expectForwardFeedEqualsTables(t.world.knex)
})

test('a name that is registered below a forwarded wildcard', async () => {
  const fqdn = `new.${home.fqdn}`
  expect(await stateOf(fqdn)).toBe('absent')
  await t.made(t.ada, { fqdn, record_ip: '203.0.113.9' })
  expect(await stateOf(fqdn)).toBe('stops the wildcard')
  const second = `newer.${home.fqdn}`
  await byOwner('POST', '/api/domains/bulk', {
    operations: [{ op: 'create', fqdn: second, record_ip: '203.0.113.9' }],
  })
  expect(await stateOf(second)).toBe('stops the wildcard')
  await expectForwardFeedEqualsTables(t.world.knex)
})

/** Administrators block targets for all web forwards. */
import type { AdminWebForward, BlockedTarget, DomainEvent, WebForward } from '@homing/openapi'
import { beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../../test/support/api-world.ts'
import { expectForwardFeedEqualsTables, toldForward } from '../../../test/support/forward-world.ts'
import { KeepingMailer, runJobs } from '../../../test/support/mail.ts'
import { removeAccount } from '../../../test/support/remove-account.ts'
import { useForwardWorld } from '../../../test/support/web-forward-world.ts'
import { query } from '../../database/sql.ts'

const t = useForwardWorld()
const URL = '/api/admin/blocked-targets'
const REASON = 'It imitates a bank.'
const REFUSED = {
  status: 422,
  code: 'target-not-allowed',
  detail: 'An administrator blocked this target. Please contact support.',
}
let boss: Caller
let eve: Caller
let hosts = 0

beforeAll(async () => {
  boss = await t.world.person('boss', 'admin')
  eve = await t.world.person('eve', 'elite')
})

/** A host that no other test uses, at which every target of a test answers. */
const freshHost = () => `h${(hosts += 1)}.evil.com`

const target = (host: string, path = '/'): string => {
  const url = `https://${host}${path}`
  t.targets.describe(url, {})
  return url
}

const block = (given: string, scope: string, reason = REASON) =>
  t.read<BlockedTarget>(boss, 'POST', URL, { target: given, scope, reason })
const unblock = (id: string) => t.call(boss, 'DELETE', `${URL}/${id}`)
const list = (filter: object) =>
  t.read<BlockedTarget[]>(
    boss,
    'GET',
    `${URL}?filter=${encodeURIComponent(JSON.stringify(filter))}`,
  )
const own = async (who: Caller, id: string) =>
  (await t.read<WebForward[]>(who, 'GET', '/api/webforward')).find((each) => each.id === id)

test('a block stops every forward to the target at once, and its end starts them again', async () => {
  const host = freshHost()
  const ofAda = await t.forwarded(t.ada, 'one', { target_url: target(host) })
  const ofEve = await t.forwarded(eve, 'two', { target_url: target(`www.${host}`, '/a') })
  const paused = await t.forwarded(eve, 'three', {
    target_url: target(host, '/b'),
    is_active: false,
  })
  const other = await t.forwarded(t.ada, 'four', { target_url: target(`not${host}`) })
  const told = (fqdn: string) => toldForward(t.world.knex, fqdn)
  expect(await told(ofEve.fqdn)).toBeDefined()

  const blocked = await block(`HTTPS://${host.toUpperCase()}.:8443/x`, 'subdomains')
  expect(blocked).toMatchObject({
    host,
    scope: 'subdomains',
    path: '',
    reason: REASON,
    forwards: 3,
    blocked_by: 'boss',
  })
  for (const [who, { id, fqdn }] of [
    [t.ada, ofAda],
    [eve, ofEve],
    [eve, paused],
  ] as const) {
    expect(await own(who, id)).toMatchObject({ disabled_reason: REASON })
    expect(await told(fqdn)).toBeUndefined()
  }
  expect(await own(t.ada, other.id)).toMatchObject({ disabled_reason: null })
  await expectForwardFeedEqualsTables(t.world.knex)
  const shown = await t.read<AdminWebForward[]>(
    boss,
    'GET',
    `/api/admin/web-forwards?filter=${encodeURIComponent(JSON.stringify({ blocked_target_id: blocked.id }))}`,
  )
  expect(shown.map(({ id }) => id).toSorted()).toEqual([ofAda.id, ofEve.id, paused.id].toSorted())

  expect((await unblock(blocked.id)).status).toBe(204)
  expect(await own(t.ada, ofAda.id)).toMatchObject({ disabled_reason: null, is_active: true })
  expect(await own(eve, paused.id)).toMatchObject({ disabled_reason: null, is_active: false })
  expect(await told(ofEve.fqdn)).toMatchObject({ target: `https://www.${host}/a` })
  expect(await told(paused.fqdn)).toBeUndefined()
  await expectForwardFeedEqualsTables(t.world.knex)
})

test('a blocked target is refused wherever a forward gets a target', async () => {
  const host = freshHost()
  const was = await t.forwarded(t.ada, 'was', { target_url: target(host, '/login/1') })
  const safe = target(freshHost())
  await t.read(t.ada, 'PUT', `/api/webforward/${was.id}`, { target_url: safe })
  const spare = await t.forwarded(eve, 'spare', { target_url: target(freshHost()) })
  const blocked = await block(`${host}/login`, 'path')
  expect(blocked).toMatchObject({ path: '/login', forwards: 0 })

  const { id } = await t.domain(eve, 'new')
  const bad = `http://${host}:8080//%6Cogin/2?x=1`
  const refuse = (method: 'POST' | 'PUT', url: string, body: object) =>
    t.refused(eve, method, url, body)
  const given = { domain_id: id, target_url: bad }
  expect(await refuse('POST', '/api/webforward', given)).toMatchObject(REFUSED)
  expect(await refuse('POST', '/api/webforward/check', given)).toMatchObject(REFUSED)
  const change = { target_url: bad }
  expect(await refuse('PUT', `/api/webforward/${spare.id}`, change)).toMatchObject(REFUSED)
  const short = 'https://sho.example.com/blocked'
  t.targets.describe(short, { status: 302, headers: { location: bad } })
  expect(await refuse('POST', '/api/webforward', { ...given, target_url: short })).toMatchObject({
    detail: 'The target redirects to a URL that an administrator blocked. Please contact support.',
  })

  // The history still has the former target.
  const history = `/api/domains/${was.domain_id}/events`
  const events = await t.read<DomainEvent[]>(t.ada, 'GET', history)
  const undo = `${history}/${events.find(({ kind }) => kind === 'forward-changed')?.id}/undo`
  expect(await t.refused(t.ada, 'POST', undo, {})).toMatchObject(REFUSED)

  const beside = target(host, '/logins')
  await t.forwarded(eve, 'beside', { target_url: beside })
})

test('a block outlives the forwards that it stopped and their accounts', async () => {
  const host = freshHost()
  const mallory = await t.world.person(t.fresh('mallory'), 'pro')
  await t.forwarded(mallory, 'gone', { target_url: target(host) })
  const { id } = await block(host, 'host')
  await removeAccount(t.world.knex, mallory.id)
  expect(await list({ q: host })).toMatchObject([{ id, forwards: 0 }])
  const { id: domain_id } = await t.domain(t.ada, 'next')
  const again = { domain_id, target_url: target(host) }
  expect(await t.refused(t.ada, 'POST', '/api/webforward', again)).toMatchObject(REFUSED)
})

test('a target that is blocked while it is examined is refused', async () => {
  const host = freshHost()
  const { id: domain_id } = await t.domain(t.ada, 'race')
  const url = target(host)
  t.targets.describe(url, async () => {
    await block(host, 'host')
    return {}
  })
  expect(
    await t.refused(t.ada, 'POST', '/api/webforward', { domain_id, target_url: url }),
  ).toMatchObject(REFUSED)
})

test('a forward runs again only when no block and no administrator stops it', async () => {
  const host = freshHost()
  const { id, fqdn } = await t.forwarded(t.ada, 'twice', { target_url: target(host, '/a') })
  const disabled = await t.forwarded(t.ada, 'itself', { target_url: target(host, '/b') })
  const moderate = (forward: string, body: object) =>
    t.call(boss, 'PUT', `/api/admin/web-forwards/${forward}`, body)
  await moderate(disabled.id, { is_disabled: true, reason: 'Spam.' })
  const narrow = await block(`${host}/a`, 'path', 'Narrow.')
  const wide = await block(host, 'host', 'Wide.')
  expect([narrow.forwards, wide.forwards]).toEqual([1, 0])

  expect(JSON.parse((await moderate(id, { is_disabled: false })).body)).toMatchObject({
    status: 409,
    code: 'conflict',
    detail: `The target is blocked for all web forwards: ${host}/a. Delete the blocked target ${narrow.id} first.`,
  })
  await unblock(narrow.id)
  expect(await own(t.ada, id)).toMatchObject({ disabled_reason: 'Wide.' })
  expect(await list({ id: wide.id })).toMatchObject([{ forwards: 1 }])
  await unblock(wide.id)
  expect(await own(t.ada, id)).toMatchObject({ disabled_reason: null })
  expect(await toldForward(t.world.knex, fqdn)).toBeDefined()
  expect(await own(t.ada, disabled.id)).toMatchObject({ disabled_reason: 'Spam.' })
})

test('a block of many forwards is finished by a job, and so is its end', async () => {
  const { knex, services } = t.world
  const host = freshHost()
  await query(
    knex,
    `with made as (
       insert into domains (user_id, zone_id, fqdn, rrtype, ttl)
       select ?, z.id, ? || n || '.homing.test', 'A', 60 from generate_series(1, 60) n, zones z where z.name = 'homing.test'
       returning id, user_id)
     insert into web_forwards (domain_id, user_id, target_url, forwarding_type)
     select id, user_id, 'https://' || ? || '/', 'redirect' from made`,
    [t.ada.id, t.fresh('many'), host],
  )
  const stopped = async (id: string) => (await list({ id }))[0]?.forwards
  const blocked = await block(host, 'host')
  expect(blocked.forwards).toBe(50)
  expect(await runJobs(services, new KeepingMailer())).toContain('blocked-target')
  expect(await stopped(blocked.id)).toBe(60)
  await unblock(blocked.id)
  const left = () =>
    query(knex, 'select from web_forwards where blocked_target_id = ?', [blocked.id])
  expect(await left()).toHaveLength(10)
  await runJobs(services, new KeepingMailer())
  expect(await left()).toHaveLength(0)
})

test('a target is blocked once in a scope, and what cannot be blocked is refused', async () => {
  const host = freshHost()
  const { id } = await block(`${host}/a/`, 'path')
  const call = (body: object) => t.refused(boss, 'POST', URL, { reason: REASON, ...body })
  expect(await call({ target: `http://${host}//a?b`, scope: 'path' })).toMatchObject({
    status: 409,
    detail: `${host}/a is blocked already.`,
  })
  expect(await call({ target: 'com', scope: 'subdomains' })).toMatchObject({
    status: 422,
    errors: [{ field: 'target' }],
  })
  expect(await call({ target: host, scope: 'host', reason: ' ' })).toMatchObject({
    errors: [{ field: 'reason' }],
  })
  expect(await list({ q: `${host.toUpperCase()}/A`, scope: 'path' })).toMatchObject([{ id }])
  for (const field of ['id', 'host', 'blocked_at', 'forwards']) {
    const sort = encodeURIComponent(JSON.stringify([field, 'DESC']))
    const answer = await t.call(boss, 'GET', `${URL}?sort=${sort}&range=[0,0]`)
    expect(answer.headers['content-range']).toMatch(/^blocked-targets 0-0\/\d+$/)
  }
  await unblock(id)
  expect((await unblock(id)).status).toBe(404)
})

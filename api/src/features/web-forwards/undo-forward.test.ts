/** The undo of events of web forwards over HTTP. */
import type { DomainEvent, SavedWebForward, WebForward } from '@homing/openapi'
import { beforeEach, describe, expect, test } from 'vitest'
import { address } from '../../../test/support/domain-world.ts'
import { useForwardWorld } from '../../../test/support/web-forward-world.ts'
import { query } from '../../database/sql.ts'

const t = useForwardWorld()
const SHOP = 'https://shop.example.com/start'
const BLOG = 'https://blog.example.com/'

beforeEach(() => {
  t.targets.describe(SHOP, {})
  t.targets.describe(BLOG, {})
})

const events = (domainId: string) =>
  t.read<DomainEvent[]>(t.ada, 'GET', `/api/domains/${domainId}/events`)

/** The newest event of a forward. */
async function newest(domainId: string): Promise<DomainEvent> {
  const found = (await events(domainId)).find(({ kind }) => kind.startsWith('forward-'))
  if (found === undefined) throw new Error('the domain has no event of a forward')
  return found
}

const urlOf = (domainId: string, eventId: string) =>
  `/api/domains/${domainId}/events/${eventId}/undo`
const undo = async (domainId: string, eventId?: string, headers?: Record<string, string>) =>
  t.call(t.ada, 'POST', urlOf(domainId, eventId ?? (await newest(domainId)).id), undefined, headers)
const notUndone = async (domainId: string, eventId?: string, headers?: Record<string, string>) =>
  t.refused(
    t.ada,
    'POST',
    urlOf(domainId, eventId ?? (await newest(domainId)).id),
    undefined,
    headers,
  )
const put = (id: string, body: object) => t.call(t.ada, 'PUT', `/api/webforward/${id}`, body)
const remove = ({ id }: SavedWebForward) => t.call(t.ada, 'DELETE', `/api/webforward/${id}`)
const forwards = () => t.read<WebForward[]>(t.ada, 'GET', '/api/webforward')

/** Changes the account's plan without applying it: the undo itself has to see it. */
const choose = (plan: string) =>
  query(t.world.knex, 'update users set account_type = ? where id = ?', [plan, t.ada.id])

describe('the undo of', () => {
  test('a start ends the forward, and its own undo starts it again', async () => {
    const made = await t.forwarded(t.ada, 'start', { target_url: SHOP, status_code: 307 })
    const started = await newest(made.domain_id)
    expect((await undo(made.domain_id)).status).toBe(200)
    expect(await forwards()).toEqual([])
    expect(await t.served(made.fqdn)).toEqual([address('A', '203.0.113.7')])
    const ended = await newest(made.domain_id)
    expect(ended).toMatchObject({ kind: 'forward-ended', undoes: started.id })
    expect(await notUndone(made.domain_id, started.id)).toMatchObject({
      status: 409,
      code: 'already-undone',
    })

    expect((await undo(made.domain_id)).status).toBe(200)
    expect(await forwards()).toMatchObject([{ target_url: SHOP, status_code: 307 }])
    expect(await newest(made.domain_id)).toMatchObject({
      kind: 'forward-started',
      undoes: ended.id,
    })
  })

  test('a change restores each setting and no address', async () => {
    const before = {
      target_url: SHOP,
      forwarding_type: 'stealth',
      title: 'Shop',
      description: 'Things',
      forward_path: false,
    }
    const made = await t.forwarded(t.ada, 'change', before)
    const after = {
      target_url: BLOG,
      forwarding_type: 'redirect',
      status_code: 302,
      forward_path: true,
    }
    await put(made.id, { ...after, is_active: false })
    await t.call(t.ada, 'PUT', `/api/domains/${made.domain_id}`, { record_ip: '203.0.113.9' })
    const answer = await undo(made.domain_id)
    expect(JSON.parse(answer.body)).toMatchObject({ record_ip: '203.0.113.9' })
    expect(await forwards()).toMatchObject([
      { ...before, id: made.id, status_code: 301, is_active: true, uses_stealth_flag: true },
    ])
  })

  test('an end is not possible while the domain is locked', async () => {
    const made = await t.forwarded(t.ada, 'locked', { target_url: SHOP })
    await remove(made)
    await t.withhold(made.domain_id, 'locked')
    expect(await notUndone(made.domain_id)).toMatchObject({ status: 403, code: 'domain-locked' })
    expect(await forwards()).toEqual([])
  })
})

describe('refused', () => {
  test('after a later change of the forward, but not after a change of something else', async () => {
    const made = await t.forwarded(t.ada, 'later', { target_url: SHOP })
    const started = await newest(made.domain_id)
    await put(made.id, { status_code: 302 })
    const asked = t.targets.asked.length
    expect(await notUndone(made.domain_id, started.id)).toMatchObject({
      status: 409,
      code: 'undo-refused',
      detail:
        'The change cannot be undone: the domain was changed again afterwards. Undo the later change first.',
    })
    expect(t.targets.asked).toHaveLength(asked)
    await t.call(t.ada, 'PUT', `/api/domains/${made.domain_id}`, { note: 'Later' })
    expect((await undo(made.domain_id)).status).toBe(200)
  })

  test('after another change between the check of the target and the lock', async () => {
    const made = await t.forwarded(t.ada, 'raced', { target_url: SHOP })
    await put(made.id, { target_url: BLOG })
    const { id } = await newest(made.domain_id)
    const [first, second] = await Promise.all([undo(made.domain_id, id), undo(made.domain_id, id)])
    const statuses = [first, second].map(({ status }) => status)
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 409])
  })

  test('with another version of the domain', async () => {
    const made = await t.forwarded(t.ada, 'version', { target_url: SHOP })
    expect(await notUndone(made.domain_id, undefined, { 'if-match': '"99"' })).toMatchObject({
      status: 412,
      code: 'version-mismatch',
    })
    expect(await forwards()).toHaveLength(1)
  })

  test('when the domain has no web forward any more', async () => {
    const made = await t.forwarded(t.ada, 'restored', { target_url: SHOP })
    await query(t.world.knex, 'delete from web_forwards where id = ?', [made.id])
    expect(await notUndone(made.domain_id)).toMatchObject({
      status: 409,
      code: 'undo-refused',
      detail: 'The change cannot be undone: the domain has no web forward any more. Create one.',
    })
  })

  test('for a free plan, which can still end a forward', async () => {
    const kept = await t.forwarded(t.ada, 'kept', { target_url: SHOP })
    const gone = await t.forwarded(t.ada, 'gone', { target_url: SHOP })
    await remove(gone)
    await choose('free')
    expect(await notUndone(gone.domain_id)).toMatchObject({ status: 403, code: 'plan-required' })
    expect((await undo(kept.domain_id)).status).toBe(200)
    expect(await forwards()).toEqual([])
  })

  test('without a stealth flag', async () => {
    const framed = { target_url: SHOP, forwarding_type: 'stealth' }
    const made = await t.forwarded(t.ada, 'flag', framed)
    await put(made.id, { forwarding_type: 'redirect' })
    for (let n = 0; n < 10; n += 1) await t.forwarded(t.ada, `flag${n}`, framed)
    expect(await notUndone(made.domain_id)).toMatchObject({ status: 403, code: 'stealth-limit' })
  })

  test('when the former target is not allowed any more', async () => {
    const made = await t.forwarded(t.ada, 'inward', { target_url: SHOP })
    await put(made.id, { target_url: BLOG })
    t.targets.describe(SHOP, { status: 302, headers: { location: `http://${made.fqdn}/` } })
    expect(await notUndone(made.domain_id)).toMatchObject({
      status: 422,
      code: 'target-not-allowed',
    })
    expect(await forwards()).toMatchObject([{ target_url: BLOG }])
  })

  test('for the decision of an administrator', async () => {
    const boss = await t.world.person(t.fresh('boss'), 'admin')
    const made = await t.forwarded(t.ada, 'stopped', { target_url: SHOP })
    const moderate = (body: object) =>
      t.call(boss, 'PUT', `/api/admin/web-forwards/${made.id}`, body)
    const started = await newest(made.domain_id)
    await moderate({ is_disabled: true, reason: 'Phishing.' })
    const byAdministrator = {
      status: 409,
      code: 'undo-refused',
      detail: 'The change cannot be undone: an administrator made it. Please contact support.',
    }
    expect(await notUndone(made.domain_id)).toMatchObject(byAdministrator)
    expect(await notUndone(made.domain_id, started.id)).toMatchObject({ code: 'undo-refused' })
    await moderate({ is_disabled: false })
    expect(await notUndone(made.domain_id)).toMatchObject(byAdministrator)
    expect(await forwards()).toMatchObject([{ target_url: SHOP, disabled_reason: null }])
  })
})

import type { Domain } from '@homing/openapi'
import { describe, expect, test } from 'vitest'
import { address, useDomainWorld } from '../../../test/support/domain-world.ts'
import { UpdateNotStored } from '../../feed/address-change.ts'

const t = useDomainWorld()

describe('PUT /api/domains/{id}', () => {
  test('sets, keeps and withdraws each family', async () => {
    const { id, fqdn } = await t.made(t.ada, {
      fqdn: `${t.fresh('put')}.homing.test`,
      record_ip: '192.0.2.1',
    })
    const put = async (change: object, url = id) => {
      const answer = await t.call(t.ada, 'PUT', `/api/domains/${url}`, change)
      expect(answer).toMatchObject({ status: 200 })
      const domain = JSON.parse(answer.body) as Domain
      expect(answer.headers.etag).toBe(`"${domain.version}"`)
      return [domain.record_ipv4, domain.record_ipv6, domain.version]
    }
    expect(await put({ record_ip: '192.0.2.2' })).toEqual(['192.0.2.2', null, 2])
    expect(await put({ record_ipv6: '2001:DB8::2' })).toEqual(['192.0.2.2', '2001:db8::2', 3])
    expect(await t.served(fqdn)).toEqual([
      address('A', '192.0.2.2'),
      address('AAAA', '2001:db8::2'),
    ])
    expect(await put({ record_ip: '192.0.2.2' })).toEqual(['192.0.2.2', '2001:db8::2', 3])
    expect(await put({})).toEqual(['192.0.2.2', '2001:db8::2', 3])
    expect(await put({ record_ipv4: null }, `fqdn/${fqdn}`)).toEqual([null, '2001:db8::2', 4])
    expect(await put({ record_ip: '192.0.2.3', record_ipv6: null })).toEqual(['192.0.2.3', null, 5])
    expect(await t.events(id)).toMatchObject([
      { kind: 'created' },
      { kind: 'address', old: '192.0.2.1', new: '192.0.2.2' },
      { kind: 'address', old: '192.0.2.2', new: '192.0.2.2' },
      { kind: 'address', old: '192.0.2.2', new: null },
      { kind: 'address', old: null, new: '192.0.2.3', client: 'lightMyRequest' },
    ])
  })

  test.each([
    [{ record_ip: '2001:db8::1' }, 'validation-failed', 'record_ip'],
    [{ record_ip: '' }, 'validation-failed', 'record_ip'],
    [{ record_ip: '255.255.255.255' }, 'address-not-allowed', 'record_ip'],
    [{ record_ipv6: 'fe80::1%eth0' }, 'validation-failed', 'record_ipv6'],
    [{ fqdn: 'other.homing.test' }, 'validation-failed', 'fqdn'],
    [{ ttl: 60 }, 'validation-failed', 'ttl'],
    [{ user_id: '1' }, 'validation-failed', 'user_id'],
    [{ locked: false }, 'validation-failed', 'locked'],
  ])('%j is refused', async (change, code, field) => {
    const domain = await t.made(t.ada, {
      fqdn: `${t.fresh('bad')}.homing.test`,
      record_ip: '192.0.2.1',
    })
    expect(await t.refused(t.ada, 'PUT', `/api/domains/${domain.id}`, change)).toMatchObject({
      status: 422,
      code,
      errors: [{ field }],
    })
    expect(JSON.parse((await t.call(t.ada, 'GET', `/api/domains/${domain.id}`)).body)).toEqual(
      domain,
    )
    await t.call(t.ada, 'DELETE', `/api/domains/${domain.id}`)
  })

  test('If-Match: a domain that was changed meanwhile is not overwritten', async () => {
    const { id } = await t.made(t.ada, {
      fqdn: `${t.fresh('match')}.homing.test`,
      record_ip: '192.0.2.1',
    })
    const url = `/api/domains/${id}`
    const first = await t.call(t.ada, 'PUT', url, { record_ip: '192.0.2.2' }, { 'if-match': '"1"' })
    expect(first.status).toBe(200)
    const late = await t.refused(
      t.ada,
      'PUT',
      url,
      { record_ip: '192.0.2.3' },
      { 'if-match': '"1"' },
    )
    expect(late).toMatchObject({ status: 412, code: 'version-mismatch' })
    expect(late.detail).toContain('version 2')
    expect(
      await t.call(t.ada, 'PUT', url, { record_ip: '192.0.2.3' }, { 'if-match': '*' }),
    ).toMatchObject({ status: 200 })
  })

  test('of two changes of one version exactly one succeeds', async () => {
    const { id } = await t.made(t.ada, {
      fqdn: `${t.fresh('two')}.homing.test`,
      record_ip: '192.0.2.1',
    })
    const answers = await Promise.all(
      [2, 3, 4, 5].map((n) =>
        t.call(
          t.ada,
          'PUT',
          `/api/domains/${id}`,
          { record_ip: `192.0.2.${n}` },
          { 'if-match': '"1"' },
        ),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200, 412, 412, 412,
    ])
  })

  test.each([
    ['locked', 'an administrator locked it'],
    ['over_limit', 'it is over the limit of your plan'],
    ['owner_blocked', 'your account is disabled'],
  ])('a withheld name (%s) accepts no address', async (column, words) => {
    const { id } = await t.made(t.ada, { fqdn: `${t.fresh(column.replace('_', '-'))}.homing.test` })
    await t.withhold(id, column)
    const problem = await t.refused(t.ada, 'PUT', `/api/domains/${id}`, { record_ip: '192.0.2.1' })
    expect(problem).toMatchObject({ status: 423, code: 'withheld' })
    expect(problem.detail).toContain(words)
  })

  test('a name that its owner paused stores the address and is not served', async () => {
    const { id, fqdn } = await t.made(t.ada, {
      fqdn: `${t.fresh('paused')}.homing.test`,
      record_ip: '192.0.2.1',
    })
    await t.withhold(id, 'paused')
    expect(
      (await t.call(t.ada, 'PUT', `/api/domains/${id}`, { record_ip: '192.0.2.2' })).status,
    ).toBe(200)
    expect(await t.served(fqdn)).toBeUndefined()
  })

  test('an unavailable database: 503 with Retry-After, never a success', async () => {
    const { id } = await t.made(t.ada, {
      fqdn: `${t.fresh('away')}.homing.test`,
      record_ip: '192.0.2.1',
    })
    const { coalescer } = t.world.services
    const submit = coalescer.submit.bind(coalescer)
    coalescer.submit = () => Promise.reject(new UpdateNotStored(new Error('Connection terminated')))
    try {
      const answer = await t.call(t.ada, 'PUT', `/api/domains/${id}`, { record_ip: '192.0.2.2' })
      expect(answer.status).toBe(503)
      expect(answer.headers['retry-after']).toBe('5')
    } finally {
      coalescer.submit = submit
    }
  })
})

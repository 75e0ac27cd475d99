/** The limits of a new key: valid values, and when the key expires. */
import type { ApiKey, CreatedApiKey, NewApiKey } from '@homing/openapi'
import { describe, expect, test } from 'vitest'
import { useAccountWorld } from '../../../test/support/account-world.ts'
import { call, problemOf } from '../../../test/support/calls.ts'

const DAY_MS = 86_400_000
const t = useAccountWorld()

const make = (fields: Partial<NewApiKey>) =>
  t.as(t.ada.headers, 'POST', '/api/api-keys/', { name: 'ci', ...fields })
const made = async (fields: Partial<NewApiKey>) => (await make(fields)).json<CreatedApiKey>()

describe('a key that expires without use', () => {
  const use = async (key: string) => {
    const headers = { authorization: `Bearer ${key}` }
    const { status } = await call(t.world.app, 'GET', '/api/domains', { headers })
    await t.world.services.secretUses.flush()
    return status
  }

  test('is extended by each use, and not revived by an attempt', async () => {
    const { key } = await made({ unused_days: 2 })
    const pass = (days: number) => (t.clock = new Date(t.clock.getTime() + days * DAY_MS))
    pass(1)
    expect(await use(key)).toBe(200)
    pass(1.9)
    expect(await use(key)).toBe(200)
    pass(2)
    expect([await use(key), await use(key)]).toEqual([401, 401])
    const [listed] = (
      await call(t.world.app, 'GET', '/api/api-keys/', {
        headers: await t.world.signIn(t.ada.id),
      })
    ).json<ApiKey[]>()
    expect(listed).toMatchObject({ unused_days: 2, is_expired: true })
  })

  test('shows the address and the client of its last use', async () => {
    const { key } = await made({})
    await call(t.world.app, 'GET', '/api/domains', {
      headers: { authorization: `Bearer ${key}`, 'user-agent': 'pipeline/1.0' },
      ip: '198.51.100.7',
    })
    await t.world.services.secretUses.flush()
    const [listed] = (
      await call(t.world.app, 'GET', '/api/api-keys/', { headers: t.ada.headers })
    ).json<ApiKey[]>()
    expect(listed).toMatchObject({ last_used_ip: '198.51.100.7', last_client: 'pipeline/1.0' })
  })
})

describe('the values of a new key', () => {
  test('are stored in one form', async () => {
    const { scope } = await made({
      scope: {
        domains: ['HOME.Example.net', ' *.Ci.example.net', 'ci-*.example.net', 'home.example.net'],
        networks: ['203.0.113.7', '2001:DB8:0::/32', '10.0.0.0/8'],
        actions: ['read', 'read'],
      },
    })
    expect(scope).toEqual({
      domains: ['home.example.net', '*.ci.example.net', 'ci-*.example.net'],
      actions: ['read'],
      record_types: null,
      networks: ['203.0.113.7/32', '2001:db8::/32', '10.0.0.0/8'],
    })
  })

  test('more than a hundred names are too many', async () => {
    const domains = Array.from({ length: 101 }, (_, n) => `h${n}.net`)
    expect(problemOf(await make({ scope: { domains } }))).toMatchObject({
      status: 422,
      errors: [{ field: 'scope.domains' }],
    })
  })

  test.each([
    [{ scope: { domains: ['*'] } }, 'scope.domains'],
    [{ scope: { domains: ['a.*.example.net'] } }, 'scope.domains'],
    [{ scope: { domains: ['**.example.net'] } }, 'scope.domains'],
    [{ scope: { domains: ['-*.example.net'] } }, 'scope.domains'],
    [{ scope: { domains: ['a b.example.net'] } }, 'scope.domains'],
    [{ scope: { domains: [''] } }, 'scope.domains'],
    [{ scope: { domains: [] } }, 'scope.domains'],
    [{ scope: { domains: [7] } }, 'scope.domains.0'],
    [{ scope: { domains: 'home.example.net' } }, 'scope.domains'],
    [{ scope: { actions: ['administer'] } }, 'scope.actions.0'],
    [{ scope: { record_types: ['SOA'] } }, 'scope.record_types.0'],
    [{ scope: { networks: ['203.0.113.7/24'] } }, 'scope.networks'],
    [{ scope: { networks: ['203.0.113.0/33'] } }, 'scope.networks'],
    [{ scope: { networks: ['0x7f.1'] } }, 'scope.networks'],
    [{ scope: { networks: ['example.net'] } }, 'scope.networks'],
    [{ scope: { user_id: '1' } }, 'scope.user_id'],
    [{ scope: [] }, 'scope'],
    [{ expires_at: '2001-01-01T00:00:00Z' }, 'expires_at'],
    [{ expires_at: 'tomorrow' }, 'expires_at'],
    [{ expires_at: 7 }, 'expires_at'],
    [{ unused_days: 0 }, 'unused_days'],
    [{ unused_days: 366 }, 'unused_days'],
    [{ unused_days: 1.5 }, 'unused_days'],
    [{ unused_days: '7' }, 'unused_days'],
    [{ last_used_at: null }, 'last_used_at'],
  ])('%j is refused', async (fields, field) => {
    const problem = problemOf(await make(fields as Partial<NewApiKey>))
    expect(problem).toMatchObject({ status: 422, errors: [{ field }] })
  })
})

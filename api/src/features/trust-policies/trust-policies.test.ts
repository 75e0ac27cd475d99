/** The policies of an account: valid contents, who may change them, and their maximum number. */
import { describe, expect, test } from 'vitest'
import { call, problemOf } from '../../../test/support/calls.ts'
import { useTrustWorld } from '../../../test/support/trust-world.ts'
import { query } from '../../database/sql.ts'
import { createTrustPolicy } from './service.ts'

const POLICY = { repository: 'ada/home' }
const t = useTrustWorld()

describe('policies', () => {
  test('show the required claims of tokens', async () => {
    expect(await t.made({ branch: 'main' })).toMatchObject({
      name: 'deploy',
      issuer: t.issuer.url,
      audience: t.world.services.config.publicUrl.origin,
      repository: 'ada/home',
      branch: 'main',
      environment: null,
      scope: { domains: null },
      last_used_at: null,
    })
    expect(await t.list()).toHaveLength(1)
  })

  test('require a session and a plan with keys', async () => {
    const url = '/api/trust-policies/'
    expect((await call(t.world.app, 'GET', url)).status).toBe(401)
    expect((await t.make(POLICY, { headers: {} })).status).toBe(401)
    const free = await t.world.person(`free${t.people}`, 'free')
    expect(problemOf(await t.make(POLICY, free)).code).toBe('plan-required')
    const reply = await call(t.world.app, 'GET', url, { headers: free.headers })
    expect(problemOf(reply).code).toBe('plan-required')
    await t.made()
    expect((await call(t.world.app, 'GET', url, { headers: t.bob.headers })).json()).toEqual([])
  })

  test('are limited to fifty', async () => {
    await query(
      t.world.knex,
      `insert into trust_policies (user_id, name, issuer, subject)
       select ?, 'p', 'https://issuer.example', 's' from generate_series(1, 49)`,
      [t.ada.id],
    )
    const replies = await Promise.all([t.make(POLICY), t.make(POLICY), t.make(POLICY)])
    const limited = replies.filter((reply) => reply.status === 403)
    expect(limited.map((reply) => problemOf(reply).code)).toEqual(['key-limit', 'key-limit'])
  })

  test.each([
    [{ repository: null }, 'repository'],
    [{ repository: '' }, 'repository'],
    [{ repository: 7 }, 'repository'],
    [{ issuer: 'ftp://issuer.example' }, 'issuer'],
    [{ issuer: 'https://user@issuer.example' }, 'issuer'],
    [{ issuer: 'https://issuer.example/?q' }, 'issuer'],
    [{ issuer: 'issuer.example' }, 'issuer'],
    [{ name: ' ' }, 'name'],
    [{ name: 'x'.repeat(51) }, 'name'],
    [{ scope: { domains: ['*'] } }, 'scope.domains'],
    [{ user_id: '1' }, 'user_id'],
  ])('%j is refused', async (fields, field) => {
    const problem = problemOf(await t.make({ ...POLICY, ...fields }))
    expect(problem).toMatchObject({ status: 422, errors: [{ field }] })
  })

  test('an issuer without TLS is allowed only in development', async () => {
    const production = { ...t.world.services.config, allowsPrivateTargets: false }
    const account = {
      id: t.ada.id,
      username: t.ada.username,
      accountType: 'pro',
      hasSecondFactor: false,
      domainLimit: 100,
      ttlSeconds: 60,
      abilities: new Set(['api_keys']),
    }
    const session = { kind: 'session', sessionId: '1', tokenDigest: '', confirmedAt: null } as const
    const input = { name: 'deploy', issuer: 'http://issuer.example', subject: 's' }
    const services = { ...t.world.services, config: production }
    const origin = { ip: '192.0.2.1', callerIp: '192.0.2.1', userAgent: null }
    const made = createTrustPolicy(services, { ...session, account }, input, origin)
    await expect(made).rejects.toThrow('https://')
  })
})

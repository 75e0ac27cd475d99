/** What each part requires and reads, in production and elsewhere. */
import { describe, expect, test } from 'vitest'
import { requireSafeAdminPassword } from './administrator.ts'
import { apiLoader } from './api.ts'
import { forwarderLoader } from './forwarder.ts'
import { operatorWarning } from './operator.ts'
import { databaseLoader, migrateLoader, nameCheckLoader } from './scripts.ts'
import { supervisorLoader } from './supervisor.ts'
import { PRODUCTION, refusalOf, useSupervisorConfig } from './test-support.ts'
import { type Environment, pickVariables } from './variables.ts'
import { plainHttpWarning } from './web.ts'
import { workerLoader } from './worker.ts'

const { dataDir, config, refusal } = useSupervisorConfig()

describe('production', () => {
  test('allows only public addresses by default', () => {
    expect(config(PRODUCTION).addressPolicy).toBe('public')
    expect(config({ ...PRODUCTION, ADDRESS_POLICY: 'any' }).addressPolicy).toBe('any')
  })

  test.each([
    ['SECRET_KEY', ''],
    ['SMTP_URL', ''],
    ['PUBLIC_URL', ''],
    ['PUBLIC_URL', 'http://dns.example.net'],
    ['ZONES', ''],
    ['RATE_LIMITS', 'off'],
    ['ALLOW_PRIVATE_TARGETS', '1'],
    ['MONITOR_INTERVAL', '1'],
    ['ROOT_HINTS', '192.0.2.53:5353'],
  ])('refuses %s=%j', (name, text) => {
    expect(refusal({ ...PRODUCTION, [name]: text })).toMatch(
      new RegExp(`^${name} is .*NODE_ENV=production`),
    )
  })

  test('accepts an http PUBLIC_URL with ALLOW_HTTP=1, and warns about it', () => {
    const plain = { PUBLIC_URL: 'http://dns.example.net', ALLOW_HTTP: '1' }
    expect(plainHttpWarning(config({ ...PRODUCTION, ...plain }))).toContain('ALLOW_HTTP=1')
    expect(plainHttpWarning(config({ ...PRODUCTION, ALLOW_HTTP: '1' }))).toBeUndefined()
    expect(plainHttpWarning(config({}))).toBeUndefined()
    expect(refusal({ ...PRODUCTION, PUBLIC_URL: '', ALLOW_HTTP: '1' })).toMatch(/^PUBLIC_URL is /)
  })

  test('warns when the terms do not say who runs the service', () => {
    const given = { OPERATOR_NAME: 'Ada Networks', SUPPORT_EMAIL: 'help@ada.test' }
    expect(operatorWarning(config({ ...PRODUCTION, ...given }))).toMatch(
      /set OPERATOR_ADDRESS, ABUSE_EMAIL$/,
    )
    const all = { ...given, OPERATOR_ADDRESS: 'Street 1, Town', ABUSE_EMAIL: 'abuse@ada.test' }
    expect(operatorWarning(config({ ...PRODUCTION, ...all }))).toBeUndefined()
    expect(operatorWarning(config({}))).toBeUndefined()
  })

  test.each([
    ['password123', 'leaked'],
    ['Admin-Example-1', 'names'],
  ])('refuses the administrator’s password %s without showing it', async (password, why) => {
    const given = { ...PRODUCTION, ADMIN_PASSWORD: password }
    const refused = requireSafeAdminPassword(config(given))
    await expect(refused).rejects.toThrow(/^ADMIN_PASSWORD is "\(\d+ characters, not shown\)"/)
    await expect(refused).rejects.toThrow(why)
    await requireSafeAdminPassword(config({ ...given, ADMIN_PASSWORD: 'correct horse battery' }))
    await requireSafeAdminPassword(config({ ADMIN_PASSWORD: password }))
  })

  test.each([
    ['api', apiLoader, ['SECRET_KEY', 'PUBLIC_URL', 'ZONES']],
    ['worker', workerLoader, ['SECRET_KEY', 'PUBLIC_URL', 'ZONES', 'SMTP_URL']],
    ['migrate', migrateLoader, ['ZONES']],
    ['forwarder', forwarderLoader, ['PUBLIC_URL', 'ZONES']],
    ['scripts', databaseLoader, []],
  ] as const)('%s starts with what it needs and without the rest', (_part, loader, needs) => {
    const given = pickVariables(PRODUCTION, ['NODE_ENV', ...needs])
    loader.load(given)
    for (const name of needs) {
      const load = (environment: Environment) => loader.load(environment)
      expect(refusalOf(load, { ...PRODUCTION, [name]: '' })).toMatch(
        new RegExp(`^${name} is not set`),
      )
    }
  })
})

/** Every variable that a loader asks for in development and in production. */
function variablesAskedFor(loader: { load: (environment: Environment) => object }): string[] {
  const asked = new Set<string>()
  for (const environment of [{ DATA_DIR: dataDir }, PRODUCTION] as Environment[]) {
    loader.load(
      new Proxy(environment, {
        get(target, name) {
          asked.add(String(name))
          return target[String(name)]
        },
      }),
    )
  }
  return [...asked].toSorted()
}

test.each([
  ['api', apiLoader],
  ['worker', workerLoader],
  ['forwarder', forwarderLoader],
  ['migrate', migrateLoader],
  ['scripts', databaseLoader],
  ['names:check', nameCheckLoader],
  ['supervisor', supervisorLoader],
])('%s names the variables that it reads, and no others', (_part, loader) => {
  expect(variablesAskedFor(loader)).toEqual(loader.variables.toSorted())
})

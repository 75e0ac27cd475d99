import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { requireSafeAdminPassword } from './administrator.ts'
import { apiLoader } from './api.ts'
import { ConfigError } from './config-error.ts'
import { forwarderLoader } from './forwarder.ts'
import { operatorWarning } from './operator.ts'
import { databaseLoader, migrateLoader, nameCheckLoader } from './scripts.ts'
import { supervisorLoader } from './supervisor.ts'
import { type Environment, pickVariables, ROOT } from './variables.ts'
import { plainHttpWarning } from './web.ts'
import { workerLoader } from './worker.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'homing-config-'))
afterAll(() => rmSync(dataDir, { recursive: true }))

const KEY = 'k'.repeat(32)
const config = (environment: Record<string, string>) =>
  supervisorLoader.load({ DATA_DIR: dataDir, SECRET_KEY: KEY, ...environment })

/** What a production start needs. */
const PRODUCTION = {
  NODE_ENV: 'production',
  SECRET_KEY: KEY,
  SMTP_URL: 'smtp://mail.test',
  PUBLIC_URL: 'https://dns.example.net',
  ZONES: 'example.net',
}

function refusal(
  environment: Record<string, string>,
  load: (environment: Record<string, string>) => object = config,
): string {
  try {
    load(environment)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  throw new Error(`nothing stopped ${JSON.stringify(environment)}`)
}

describe('defaults', () => {
  test('stand where nothing is set, and follow PORT and ZONES', () => {
    const defaults = config({ PORT: '9000', ZONES: 'Dyn.Example.NET.,b.test' })
    expect(defaults).toMatchObject({
      nodeEnv: 'development',
      databaseUrl: undefined,
      changeRetentionMs: 86_400_000,
      host: '127.0.0.1',
      dnsHosts: ['127.0.0.1'],
      dnsPort: 8053,
      forwardPort: 8088,
      forwardAddresses: ['127.0.0.1'],
      zones: ['dyn.example.net', 'b.test'],
      nameservers: [
        { hostname: 'ns1.dyn.example.net', ipv4: '127.0.0.1' },
        { hostname: 'ns2.dyn.example.net', ipv4: '127.0.0.1' },
      ],
      admin: { username: 'admin', email: 'admin@dyn.example.net' },
      productName: 'Homing',
      mailFrom: 'Homing <no-reply@dyn.example.net>',
      trustProxy: [],
      addressPolicy: 'any',
      rateLimits: true,
      captcha: { provider: 'altcha' },
    })
    expect(defaults.publicUrl.href).toBe('http://localhost:9000/')
    expect(Object.isFrozen(defaults)).toBe(true)
  })

  test('mail comes from the service by the name that it was given', () => {
    expect(config({ PRODUCT_NAME: 'Ada & Söhne', ZONES: 'b.test' })).toMatchObject({
      productName: 'Ada & Söhne',
      mailFrom: 'Ada & Söhne <no-reply@b.test>',
    })
  })

  test('stand for an empty variable too', () => {
    expect(config({ PORT: '', SMTP_URL: ' ' })).toMatchObject({ port: 8080, smtpUrl: undefined })
  })

  test('DATABASE_URL serves every role that has none of its own', () => {
    const url = 'postgresql://u:p@db.test:5432/homing'
    expect(config({ DATABASE_URL: url, DNSD_DATABASE_URL: `${url}2` })).toMatchObject({
      databaseUrl: url,
      dnsdDatabaseUrl: `${url}2`,
      forwarderDatabaseUrl: url,
    })
  })
})

describe('values', () => {
  test.each([
    ['DNS_HOST', '127.0.0.1, ::1', 'dnsHosts', ['127.0.0.1', '::1']],
    [
      'TRUST_PROXY',
      '10.0.0.0/8,2001:db8::/32,::1',
      'trustProxy',
      ['10.0.0.0/8', '2001:db8::/32', '::1'],
    ],
    [
      'ALLOWED_HOSTS',
      'DNS2.example.net:8443, 192.0.2.7,2001:DB8:0::7,[2001:db8::8]:80, münchen.example.,my_proxy',
      'allowedHosts',
      [
        'dns2.example.net',
        '192.0.2.7',
        '2001:db8::7',
        '2001:db8::8',
        'xn--mnchen-3ya.example',
        'my_proxy',
      ],
    ],
    [
      'NAMESERVERS',
      'NS1.b.test/192.0.2.1/2001:db8::1',
      'nameservers',
      [{ hostname: 'ns1.b.test', ipv4: '192.0.2.1', ipv6: '2001:db8::1' }],
    ],
    ['CHANGE_RETENTION', '90s', 'changeRetentionMs', 90_000],
    ['RATE_LIMITS', 'off', 'rateLimits', false],
    ['MAIL_FROM', 'post@b.test', 'mailFrom', 'post@b.test'],
    ['GEOIP_COUNTRY_MMDB', 'package.json', 'countryMmdb', join(ROOT, 'package.json')],
    ['GEOIP_ASN_MMDB', import.meta.filename, 'asnMmdb', import.meta.filename],
  ])('%s %s', (name, text, field, value) => {
    expect(config({ [name]: text })).toMatchObject({ [field]: value })
  })
})

describe('wrong values stop with one line', () => {
  test.each([
    ['PORT', '0'],
    ['PORT', '65536'],
    ['DNS_PORT', '8053x'],
    ['HOST', 'not a host'],
    ['DNS_HOST', '127.0.0.1,'],
    ['DNS_HOST', 'fe80::1%eth0'],
    ['FORWARD_HOST', 'localhost'],
    ['PUBLIC_URL', 'https://example.net/path'],
    ['PUBLIC_URL', 'ftp://example.net'],
    ['ALLOWED_HOSTS', '*.example.net'],
    ['ALLOWED_HOSTS', 'https://dns.example.net'],
    ['ALLOWED_HOSTS', 'user@dns.example.net'],
    ['ALLOWED_HOSTS', 'dns.example.net/path'],
    ['ALLOWED_HOSTS', 'dns.example.net,'],
    ['ZONES', 'a..b'],
    ['ZONES', '-a.test'],
    ['ZONES', `${'a'.repeat(64)}.test`],
    ['NAMESERVERS', 'ns1.b.test'],
    ['NAMESERVERS', 'ns1.b.test/2001:db8::1'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['TRUST_PROXY', 'yes'],
    ['CHANGE_RETENTION', '0h'],
    ['CHANGE_RETENTION', '24'],
    ['ADMIN_EMAIL', 'nobody'],
    ['MAIL_FROM', 'Homing <no-reply>'],
    ['PRODUCT_NAME', 'Ada <ada@example.net>'],
    ['PRODUCT_NAME', 'two\nlines'],
    ['PRODUCT_NAME', 'x'.repeat(41)],
    ['PRODUCT_NAME', '<script>'],
    ['ADDRESS_POLICY', 'none'],
    ['NODE_ENV', 'staging'],
    ['RATE_LIMITS', 'no'],
    ['UPDATE_PASSWORDS', 'no'],
    ['DNS_RESOLVER', 'resolver.example.net'],
    ['DNS_RESOLVER', '192.0.2.53:0'],
    ['DNS_RESOLVER', '2001:db8::53%eth0'],
    ['BLOCKED_AGENTS', 'ddclient,x'],
    ['ALLOW_HTTP', 'yes'],
    ['LOG_LEVEL', 'loud'],
    ['LOG_FORMAT', 'xml'],
    ['CAPTCHA_PROVIDER', 'recaptcha'],
    ['LOG_FORMAT', 'a\nb'],
    ['GEOIP_COUNTRY_MMDB', '/none.mmdb'],
    ['GEOIP_ASN_MMDB', '/tmp'],
  ])('%s=%j', (name, text) => {
    const line = refusal({ [name]: text })
    expect(line.startsWith(`${name} is ${JSON.stringify(text)}; it takes `)).toBe(true)
    expect(line).not.toContain('\n')
  })

  test.each([
    ['SECRET_KEY', 'tooshort'],
    ['SECRET_KEY_PREVIOUS', 'tooshort'],
    ['SECRET_KEY_PREVIOUS', KEY],
    ['ADMIN_PASSWORD', 'hunter2'],
    ['METRICS_TOKEN', 'short-token'],
    ['DATABASE_URL', 'mysql://u:hunter2@db/homing'],
    ['SMTP_URL', 'http://u:hunter2@mail'],
  ])('%s without showing the secret', (name, text) => {
    const line = refusal({ [name]: text })
    expect(line.startsWith(`${name} is "(${text.length} characters, not shown)"; it takes `)).toBe(
      true,
    )
    expect(line).not.toContain(text)
  })
})

describe('the CAPTCHA', () => {
  const keys = { CAPTCHA_SITE_KEY: 'a-site-key', CAPTCHA_SECRET: 'hunter2' }

  test.each(['none', 'altcha'])('%s needs nothing more, and takes nothing more', (provider) => {
    expect(config({ CAPTCHA_PROVIDER: provider }).captcha).toEqual({ provider })
    const more = { ...keys, CAPTCHA_VERIFY_URL: 'https://captcha.example.net/' }
    for (const [name, text] of Object.entries(more)) {
      const line = refusal({ CAPTCHA_PROVIDER: provider, [name]: text })
      expect(line).toMatch(new RegExp(`^${name} is .*no value with CAPTCHA_PROVIDER=${provider}$`))
      expect(line).not.toContain(text)
    }
  })

  test.each([
    ['turnstile', 'https://challenges.cloudflare.com/turnstile/v0/siteverify'],
    ['hcaptcha', 'https://api.hcaptcha.com/siteverify'],
  ])('%s needs both keys, and asks at %s', (provider, url) => {
    const { captcha } = config({ CAPTCHA_PROVIDER: provider, ...keys })
    const shown = { provider, siteKey: 'a-site-key', secret: 'hunter2' }
    expect(captcha).toMatchObject(shown)
    expect(captcha).toHaveProperty('verifyUrl.href', url)
    for (const name of ['CAPTCHA_SITE_KEY', 'CAPTCHA_SECRET']) {
      const line = refusal({ CAPTCHA_PROVIDER: provider, ...keys, [name]: '' })
      expect(line).toMatch(new RegExp(`^${name} is not set; it takes .*=${provider}$`))
    }
  })

  test('is asked for elsewhere by configuration, in production over TLS', () => {
    const given = { CAPTCHA_PROVIDER: 'turnstile', ...keys, CAPTCHA_VERIFY_URL: 'http://a.test/v' }
    expect(config(given).captcha).toHaveProperty('verifyUrl.href', 'http://a.test/v')
    expect(refusal({ ...PRODUCTION, ...given })).toMatch(/^CAPTCHA_VERIFY_URL is .*an https URL$/)
    expect(refusal({ ...given, CAPTCHA_VERIFY_URL: 'captcha' })).toMatch(/^CAPTCHA_VERIFY_URL is /)
  })
})

test('name servers for look-ups outside, with a port or without', () => {
  expect(config({}).dnsResolver).toEqual([])
  const servers = '192.0.2.53, 127.0.0.1:5353,2001:db8::53,[2001:db8::53]:5353'
  expect(config({ DNS_RESOLVER: servers }).dnsResolver).toEqual([
    '192.0.2.53',
    '127.0.0.1:5353',
    '2001:db8::53',
    '[2001:db8::53]:5353',
  ])
})

test('what update URLs refuse', () => {
  expect(config({})).toMatchObject({ updatePasswords: true, blockedAgents: [] })
  const refusing = { UPDATE_PASSWORDS: 'off', BLOCKED_AGENTS: 'Bad Router/1, scanner' }
  expect(config(refusing)).toMatchObject({
    updatePasswords: false,
    blockedAgents: ['bad router/1', 'scanner'],
  })
})

describe('production', () => {
  test('takes public addresses alone unless told otherwise', () => {
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
  ])('refuses %s=%j', (name, text) => {
    expect(refusal({ ...PRODUCTION, [name]: text })).toMatch(
      new RegExp(`^${name} is .*NODE_ENV=production`),
    )
  })

  test('takes an http PUBLIC_URL with ALLOW_HTTP=1, and warns of it', () => {
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
  ])('refuses the administrator’s password %s, unseen', async (password, why) => {
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
    ['forwarder', forwarderLoader, []],
    ['scripts', databaseLoader, []],
  ] as const)('%s starts with what it needs and without the rest', (_part, loader, needs) => {
    const given = pickVariables(PRODUCTION, ['NODE_ENV', ...needs])
    loader.load(given)
    for (const name of needs) {
      const load = (environment: Environment) => loader.load(environment)
      expect(refusal({ ...PRODUCTION, [name]: '' }, load)).toMatch(
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

describe('the secret key', () => {
  test('is made once, kept readable by its owner alone, and read again', () => {
    const first = config({ SECRET_KEY: '' }).secretKey
    expect(first).toHaveLength(32)
    expect(statSync(join(dataDir, 'secret-key')).mode & 0o777).toBe(0o600)
    expect(config({ SECRET_KEY: '' }).secretKey).toEqual(first)
    expect(readFileSync(join(dataDir, 'secret-key'), 'utf8').trim()).toBe(
      first.toString('base64url'),
    )
  })

  test('a damaged file stops the start instead of being replaced', () => {
    writeFileSync(join(dataDir, 'secret-key'), '')
    expect(refusal({ SECRET_KEY: '' })).toMatch(/^DATA_DIR is .*does not contain a key/)
  })
})

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { IANA_ROOT } from '../rules/root-hints.ts'
import { KEY, useSupervisorConfig } from './test-support.ts'
import { ROOT } from './variables.ts'

const { config, refusal } = useSupervisorConfig()

describe('defaults', () => {
  test('apply to unset variables, and follow PORT and ZONES', () => {
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

  test('the sender of mail has the name of the service', () => {
    expect(config({ PRODUCT_NAME: 'Ada & Söhne', ZONES: 'b.test' })).toMatchObject({
      productName: 'Ada & Söhne',
      mailFrom: 'Ada & Söhne <no-reply@b.test>',
    })
  })

  test('also apply to empty variables', () => {
    expect(config({ PORT: '', SMTP_URL: ' ' })).toMatchObject({ port: 8080, smtpUrl: undefined })
  })

  test('DATABASE_URL applies to every role without its own URL', () => {
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
    ['MONITOR_INTERVAL', '1', 'monitorIntervalSeconds', 1],
    [
      'MONITOR_REFERENCES',
      'https://one.example.net, http://192.0.2.1/up',
      'monitorReferences',
      [new URL('https://one.example.net'), new URL('http://192.0.2.1/up')],
    ],
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
    ['MONITOR_INTERVAL', '0'],
    ['MONITOR_INTERVAL', '3601'],
    ['MONITOR_REFERENCES', 'example.net'],
    ['MONITOR_REFERENCES', 'https://a.test,'],
    ['UPDATE_PASSWORDS', 'no'],
    ['DNS_RESOLVER', 'resolver.example.net'],
    ['DNS_RESOLVER', '192.0.2.53:0'],
    ['DNS_RESOLVER', '2001:db8::53%eth0'],
    ['ROOT_HINTS', '192.0.2.53:0'],
    ['ROOT_HINTS', '/none.root'],
    ['ROOT_HINTS', import.meta.filename],
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

test('name servers for external look-ups, with or without a port', () => {
  expect(config({}).dnsResolver).toEqual([])
  const servers = '192.0.2.53, 127.0.0.1:5353,2001:db8::53,[2001:db8::53]:5353'
  expect(config({ DNS_RESOLVER: servers }).dnsResolver).toEqual([
    '192.0.2.53',
    '127.0.0.1:5353',
    '2001:db8::53',
    '[2001:db8::53]:5353',
  ])
})

test('the root servers: those of IANA, a list, or a file of hints', () => {
  expect(config({}).rootServers).toBe(IANA_ROOT)
  const servers = config({ ROOT_HINTS: '127.0.0.2:5353, 2001:db8::53' }).rootServers
  expect(servers.map(({ address, port }) => [address, port])).toEqual([
    ['127.0.0.2', 5353],
    ['2001:db8::53', 53],
  ])
  const { dataDir } = config({})
  const file = join(dataDir, 'named.root')
  mkdirSync(dataDir, { recursive: true })
  writeFileSync(file, '. NS a.root.test.\na.root.test. A 192.0.2.1\n')
  expect(config({ ROOT_HINTS: file }).rootServers).toEqual([
    { hostname: 'a.root.test', address: '192.0.2.1', port: 53 },
  ])
})

test('the refusals of update URLs', () => {
  expect(config({})).toMatchObject({ updatePasswords: true, blockedAgents: [] })
  const refusing = { UPDATE_PASSWORDS: 'off', BLOCKED_AGENTS: 'Bad Router/1, scanner' }
  expect(config(refusing)).toMatchObject({
    updatePasswords: false,
    blockedAgents: ['bad router/1', 'scanner'],
  })
})

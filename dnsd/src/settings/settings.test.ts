import { describe, expect, it } from 'vitest'
import { nameFromText, nameKey, ROOT_NAME } from '../names/index.ts'
import { DEFAULT_SETTINGS, loadSettings, memberOf, settingsFromText } from './settings.ts'

const read = (text: string) => settingsFromText('dns.yaml', text)
const name = (text: string) => nameFromText(text, ROOT_NAME)
const SECRET = Buffer.alloc(32, 7).toString('base64')

const WHOLE = `
identity: ns1.example.net
version: "Homing"
cookies: { secrets: ["000102030405060708090a0b0c0d0e0f", "F0F1F2F3F4F5F6F7F8F9FAFBFCFDFEFF"] }
rate_limit: { responses_per_second: 50, slip: 0, exempt: ["192.0.2.0/24", "2001:db8::1"] }
tcp: { idle_seconds: 30 }
keys: { Transfer-Key: { algorithm: hmac-sha512, secret: "${SECRET}" } }
transfers:
  - zones: [home.example, "Other.example."]
    allow: [{ key: transfer-key, networks: ["192.0.2.0/24"] }]
  - zones: ["*"]
    notify: [{ address: "2001:db8::53", port: 5353, key: transfer-key }, { address: 192.0.2.53 }]
catalog: { name: catalog.example.net }
`

describe('a settings file', () => {
  it('may be empty, or have only comments', () => {
    expect(read('')).toEqual(DEFAULT_SETTINGS)
    expect(read('# nothing yet\n')).toEqual(DEFAULT_SETTINGS)
  })

  it('sets its values and keeps the rest', () => {
    const settings = read(WHOLE)
    const key = {
      name: name('Transfer-Key'),
      algorithm: 'hmac-sha512',
      secret: Buffer.alloc(32, 7),
    }
    expect(settings).toEqual({
      identity: 'ns1.example.net',
      version: 'Homing',
      cookieSecrets: [
        Buffer.from('000102030405060708090a0b0c0d0e0f', 'hex'),
        Buffer.from('f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff', 'hex'),
      ],
      rateLimit: {
        ...DEFAULT_SETTINGS.rateLimit,
        responsesPerSecond: 50,
        slip: 0,
        exempt: [
          { address: '192.0.2.0', prefixBits: 24 },
          { address: '2001:db8::1', prefixBits: 128 },
        ],
      },
      tcp: { ...DEFAULT_SETTINGS.tcp, idleSeconds: 30 },
      keys: new Map([[nameKey(name('transfer-key')), key]]),
      transfers: [
        {
          zones: new Set(['home.example', 'other.example'].map((zone) => nameKey(name(zone)))),
          allow: [{ key, networks: [{ address: '192.0.2.0', prefixBits: 24 }] }],
          notify: [],
        },
        {
          zones: 'every',
          allow: [],
          notify: [
            { address: '2001:db8::53', port: 5353, key },
            { address: '192.0.2.53', port: 53, key: undefined },
          ],
        },
      ],
      catalog: name('catalog.example.net'),
    })
  })

  it('may use aliases', () => {
    const text =
      'rate_limit: { exempt: &own [192.0.2.1] }\ntransfers: [{ zones: ["*"], allow: [{ networks: *own }] }]'
    expect(read(text).transfers[0]?.allow[0]?.networks).toEqual([
      { address: '192.0.2.1', prefixBits: 32 },
    ])
  })

  it('that does not exist is an error with its name', () => {
    expect(() => loadSettings('/nowhere/dns.yaml')).toThrow(/^\/nowhere\/dns\.yaml: ENOENT/)
  })

  it.each([
    ['identity: [', /^dns\.yaml:1: /],
    ['- identity', 'dns.yaml:1: this is a list; it takes a mapping with identity, version,'],
    ['identity: a\nidentity: b', /^dns\.yaml:2: .*unique/i],
    ['a: 1\n---\nb: 2', /^dns\.yaml:\d: .*document/],
    ['identity: !secret x', /^dns\.yaml:1: .*tag/],
    ['\nidentify: a', 'dns.yaml:2: identify is not known; the settings are identity, version,'],
    ['identity: 7', 'dns.yaml:1: identity is 7; it takes a text of 1 to 255 octets'],
    ['identity:', 'dns.yaml:1: identity is empty; it takes a text'],
    [
      'tcp:\n  idle: 3',
      'dns.yaml:2: tcp.idle is not known; tcp has max_connections, max_per_network, idle_seconds, message_seconds',
    ],
    ['tcp: 5', 'dns.yaml:1: tcp is 5; it takes a mapping with max_connections,'],
    ['tcp: { 5: 5 }', 'dns.yaml:1: a key of tcp is not a text'],
    [
      'tcp: { idle_seconds: "5" }',
      'tcp.idle_seconds is "5"; it takes a whole number from 1 to 86400',
    ],
    ['tcp: { idle_seconds: 0 }', 'tcp.idle_seconds is 0; it takes a whole number from 1 to 86400'],
    ['tcp: { idle_seconds: 1.5 }', 'tcp.idle_seconds is 1.5; it takes'],
    ['rate_limit: { exempt: 192.0.2.1 }', 'rate_limit.exempt is "192.0.2.1"; it takes a list'],
    ['rate_limit: { exempt: [192.0.2.0/33] }', 'rate_limit.exempt[0] is "192.0.2.0/33"; it takes'],
    ['rate_limit: { exempt: ["fe80::1%eth0"] }', 'rate_limit.exempt[0] is "fe80::1%eth0"'],
    ['rate_limit: { exempt: ["10.0.0.0/8/8"] }', 'rate_limit.exempt[0] is "10.0.0.0/8/8"'],
    ['cookies: { secrets: [] }', 'cookies.secrets is an empty list; it takes one secret'],
    ['catalog: {}', 'dns.yaml:1: catalog has no name'],
    ['catalog: { name: "a..b" }', 'catalog.name is "a..b"; it takes a domain name'],
    [
      `catalog: { name: ${`${'a'.repeat(54)}.`.repeat(4)}test }`,
      'dns.yaml:1: catalog.name has more than 216 octets',
    ],
    ['transfers: [{ allow: [] }]', 'dns.yaml:1: transfers[0] has no zones'],
    [
      'transfers: [{ zones: ["*"], allow: [{}] }]',
      'transfers[0].allow[0] takes a key, networks, or both',
    ],
    [
      'transfers: [{ zones: ["*"], allow: [{ key: other }] }]',
      'transfers[0].allow[0].key is "other"; it takes the name of one of the keys',
    ],
    [
      'transfers: [{ zones: ["*"], notify: [{ port: 53 }] }]',
      'transfers[0].notify[0] has no address',
    ],
    [
      'transfers: [{ zones: ["*"], notify: [{ address: ns1.example }] }]',
      'transfers[0].notify[0].address is "ns1.example"; it takes an IPv4 or IPv6 address',
    ],
  ])('%j', (text, message) => {
    expect(() => read(text)).toThrow(message)
  })

  it.each([
    ['no base64', 'keys: { k: { algorithm: hmac-sha256, secret: "hunter22 hunter22 hunter22" } }'],
    ['too short', 'keys: { k: { algorithm: hmac-sha256, secret: "aHVudGVyMg==" } }'],
    ['a cookie secret too long', 'cookies: { secrets: ["0001020304050607hunter2"] }'],
    ['another algorithm', `keys: { k: { algorithm: hmac-md5, secret: "hunter2" } }`],
    ['no algorithm', `keys: { k: { secret: "hunter2" } }`],
    ['a number for a secret', 'keys: { k: { algorithm: hmac-sha256, secret: 1234567 } }'],
    ['no secret', 'keys: { k: { algorithm: hmac-sha256 } }'],
    [
      'a name twice',
      `keys: { k: { algorithm: hmac-sha256, secret: "${SECRET}" }, K: { algorithm: hmac-sha256, secret: "${SECRET}" } }`,
    ],
    [
      'a secret too many',
      `cookies: { secrets: [${Array(3).fill('"000102030405060708090a0b0c0d0e0f"').join()}] }`,
    ],
  ])('with a secret refused (%s) does not show it', (_what, text) => {
    expect(() => read(text)).toThrow(/^dns\.yaml:1: (keys|cookies)[^ ]* /)
    expect(() => read(text)).not.toThrow(/hunter|aHVu|0001|Bw|1234/)
  })
})

describe('memberOf', () => {
  it.each([
    ['192.0.2.255', true],
    ['192.0.3.0', false],
    ['2001:db8::ffff', true],
    ['2001:db9::', false],
    ['fe80::1%eth0', true],
  ])('%s: %s', (address, isMember) => {
    const networks = ['192.0.2.0/24', '2001:db8::/32', 'fe80::/10'].map((text) => {
      const [network = '', bits] = text.split('/')
      return { address: network, prefixBits: Number(bits) }
    })
    expect(memberOf(networks)(address)).toBe(isMember)
  })

  it('takes no IPv4 address for an IPv6 one', () => {
    const isIpv6 = memberOf([{ address: '::', prefixBits: 0 }])
    expect(isIpv6('2001:db8::1')).toBe(true)
    expect(isIpv6('192.0.2.1')).toBe(false)
  })
})

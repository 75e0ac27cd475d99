/** What users can enter as the target of a web forward, and the reasons for which a target is refused. */
import { describe, expect, test } from 'vitest'
import { INWARD_HOSTS } from '../../test/support/inward-targets.ts'
import { shippedWords } from '../config/protected-words.ts'
import { Refusal } from './errors.ts'
import { blockedFormOf, parseTarget, type TargetRules } from './forward-target.ts'
import { lookalikesOf } from './lookalike-targets.ts'

const rules: TargetRules = {
  origin: 'https://dns.example.net',
  ownHosts: ['dns.example.net', 'ns1.example.net', '198.51.100.53'],
  zones: new Set(['dyn.test']),
  allowsPrivate: false,
  isLookalike: lookalikesOf(shippedWords()),
}

const refusalOf = (text: string, more: Partial<TargetRules> = {}): Refusal => {
  try {
    const url = parseTarget(text, { ...rules, ...more })
    throw new Error(`${text} was accepted as ${url.href}`)
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

/** The URL parser accepts these hosts. The forwarder would not serve a forward to them. */
const INVALID_HOSTS = [
  'a;script-src.example.com',
  'a,b.example.com',
  '*.example.com',
  "a'b.example.com",
  'a(b).example.com',
  'a$b.example.com',
  'a~b.example.com',
  `${'a'.repeat(64)}.example.com`,
  `${'abcdefg.'.repeat(31)}abc.com`,
]

describe('a target', () => {
  test.each([
    ['example.com', 'https://example.com/'],
    ['  Example.COM/Path?q=1#part ', 'https://example.com/Path?q=1#part'],
    ['example.com:8443', 'https://example.com:8443/'],
    ['example.com:8443/x', 'https://example.com:8443/x'],
    ['http://example.com:8123', 'http://example.com:8123/'],
    ['HTTPS://example.com', 'https://example.com/'],
    ['https://example.com.:8443/', 'https://example.com:8443/'],
    ['https://bücher.example.com/ä', 'https://xn--bcher-kva.example.com/%C3%A4'],
    ['http://9.9.9.9/', 'http://9.9.9.9/'],
    ['https://[2620:fe::fe]/', 'https://[2620:fe::fe]/'],
    ['https://my_shop.example.com/', 'https://my_shop.example.com/'],
    [`https://${'a'.repeat(63)}.example.com/`, `https://${'a'.repeat(63)}.example.com/`],
    ['https://www.paypal.com/', 'https://www.paypal.com/'],
    ['https://login.microsoftonline.com/', 'https://login.microsoftonline.com/'],
    ['http://site.s3-website.amazonaws.com/', 'http://site.s3-website.amazonaws.com/'],
    ['https://home.dyn.test:8443/', 'https://home.dyn.test:8443/'],
  ])('%j is stored as %s', (text, href) => {
    expect(parseTarget(text, rules).href).toBe(href)
  })

  test.each([
    ['', 'not a valid URL'],
    ['   ', 'not a valid URL'],
    ['/path', 'not a valid URL'],
    ['//example.com', 'not a valid URL'],
    ['?q=1', 'not a valid URL'],
    ['https://', 'not a valid URL'],
    ['https:///example.com', 'not a valid URL'],
    ['https:example.com', 'not a valid URL'],
    ['javascript:alert(1)', 'javascript: is not possible'],
    ['JavaScript://example.com/%0aalert(1)', 'JavaScript: is not possible'],
    ['data:text/html,x', 'data: is not possible'],
    ['ftp://example.com', 'ftp: is not possible'],
    ['file:///etc/passwd', 'file: is not possible'],
    ['mailto:ada@example.com', 'mailto: is not possible'],
    ['https://exa mple.com', 'contains a space'],
    ['https://example.com/\u0085', 'control character'],
    ['https://example.com/\r\nSet-Cookie: a=1', 'control character'],
    ['java\tscript:alert(1)', 'control character'],
    ['https://example.com/\u202Egnp.exe', 'control character'],
    ['https://exam\u200Bple.com', 'control character'],
    [String.raw`https:\\example.com`, 'backslash'],
    [String.raw`https://example.com\@127.0.0.1`, 'backslash'],
    ['https://ada:secret@example.com', 'username or password'],
    ['https://good.example.com@evil.com', 'username or password'],
    ['https://example.com:25/', 'port 25'],
    ['https://example.com:0/', 'port 0'],
    ['https://example.com:99999/', 'not a valid URL'],
    ['https://%00.example.com/', 'not a valid URL'],
    ['https://a..b.com/', 'invalid host a..b.com'],
    ['https://./', 'invalid host'],
    ...INVALID_HOSTS.map((host): [string, string] => [`https://${host}/`, 'invalid host']),
    ['https://nas/', 'not a name on the public Internet'],
    ['localhost', 'not a name on the public Internet'],
    ['localhost:3000', 'not a name on the public Internet'],
    ['http://printer.local', 'not a name on the public Internet'],
    ['http://app.localhost.', 'not a name on the public Internet'],
    ['http://x.home.arpa', 'not a name on the public Internet'],
    ['http://x.onion', 'not a name on the public Internet'],
    ['http://192.168.1.4:8123', 'private'],
    ['http://127.1/', 'loopback'],
    ['http://0x7f.1/', 'loopback'],
    ['http://2130706433/', 'loopback'],
    ['http://[::1]/', 'loopback'],
    ['http://[::ffff:127.0.0.1]/', 'IPv4-mapped'],
    ['http://169.254.169.254/latest', 'link-local'],
    ['https://dns.example.net/', 'this service itself'],
    ['https://DNS.example.net./login', 'this service itself'],
    ['http://dns.example.net:8088/', 'this service itself'],
    ['http://198.51.100.53/', 'this service itself'],
    ['https://paypa1.com/', 'imitates'],
    ['https://login.rnicrosoft.com/', 'imitates'],
    ['https://xn--pypal-4ve.com/', 'imitates'],
    ['https://secure-amaz0n.com/', 'imitates'],
    [`https://example.com/${'x'.repeat(2_030)}`, 'too long'],
    [`https://example.com/${'ä'.repeat(500)}`, 'too long'],
  ])('%j is refused: %s', (text, reason) => {
    const refusal = refusalOf(text)
    expect(refusal.code).toBe('target-not-allowed')
    expect(refusal.message).toContain(reason)
    expect(refusal.faults).toEqual([{ field: 'target_url', message: refusal.message }])
  })

  // Names that only their look-up leads inside, and IPv6 addresses with an IPv4 address in their interface identifier, are
  // found when the target is checked.
  const isFoundByCheck = (host: string) =>
    (/example/i.test(host) && !/^dns/i.test(host)) || host.startsWith('[2400:')
  const byText = Object.values(INWARD_HOSTS).flatMap((hosts) => [...hosts])

  test.each(byText.filter((host) => !isFoundByCheck(host)))(
    'the inward host %s is refused',
    (host) => {
      expect(refusalOf(`http://${host}/`).code).toBe('target-not-allowed')
    },
  )
})

test('private targets can be allowed, the service itself cannot', () => {
  const inside = { allowsPrivate: true, origin: 'http://localhost:8080' }
  expect(parseTarget('http://192.168.1.4:8123', { ...rules, ...inside }).port).toBe('8123')
  expect(parseTarget('http://localhost:3000', { ...rules, ...inside }).port).toBe('3000')
  expect(refusalOf('http://localhost:8080/x', inside).message).toContain('this service itself')
  expect(refusalOf('javascript:alert(1)', inside).code).toBe('target-not-allowed')
})

test('a block covers the target with every scheme, query and fragment, and each way to write its path', () => {
  for (const url of [
    'https://evil.com:8443/a/b?b=1#c',
    'http://evil.com:8443/a/b//',
    'http://evil.com:8443//a///b',
    'http://evil.com.:8443/a/b',
    'http://evil.com:8443/%61/%62',
    'http://evil.com:8443/x/%2E%2e/a/b',
  ]) {
    expect(blockedFormOf(new URL(url))).toBe('evil.com:8443/a/b')
  }
  expect(blockedFormOf(new URL('https://evil.com/%c3%a4%7e!%21'))).toBe('evil.com/%C3%A4~!!')
  // These are other resources at many servers.
  for (const path of ['/a%2fb', '/%2561/b', '/A/b']) {
    expect(blockedFormOf(new URL(`https://evil.com:8443${path}`))).not.toBe('evil.com:8443/a/b')
  }
  expect(blockedFormOf(new URL('https://evil.com/?a'))).toBe('evil.com')
})

/** For any input: nothing throws, every answer is a word of the protocol, and no secret is repeated. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { HostOutcome } from '../answer.ts'
import { readClaim } from '../authorization.ts'
import { hintOf } from '../hints.ts'
import { type Parameters, withLowerNames } from '../parameters.ts'
import { readable } from '../readable-parameters.ts'
import { mendTarget, mendUrl } from '../request-line.ts'
import { dialectOf, type UpdateUrl } from './dialect-of.ts'

const URLS: UpdateUrl[] = ['/nic/update', '/nic/delete', '/update', '/api/update', '/u/{key}']
const WORDS = [
  '',
  ' ',
  'YES',
  'auto',
  '-',
  'no',
  'preserve',
  'true',
  '192.0.2.1',
  '192.0.2.1,2001:db8::1',
  '2001:DB8::1/64',
  '2001:db8::/64',
  '::ffff:192.0.2.1',
  'home.homing.test',
  'a.homing.test,b.homing.test',
  '*.home.homing.test',
  '<ipaddr>',
  '192.0.2.1 http://svc.test/',
  'ut_abc',
]
const NAMES = [
  'hostname',
  'Hostname',
  'zone',
  'domains',
  'myip',
  'ip',
  'ipv4',
  'myipv4',
  'myipv6',
  'ipv6',
  'ip6addr',
  'ip6lanprefix',
  'ipv6prefix',
  'myipv6:nas.homing.test',
  'offline',
  'clear',
  'wildcard',
  'verbose',
  'txt',
  'token',
  'password',
  'username',
  'mx',
  '__proto__',
]

const text = fc.oneof(
  fc.constantFrom(...WORDS),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.array(fc.constantFrom(...WORDS), { maxLength: 4 }).map((words) => words.join(',')),
)
const parameters: fc.Arbitrary<Parameters> = fc
  .array(
    fc.tuple(fc.oneof(fc.constantFrom(...NAMES), fc.string()), fc.array(text, { maxLength: 3 })),
    {
      maxLength: 8,
    },
  )
  .map((entries) => withLowerNames(Object.fromEntries(entries)))
const caller = fc.record({
  detected: fc.constantFrom(undefined, '198.51.100.7', '2001:db8::7'),
  policy: fc.constantFrom('any' as const, 'public' as const),
})
const requests = fc
  .tuple(fc.constantFrom(...URLS), parameters, caller)
  .map(([url, given, from]) => dialectOf(url, given).read(given, from))

const IPV4 = /^\d{1,3}(\.\d{1,3}){3}$/
const IPV6 = /^[0-9a-fA-F:.]*:[0-9a-fA-F:.]*$/
const isAddresses = (said: string) =>
  said === '' || said.split(',').every((part) => IPV4.test(part) || IPV6.test(part))

test('a request is parsed into names and addresses, or refused', () => {
  fc.assert(
    fc.property(requests, ({ hosts, addresses, related }) => {
      for (const host of hosts) expect(host ?? 'none').toMatch(/^[a-z0-9-]+(\.[a-z0-9-]+)*$/)
      const { ipv4, ipv6, said } = addresses ?? { said: '' }
      expect(isAddresses(said)).toBe(true)
      expect(ipv4 ?? '192.0.2.1').toMatch(IPV4)
      expect(ipv6 ?? '2001:db8::1').toMatch(IPV6)
      for (const wanted of related?.named.values() ?? []) {
        expect(isAddresses(wanted.said)).toBe(true)
      }
    }),
    { numRuns: 2_000 },
  )
})

describe('answers', () => {
  const outcome = fc.oneof(
    fc.constantFrom('nohost', 'notfqdn', 'dnserr', 'abuse').map((code) => ({ code })),
    fc.record({ code: fc.constantFrom('911', 'dnserr'), retryAfterSeconds: fc.constant(9) }),
    fc.record({
      code: fc.constantFrom('good', 'nochg'),
      said: fc.constantFrom('', '192.0.2.1', '192.0.2.1,2001:db8::1'),
    }),
  ) as fc.Arbitrary<HostOutcome>
  const GRAMMAR: Readonly<Record<string, RegExp>> = {
    dyndns2: /^((good|nochg)( [0-9a-f.:,]+)?\n|(nohost|notfqdn|dnserr|abuse|911)\n)+$/,
    duckdns: /^(KO|OK(\n[0-9.]*\n[0-9a-f:]*\n(UPDATED|NOCHANGE))?)$/,
    dynv6: /^(addresses (updated|unchanged)|zone not found|notfqdn|dnserr|abuse|911)\n$/,
  }

  test.each(URLS)('of %s', (url) => {
    const given = fc.array(outcome, { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(given, fc.boolean(), (outcomes, verbose) => {
        const asked = { domains: 'x', token: 'y', verbose: String(verbose) }
        const dialect = dialectOf(url, asked)
        const from = { detected: undefined, policy: 'any' } as const
        const answer = dialect.read(asked, from).answers.each(outcomes)
        expect(answer.body).toMatch(GRAMMAR[dialect.name] ?? /^$/)
        expect(answer.body.length).toBeLessThan(8_000)
        const mustRepeat = outcomes.some((each) => 'retryAfterSeconds' in each)
        expect(answer.status).toBe(mustRepeat ? 503 : 200)
      }),
    )
  })
})

test('shown parameters and hints', () => {
  fc.assert(
    fc.property(requests, fc.string({ unit: 'binary' }), (request, header) => {
      const claim = readClaim(header, request.parameters)
      hintOf({ request, claim, isOpen: false, hasTwoUrls: false, found: [] })
      const shown = readable(request.parameters, true)
      expect(shown).not.toContain('ut_abc')
      expect(shown.length).toBeLessThanOrEqual(301)
    }),
    { numRuns: 1_000 },
  )
})

test('request lines', () => {
  const piece = fc.constantFrom(
    '/nic/update',
    'nic/update',
    '?',
    ' http://',
    '%20https:/',
    '//',
    '&',
  )
  const url = fc
    .array(fc.oneof(piece, fc.string({ unit: 'binary', maxLength: 5 })))
    .map((pieces) => pieces.join(''))
  fc.assert(
    fc.property(url, (line) => {
      const mended = mendUrl(line)
      // A repair is not repeated, and its result is always a valid request line.
      expect(mendUrl(mended)).toBe(mended)
      expect(mended === line ? '/' : mended).toMatch(/^\/[\x21-\x7e]*$/)
      expect(mendTarget(line) ?? '/').toMatch(/^[\x21-\x7e]+$/)
    }),
    { numRuns: 2_000 },
  )
})

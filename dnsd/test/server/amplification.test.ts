/*
 * The amplification of queries over UDP, whose source address can be forged. The zone is like those of the service: its
 * own name servers and mail, and hosts with records that their owners can publish.
 */
import { describe, expect, it } from 'vitest'
import { SERVED_TYPES, TYPE, typeToText } from '../../src/names/index.ts'
import { sending } from '../support/ask.ts'
import { requestOctets } from '../support/request-octets.ts'
import { zoneFromText } from '../support/zone-text.ts'

const MOST_BYTES = 1232
const MOST_RATIO = 8

const zone = zoneFromText(
  'homing.test.',
  `
  @        3600 NS    ns1
  @        3600 NS    ns2
  @        300  MX    10 mail
  @        300  TXT   "v=spf1 mx -all"
  @        300  CAA   0 issue "letsencrypt.org"
  @        60   A     192.0.2.80
  @        60   AAAA  2001:db8::80
  ns1      3600 A     192.0.2.53
  ns1      3600 AAAA  2001:db8::53
  ns2      3600 A     198.51.100.53
  ns2      3600 AAAA  2001:db8:1::53
  mail     300  A     192.0.2.25
  mail     300  AAAA  2001:db8::25
  a        60   A     192.0.2.1
  a        60   AAAA  2001:db8::1
  *.a      60   A     192.0.2.1
  *.a      60   AAAA  2001:db8::1
  alias    60   CNAME a
  moved    60   DNAME a
  cut      60   NS    ns.cut
  cut      60   NS    ns2.cut
  cut      60   DS    12345 13 2 ${'ab'.repeat(32)}
  ns.cut   60   A     192.0.2.9
  ns2.cut  60   AAAA  2001:db8::9
  _x._tcp  60   SRV   0 0 443 a
  _443._tcp 60  TLSA  3 1 1 ${'ab'.repeat(32)}
  t        60   TXT   "${'t'.repeat(64)}"
  k        60   SSHFP 4 2 ${'ab'.repeat(32)}
  p        60   PTR   a
  s        60   SVCB  1 a alpn=h2,h3 ipv4hint=192.0.2.1 ipv6hint=2001:db8::1
  h        60   HTTPS 1 . alpn=h2,h3
  n        60   NAPTR 100 10 "u" "E2U+sip" "!^.*$!sip:a@homing.test!" .
  u        60   TYPE65280 \\# 16 ${'00'.repeat(16)}
  `,
)
const NAMES = (
  ' ns1. mail. a. x.a. alias. moved. x.moved. cut. x.cut. ns.cut. _x._tcp. _tcp. _443._tcp. ' +
  't. k. p. s. h. n. u. q. nobody.at.all.'
)
  .split(' ')
  .map((labels) => `${labels}homing.test`)
const ASKED_ONLY = [TYPE.ANY, TYPE.AXFR, TYPE.IXFR, TYPE.OPT, TYPE.TSIG, TYPE.TKEY]
const NOT_SERVED = [46, 47, 48, 50, 51, 59, 60, 99, 253, 254, 65_280, 65_535]
const TYPES = [...SERVED_TYPES, ...ASKED_ONLY, ...NOT_SERVED]
/** The payload sizes that clients send in an OPT record. */
const SIZES = [0, 512, 1232, 4096, 65_535]

const send = sending(zone)

/** The largest number of octets that any of these queries returns per octet sent. */
function mostRatio(type: number): number {
  let most = 0
  for (const name of NAMES) {
    for (const edns of [undefined, ...SIZES.map((payloadBytes) => ({ payloadBytes }))]) {
      const packet = requestOctets(name, type, { edns })
      const octets = send(packet)?.octets ?? Buffer.alloc(0)
      expect(octets.length).toBeLessThanOrEqual(MOST_BYTES)
      most = Math.max(most, octets.length / packet.length)
    }
  }
  return most
}

describe('octets of an answer over UDP', () => {
  it.each(TYPES.map((type) => [typeToText(type), type] as const))(
    'for %s are at most eight times those of the question',
    (_text, type) => {
      expect(mostRatio(type)).toBeLessThanOrEqual(MOST_RATIO)
    },
  )

  it('have, for all types together, the factor in the documentation', () => {
    const [ratio, type] = TYPES.map((one) => [mostRatio(one), one] as const).reduce((most, one) =>
      one[0] > most[0] ? one : most,
    )
    process.stdout.write(`amplification: at most ${ratio.toFixed(1)}, for ${typeToText(type)}\n`)
    expect(ratio.toFixed(1)).toBe('5.3')
  })

  it.each([
    ['A', Array.from({ length: 90 }, (_, n) => `big 60 A 192.0.2.${n}`)],
    ['TXT', [`big 60 TXT ${`"${'x'.repeat(250)}" `.repeat(5)}`]],
    ['NS', Array.from({ length: 30 }, (_, n) => `big 60 NS ns.${'x'.repeat(50)}${n}.example.`)],
  ])('of a truncated %s RRset are fewer than those of the query, with TC', (type, lines) => {
    const large = sending(zoneFromText('homing.test.', lines.join('\n')))
    for (const payloadBytes of SIZES) {
      const packet = requestOctets('big.homing.test', type, { edns: { payloadBytes } })
      const reply = large(packet)
      expect(reply?.flags).toMatch(/\btc\b/)
      expect(reply?.octets).toHaveLength(packet.length)
    }
  })

  it('are never more than the client accepts', () => {
    const lines = Array.from({ length: 60 }, (_, n) => `big 60 A 192.0.2.${n}`)
    const large = sending(zoneFromText('homing.test.', lines.join('\n')))
    for (let payloadBytes = 0; payloadBytes <= 2000; payloadBytes += 7) {
      const packet = requestOctets('big.homing.test', 'A', { edns: { payloadBytes } })
      const most = Math.min(MOST_BYTES, Math.max(512, payloadBytes))
      expect(large(packet)?.octets.length).toBeLessThanOrEqual(most)
    }
  })
})

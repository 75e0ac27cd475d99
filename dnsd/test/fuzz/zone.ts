import type { ZoneTable } from '../../src/table/index.ts'
import type { Zone } from '../../src/zone/index.ts'
import { zoneFromText } from '../support/zone-text.ts'

/**
 * The zones of the fuzzed server: one with every kind of answer and large RRsets, and one without cuts and
 * redirections, which needs fewer look-ups.
 */
export function fuzzZones(table?: ZoneTable): readonly Zone[] {
  const many = Array.from({ length: 120 }, (_, n) => `many 60 A 192.0.2.${n}`)
  const texts = Array.from({ length: 8 }, (_, n) => `texts 60 TXT "${n}${'t'.repeat(200)}"`)
  const home = zoneFromText('home.test.', [ZONE, ...many, ...texts].join('\n'), table)
  return [home, zoneFromText('flat.test.', FLAT_ZONE, table)]
}

const ZONE = `
  @        3600 NS    ns1
  @        300  MX    10 mail
  ns1      3600 A     192.0.2.53
  ns1      3600 AAAA  2001:db8::53
  mail     300  AAAA  2001:db8::25
  alice    60   A     192.0.2.1
  alice    60   AAAA  2001:db8::1
  alice    60   TXT   "text"
  alice    60   CAA   0 issue "ca.example"
  w        60   CNAME alice
  loop     60   CNAME loop2
  loop2    60   CNAME loop
  away     60   CNAME alice.elsewhere.test.
  gone     60   CNAME nobody
  old      60   DNAME new
  x.new    60   A     192.0.2.2
  *.wild   60   A     192.0.2.7
  *.wild   60   MX    10 mail
  *.wcname 60   CNAME alice
  a.b.ent  60   A     192.0.2.8
  cut      60   NS    ns.cut
  cut      60   NS    ns.elsewhere.test.
  cut      60   DS    12345 8 2 ${'00'.repeat(32)}
  ns.cut   60   A     192.0.2.9
  _s._tcp  60   SRV   0 0 443 alice
  svc      60   HTTPS 1 alice alpn=h2
  odd      60   TYPE65280 \\# 3 010203
`

const FLAT_ZONE = `
  @        3600 NS    ns1
  ns1      3600 A     192.0.2.53
  alice    60   A     192.0.2.1
  alice    60   AAAA  2001:db8::1
  alice    60   TXT   "text"
  *.wild   60   A     192.0.2.7
  a.b.ent  60   A     192.0.2.8
`

/** Names in and around the zone that are special. */
export const NAMES = [
  '',
  '@',
  'ns1',
  'mail',
  'alice',
  'ALICE',
  'w',
  'loop',
  'away',
  'gone',
  'old',
  'x.old',
  'y.old',
  'x.new',
  'any.wild',
  'deep.any.wild',
  '*.wild',
  'wild',
  'any.wcname',
  'ent',
  'b.ent',
  'a.b.ent',
  'c.ent',
  'cut',
  'x.cut',
  'ns.cut',
  '_s._tcp',
  'svc',
  'odd',
  'many',
  'texts',
  'nobody',
] as const

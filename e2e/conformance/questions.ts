/** The queries of dig, kdig and drill for homing.test: every kind of query and name. */
import type { Question } from './dig-likes.ts'
import { ZONE } from './world.ts'

/** Owner name below the zone → types. */
const IN_ZONE: Readonly<Record<string, string>> = {
  // Each type at a name that has it.
  '@': 'SOA NS A AAAA MX TXT CAA DS DNSKEY TYPE666',
  host: 'A AAAA TXT SSHFP MX',
  mail: 'A AAAA',
  '_443._tcp.host': 'TLSA',
  '_sip._udp': 'SRV',
  '_imaps._tcp': 'SRV',
  naptr: 'NAPTR',
  ptr: 'PTR',
  svc: 'SVCB',
  https: 'HTTPS',
  'https-alias': 'HTTPS',
  caa: 'CAA',
  unknown: 'TYPE65280 A',
  // Aliases.
  www: 'A AAAA CNAME MX',
  chain: 'A AAAA TXT CNAME SRV',
  loop: 'A CNAME',
  dangling: 'A CNAME',
  outside: 'A CNAME',
  towards: 'A',
  'to-wild': 'A TXT MX',
  mirror: 'A DNAME CNAME NS',
  'leaf.mirror': 'A CNAME AAAA',
  'deep.leaf.mirror': 'A',
  'gone.mirror': 'A',
  'x.y.away': 'A CNAME',
  // Empty non-terminals, and names that do not exist.
  tree: 'A NS',
  'deep.tree': 'TXT',
  'b.deep.tree': 'A',
  _tcp: 'SRV',
  nobody: 'A TYPE65280 NS',
  'a.b.c.nobody': 'A',
  'below.host': 'A',
  // Wildcards.
  'any.wild': 'A TXT MX CNAME',
  'two.labels.wild': 'A',
  '*.wild': 'A',
  'below.*.wild': 'A',
  wild: 'A',
  'stop.wild': 'TXT A',
  'below.stop.wild': 'A',
  'the.wild': 'A',
  'x.the.wild': 'A',
  'x.mailwild': 'MX A',
  'x.aliaswild': 'A AAAA CNAME',
  'x.sub.tree': 'A',
  // Delegations.
  sub: 'NS A SOA DS TYPE65280',
  'below.sub': 'A NS DS',
  'ns.sub': 'A AAAA',
  far: 'NS A',
  'x.y.far': 'A',
  secure: 'DS NS A',
  'x.secure': 'A DS',
  // Sizes, letters and TTLs.
  large: 'TXT',
  middle: 'TXT',
  mixed: 'A',
  'xn--bcher-kva': 'A',
  short: 'A',
  zero: 'A',
}

/** Queries that are sent exactly as written. */
const AS_WRITTEN: readonly Question[] = [
  { name: 'HoSt.hOmInG.TeSt.', type: 'A' },
  { name: 'NoBoDy.hOmInG.TeSt.', type: 'A' },
  { name: 'AnY.WiLd.hOmInG.TeSt.', type: 'A' },
  { name: 'BeLoW.SuB.hOmInG.TeSt.', type: 'A' },
  { name: 'DeEp.LeAf.MiRrOr.HOMING.test.', type: 'A' },
  { name: 'ChAiN.HOMING.test.', type: 'A' },
  { name: 'test.', type: 'NS' },
  { name: 'example.net.', type: 'A' },
  { name: '.', type: 'NS' },
  { name: 'homing.test.example.net.', type: 'A' },
  { name: `${ZONE}.`, type: 'SOA', class: 'CH' },
  { name: `${ZONE}.`, type: 'SOA', class: 'CLASS4' },
  { name: 'version.bind.', type: 'TXT', class: 'CH' },
  { name: 'version.server.', type: 'TXT', class: 'CH' },
  { name: 'id.server.', type: 'TXT', class: 'CH' },
  { name: 'hostname.bind.', type: 'TXT', class: 'CH' },
  { name: `host.${ZONE}.`, type: 'ANY' },
  { name: `www.${ZONE}.`, type: 'ANY' },
  { name: `nobody.${ZONE}.`, type: 'ANY' },
  { name: `tree.${ZONE}.`, type: 'ANY' },
  { name: `any.wild.${ZONE}.`, type: 'ANY' },
  { name: `sub.${ZONE}.`, type: 'ANY' },
]

export const QUESTIONS: readonly Question[] = [
  ...Object.entries(IN_ZONE).flatMap(([owner, types]) =>
    types
      .split(' ')
      .map((type) => ({ name: owner === '@' ? `${ZONE}.` : `${owner}.${ZONE}.`, type })),
  ),
  ...AS_WRITTEN,
]

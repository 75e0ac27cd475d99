import { describe, expect, test } from 'vitest'
import { Refusal } from './errors.ts'
import {
  domainNameAsked,
  nameKept,
  namesAtOrAbove,
  namesBetween,
  parseOwnerName,
  ruleAgainst,
  zoneHolding,
} from './names.ts'
import { isReservedLabel } from './reserved-labels.ts'

const ZONE = 'homing.test'
const label63 = 'a'.repeat(63)

function refusal(text: string, zone = ZONE): Refusal {
  try {
    const { fqdn } = parseOwnerName(text, zone)
    throw new TypeError(`${JSON.stringify(text)} became ${fqdn}`)
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

describe('names that can be registered', () => {
  test.each([
    ['home', 'home.homing.test', 'home'],
    ['home.homing.test', 'home.homing.test', 'home'],
    ['home.homing.test.', 'home.homing.test', 'home'],
    ['HOME.Homing.TEST', 'home.homing.test', 'home'],
    ['  home ', 'home.homing.test', 'home'],
    ['a.b.home.homing.test', 'a.b.home.homing.test', 'home'],
    ['www.home.homing.test', 'www.home.homing.test', 'home'],
    ['42.homing.test', '42.homing.test', '42'],
    ['42', '42.homing.test', '42'],
    [`${label63}.homing.test`, `${label63}.homing.test`, label63],
    ['münchen', 'xn--mnchen-3ya.homing.test', 'xn--mnchen-3ya'],
    ['MÜNCHEN.homing.test', 'xn--mnchen-3ya.homing.test', 'xn--mnchen-3ya'],
    ['xn--mnchen-3ya.homing.test', 'xn--mnchen-3ya.homing.test', 'xn--mnchen-3ya'],
    ['my-router.homing.test', 'my-router.homing.test', 'my-router'],
    // A label that only begins like a reserved label is allowed.
    ['nsa', 'nsa.homing.test', 'nsa'],
    // The last label of the zone itself is also reserved.
    ['test', 'test.homing.test', 'test'],
    ['mailbox', 'mailbox.homing.test', 'mailbox'],
  ])('%j is %s', (text, fqdn, labelBelowZone) => {
    expect(parseOwnerName(text, ZONE)).toMatchObject({ fqdn, zone: ZONE, labelBelowZone })
  })
})

describe('names that cannot be registered, and the messages', () => {
  test.each([
    ['', /part of the name is empty/],
    ['.', /part of the name is empty/],
    ['..', /part of the name is empty/],
    ['.homing.test', /part of the name is empty/],
    ['a..homing.test', /part of the name is empty/],
    ['home..', /part of the name is empty/],
    [`${label63}a.homing.test`, /has 64 characters: expected at most 63/],
    [`${label63}a`, /has 64 characters: expected at most 63/],
    [`${label63}.${label63}.${label63}.${'a'.repeat(50)}.homing.test`, /expected at most 253/],
    ['-home.homing.test', /cannot begin or end with a hyphen/],
    ['home-.homing.test', /cannot begin or end with a hyphen/],
    ['ab--cd.homing.test', /hyphens in both its third and fourth place/],
    ['my_host.homing.test', /"_" cannot stand in a name/],
    ['_acme-challenge.homing.test', /"_" cannot stand in a name/],
    ['_dmarc.home.homing.test', /"_" cannot stand in a name/],
    ['*.homing.test', /"\*" cannot stand in a name/],
    ['ho me.homing.test', /" " cannot stand in a name/],
    ['home\0.homing.test', /cannot stand in a name/],
    ['home/.homing.test', /"\/" cannot stand in a name/],
    ['user@homing.test', /"@" cannot stand in a name/],
    ['home:80.homing.test', /":" cannot stand in a name/],
    ['http://home.homing.test', /cannot stand in a name/],
    ['home\\.homing.test', /cannot stand in a name/],
    ['☃.homing.test', /not a valid international label/],
    ['xn--a.homing.test', /not a valid international label/],
    ['homing.test', /is the zone itself/],
    ['homing.test.', /is the zone itself/],
    ['HOMING.test', /is the zone itself/],
    ['home.', /is not in the zone homing\.test\. It must end in \.homing\.test/],
    ['home.example.com', /is not in the zone homing\.test/],
    ['a.b', /is not in the zone homing\.test/],
    ['home.nothoming.test', /is not in the zone homing\.test/],
    ['homexhoming.test', /is not in the zone homing\.test/],
    ['a.b.c.d.homing.test', /4 labels before homing\.test\. Expected at most 3/],
    ['127.0.0.1.homing.test', /4 labels before homing\.test\. Expected at most 3/],
  ])('%j: %s', (text, words) => {
    const error = refusal(text)
    expect(error.code).toBe('name-not-allowed')
    expect(error.message).toMatch(words)
    expect(error.faults).toEqual([{ field: 'fqdn', message: error.message }])
  })

  test('a label that only fits without its zone is too long with it', () => {
    const zone = `${label63}.${label63}.${label63}.${'b'.repeat(50)}.test`
    expect(refusal('homehome', zone).message).toMatch(/expected at most 253/)
  })
})

describe('reserved names', () => {
  const rule = (text: string) => ruleAgainst(parseOwnerName(text, ZONE), undefined)

  test.each([
    ['www'],
    ['WWW.homing.test'],
    ['x.www.homing.test'],
    ['mail'],
    ['ns'],
    ['ns1'],
    ['ns27'],
    ['api'],
    ['admin'],
    ['login'],
    ['autodiscover'],
    ['wpad'],
    ['isatap'],
    ['enterpriseenrollment'],
    ['EnterpriseRegistration'],
    ['lyncdiscover'],
    ['sip'],
    ['sipfederationtls'],
    ['mta-sts'],
    ['x.openpgpkey.homing.test'],
    ['localhost'],
    ['postmaster'],
    ['abuse'],
    ['hostmaster'],
    ['security'],
    ['com'],
    ['bank.com.homing.test'],
  ])('%j is reserved', (text) => {
    expect(rule(text)).toBe('reserved')
  })

  test('a reserved label further down is allowed to the owner of the name above', () => {
    expect(rule('www.home.homing.test')).toBeUndefined()
    expect(isReservedLabel('www')).toBe(true)
  })

  test('and they get the same refusal', () => {
    const error = nameKept('fqdn', 'www.homing.test')
    const message = 'www.homing.test is reserved. Choose another name.'
    expect(error).toMatchObject({
      code: 'name-not-allowed',
      message,
      faults: [{ field: 'fqdn', message }],
    })
  })
})

describe('a name’s place in the tree', () => {
  const zones = new Set(['homing.test', 'eu.homing.test'])

  test.each([
    ['home.homing.test', 'homing.test'],
    ['eu.homing.test', 'eu.homing.test'],
    ['home.eu.homing.test', 'eu.homing.test'],
    ['neu.homing.test', 'homing.test'],
    ['example.com', undefined],
  ])('%s lies in %s', (fqdn, zone) => {
    expect(zoneHolding(fqdn, zones)).toBe(zone)
  })

  test('above and between', () => {
    expect(namesAtOrAbove('a.b.c')).toEqual(['a.b.c', 'b.c', 'c'])
    expect(namesBetween(parseOwnerName('a.b.home.homing.test', ZONE))).toEqual([
      'b.home.homing.test',
      'home.homing.test',
    ])
    expect(namesBetween(parseOwnerName('home', ZONE))).toEqual([])
  })
})

test.each([
  ['Home.Homing.Test.', 'home.homing.test'],
  ['*.Home.homing.test', '*.home.homing.test'],
  ['*', undefined],
  ['*.', undefined],
  ['a.*.homing.test', undefined],
  ['a\0b.homing.test', undefined],
  ['', undefined],
])('the name of a requested domain: %j is %j', (text, name) => {
  expect(domainNameAsked(text)).toBe(name)
})

import { describe, expect, test } from 'vitest'
import { parseOwnZoneName } from './own-zone-name.ts'

const ZONES = ['homing.test', 'dyn.provider.example']

describe('domains that can be own zones', () => {
  test.each([
    ['brand.example', 'brand.example'],
    [' Brand.Example. ', 'brand.example'],
    ['brand.co.uk', 'brand.co.uk'],
    ['münchen.example', 'xn--mnchen-3ya.example'],
    ['a.公司.cn', 'a.xn--55qx5d.cn'],
    // Below a public suffix of the private section, which its owner delegates.
    ['ada.github.io', 'ada.github.io'],
    ['1.example', '1.example'],
    // Reverse trees: an IPv4 /24 and an IPv6 /48.
    ['2.0.192.in-addr.arpa', '2.0.192.in-addr.arpa'],
    ['3.0.0.0.2.0.8.B.D.0.1.0.ip6.arpa.', '3.0.0.0.2.0.8.b.d.0.1.0.ip6.arpa'],
  ])('%j is %s', (text, name) => {
    expect(parseOwnZoneName(text, ZONES)).toBe(name)
  })
})

describe('domains that cannot be own zones, and the messages', () => {
  test.each([
    ['', /part of the name is empty/],
    ['brand', /brand is a public suffix/],
    ['com', /com is a public suffix, .*Expected a domain such as example\.com\./],
    ['co.uk', /co\.uk is a public suffix/],
    ['github.io', /github\.io is a public suffix/],
    ['公司.cn', /xn--55qx5d\.cn is a public suffix/],
    ['anything.ck', /anything\.ck is a public suffix/],
    [
      'www.brand.example',
      /www\.brand\.example is below brand\.example\. Expected .* brand\.example\./,
    ],
    ['homing.test', /homing\.test belongs to homing\.test, a zone of this service/],
    ['x.y.homing.test', /belongs to homing\.test/],
    ['provider.example', /provider\.example is above dyn\.provider\.example/],
    ['dyn.provider.example', /belongs to dyn\.provider\.example/],
    ['arpa', /arpa is a public suffix/],
    ['in-addr.arpa', /not the zone of a network/],
    ['192.in-addr.arpa', /Expected that of an IPv4 \/24, such as 2\.0\.192\.in-addr\.arpa, or/],
    ['1.2.0.192.in-addr.arpa', /not the zone of a network/],
    ['256.0.192.in-addr.arpa', /not the zone of a network/],
    ['02.0.192.in-addr.arpa', /not the zone of a network/],
    ['8.b.d.0.1.0.0.2.ip6.arpa', /not the zone of a network/],
    ['192.0.2.1', /192\.0\.2\.1 is not a domain/],
    ['brand_.example', /"_" cannot stand in a name/],
    ['*.example', /cannot stand in a name/],
    ['brand.example/x', /cannot stand in a name/],
    ['brand.example\u0000', /cannot stand in a name/],
    [`${'a'.repeat(64)}.example`, /expected at most 63/],
    [`${'a.'.repeat(130)}example`, /expected at most 253/],
  ])('%j', (text, message) => {
    expect(() => parseOwnZoneName(text, ZONES)).toThrow(
      expect.objectContaining({
        code: 'name-not-allowed',
        message: expect.stringMatching(message),
      }),
    )
  })
})

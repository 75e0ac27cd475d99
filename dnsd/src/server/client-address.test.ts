import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ipv4FromText, ipv6FromText } from '../names/index.ts'
import { networkFromText } from '../settings/network.ts'
import { ClientAddress, networkWords } from './client-address.ts'

const reader = new ClientAddress()

function wordsOf(text: string): number[] {
  reader.readText(text)
  return [reader.family, ...reader.words]
}

function wordsFrom(octets: Uint8Array): number[] {
  reader.readOctets(octets, 0, octets.length === 4 ? 4 : 16)
  return [reader.family, ...reader.words]
}

describe('ClientAddress', () => {
  it('reads any IPv4 address as its octets', () => {
    fc.assert(
      fc.property(fc.ipV4(), (text) => {
        expect(wordsOf(text)).toEqual(wordsFrom(ipv4FromText(text)))
      }),
      { seed: 4 },
    )
  })

  it('reads any IPv6 address as its octets, also after another', () => {
    fc.assert(
      fc.property(fc.ipV6(), (text) => {
        expect(wordsOf(text)).toEqual(wordsFrom(ipv6FromText(text)))
      }),
      { seed: 6, numRuns: 2000 },
    )
  })

  it.each(['::', '::1', '1::', 'fe80::1', '::ffff:192.0.2.1', '1:2:3:4:5:6:7::', '2001:DB8::a'])(
    'reads %s',
    (text) => {
      expect(wordsOf(text)).toEqual(wordsFrom(ipv6FromText(text)))
    },
  )

  it('leaves out the scope', () => {
    expect(wordsOf('fe80::1%eth0')).toEqual(wordsFrom(ipv6FromText('fe80::1')))
  })
})

describe('networkWords', () => {
  it.each([
    ['192.0.2.0/24', '192.0.2.255', true],
    ['192.0.2.0/24', '192.0.3.0', false],
    ['192.0.2.7', '192.0.2.7', true],
    ['192.0.2.7', '192.0.2.6', false],
    ['0.0.0.0/0', '255.1.2.3', true],
    ['0.0.0.0/0', '::', false],
    ['::/0', '2001:db8::1', true],
    ['2001:db8::/33', '2001:db8:7fff::1', true],
    ['2001:db8::/33', '2001:db8:8000::1', false],
    ['2001:db8::1', '2001:db8::2', false],
  ])('%s has %s: %s', (text, address, inside) => {
    const network = networkFromText(text)
    reader.readText(address)
    expect(network && reader.isIn(networkWords(network))).toBe(inside)
  })
})

import { describe, expect, test } from 'vitest'
import { RdataError, rdataFromText, rdataToText, TYPE } from '../index.ts'
import { octets } from '../test-support.ts'

describe('RFC 3597 §5: any type as octets', () => {
  test.each([
    [
      731,
      String.raw`\# 6 abcdef (01 23 45)`.replaceAll(/[()]/g, ''),
      'abcdef012345',
      String.raw`\# 6 ABCDEF012345`,
    ],
    [62_347, String.raw`\# 0`, '', String.raw`\# 0`],
    [TYPE.A, String.raw`\# 4 0A000001`, '0a000001', '10.0.0.1'],
    [TYPE.MX, String.raw`\# 3 000A 00`, '000a 00', '10 .'],
    [TYPE.DNSKEY, String.raw`\# 1 ff`, 'ff', String.raw`\# 1 FF`],
  ])('TYPE%i %s', (type, text, wire, canonical) => {
    expect(rdataFromText(type, text)).toEqual(octets(wire))
    expect(rdataToText(type, octets(wire))).toBe(canonical)
  })

  test.each([
    [731, 'abcdef', 'is written as'],
    [731, '', 'is written as'],
    [731, String.raw`"\#" 0`, 'is written as'],
    [731, String.raw`\#`, 'number of octets'],
    [731, String.raw`\# 2 AB`, 'announces 2 octets, but 1 follow'],
    [731, String.raw`\# 1 A`, String.raw`TYPE731 after \#: expected an even number of hexadecimal`],
    [731, String.raw`\# 65536 ${'00'.repeat(65_536)}`, 'longer than 65535'],
    [TYPE.A, String.raw`\# 3 0A0000`, 'A address'],
    [TYPE.A, String.raw`\# 5 0A00000001`, '1 octets too many'],
    [TYPE.NS, String.raw`\# 2 C00C`, 'NS name server'],
    [TYPE.MX, String.raw`\# 1 00`, 'MX preference'],
    [TYPE.TXT, String.raw`\# 0`, 'TXT text'],
    [TYPE.TXT, String.raw`\# 2 0561`, 'TXT text'],
    [TYPE.CAA, String.raw`\# 3 00012D`, 'CAA tag'],
    [TYPE.CAA, String.raw`\# 2 0000`, 'CAA tag'],
    [TYPE.DS, String.raw`\# 4 00010801`, 'DS digest'],
  ])('TYPE%i %.40s: %s', (type, text, message) => {
    expect(() => rdataFromText(type, text)).toThrow(RdataError)
    expect(() => rdataFromText(type, text)).toThrow(message)
  })

  test.each([0, TYPE.OPT, TYPE.TKEY, TYPE.TSIG, TYPE.IXFR, TYPE.AXFR, TYPE.ANY, 65_535])(
    'type %i is not a data type',
    (type) => {
      expect(() => rdataFromText(type, String.raw`\# 0`)).toThrow('not a type that a zone can hold')
      expect(() => rdataToText(type, Buffer.alloc(0))).toThrow('not a type that a zone can hold')
    },
  )
})

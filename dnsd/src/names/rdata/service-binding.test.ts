import { describe, expect, test } from 'vitest'
import { RdataError, rdataFromText, rdataToText, TYPE } from '../index.ts'
import { octets } from '../test-support.ts'

describe('RFC 9460: SVCB and HTTPS', () => {
  // Appendix D.2, its names under foo.example.com.
  const target = '03 666f6f 07 6578616d706c65 03 636f6d 00'
  test.each([
    ['D.1 alias', '0 foo.example.com.', `0000 ${target}`, '0 foo.example.com.'],
    ['D.2 root', '1 .', '0001 00', '1 .'],
    [
      'D.2 port',
      '16 foo.example.com. port=53',
      `0010 ${target} 0003 0002 0035`,
      '16 foo.example.com. port=53',
    ],
    [
      'D.2 unknown key',
      '1 foo.example.com. key667=hello',
      `0001 ${target} 029b 0005 68656c6c6f`,
      '1 foo.example.com. key667="hello"',
    ],
    [
      'D.2 unknown key, quoted with an octet',
      String.raw`1 foo.example.com. key667="hello\210qoo"`,
      `0001 ${target} 029b 0009 68656c6c6f d2 716f6f`,
      String.raw`1 foo.example.com. key667="hello\210qoo"`,
    ],
    [
      'D.2 two IPv6 hints',
      '1 foo.example.com. ipv6hint="2001:db8::1,2001:db8::53:1"',
      `0001 ${target} 0006 0020 20010db8000000000000000000000001 20010db8000000000000000000530001`,
      '1 foo.example.com. ipv6hint=2001:db8::1,2001:db8::53:1',
    ],
    [
      'D.2 keys out of order',
      '16 foo.example.com. alpn=h2,h3-19 mandatory=ipv4hint,alpn ipv4hint=192.0.2.1',
      `0010 ${target} 0000 0004 0001 0004 0001 0009 026832 0568332d3139 0004 0004 c0000201`,
      '16 foo.example.com. mandatory=alpn,ipv4hint alpn="h2,h3-19" ipv4hint=192.0.2.1',
    ],
    [
      'D.2 commas within a protocol name',
      String.raw`16 foo.example.com. alpn="f\\\\oo\\,bar,h2"`,
      `0010 ${target} 0001 000c 08 665c6f6f2c626172 02 6832`,
      String.raw`16 foo.example.com. alpn="f\\\\oo\\,bar,h2"`,
    ],
    [
      'D.2 the same without quotes',
      String.raw`16 foo.example.com. alpn=f\\\092oo\092,bar,h2`,
      `0010 ${target} 0001 000c 08 665c6f6f2c626172 02 6832`,
      String.raw`16 foo.example.com. alpn="f\\\\oo\\,bar,h2"`,
    ],
    [
      'no value',
      '1 . alpn=h2 no-default-alpn',
      '0001 00 0001 0003 026832 0002 0000',
      '1 . alpn="h2" no-default-alpn',
    ],
    ['base64', '1 . ech=AQID', '0001 00 0005 0003 010203', '1 . ech=AQID'],
    [
      'path',
      '1 . dohpath="/q{?dns}"',
      '0001 00 0007 0008 2f717b3f646e737d',
      '1 . dohpath="/q{?dns}"',
    ],
    [
      'a path with several variables',
      '1 . dohpath="/{x}{?ct,dns:9}{?y,dns*}"',
      '0001 00 0007 0018 2f7b787d7b3f63742c646e733a397d7b3f792c646e732a7d',
      '1 . dohpath="/{x}{?ct,dns:9}{?y,dns*}"',
    ],
    [
      'a known key by number',
      String.raw`1 . key3=\001\187`,
      '0001 00 0003 0002 01bb',
      '1 . port=443',
    ],
    ['an empty value', '1 . key667=', '0001 00 029b 0000', '1 . key667'],
    [
      'spaces in quotes',
      '1 . key667="a b;("',
      '0001 00 029b 0005 6120623b28',
      '1 . key667="a b;("',
    ],
  ])('%s', (_, text, wire, canonical) => {
    for (const type of [TYPE.SVCB, TYPE.HTTPS]) {
      expect(rdataFromText(type, text)).toEqual(octets(wire))
      expect(rdataToText(type, octets(wire))).toBe(canonical)
    }
  })

  test.each([
    ['D.3 a key twice', '1 foo.example.com. key123=abc key123=def', 'twice'],
    ['D.3 a key without its value', '1 foo.example.com. mandatory', 'mandatory'],
    ['D.3 alpn without value', '1 foo.example.com. alpn', 'alpn'],
    ['D.3 port without value', '1 foo.example.com. port', 'port'],
    ['D.3 ipv4hint without value', '1 foo.example.com. ipv4hint', 'ipv4hint'],
    ['D.3 ipv6hint without value', '1 foo.example.com. ipv6hint', 'ipv6hint'],
    [
      'D.3 no-default-alpn with a value',
      '1 foo.example.com. alpn=h2 no-default-alpn=abc',
      'takes no value',
    ],
    ['D.3 a mandatory key is missing', '1 foo.example.com. mandatory=key123', 'not given'],
    ['D.3 mandatory names itself', '1 foo.example.com. mandatory=mandatory', 'mandatory'],
    [
      'D.3 mandatory names a key twice',
      '1 foo.example.com. mandatory=key123,key123 key123=abc',
      'twice',
    ],
    ['no-default-alpn alone', '1 . no-default-alpn', 'needs alpn'],
    ['an alias with parameters', '0 a. port=1', 'alias'],
    ['an unknown name', '1 . protocol=1', 'not a parameter'],
    ['a key with a leading zero', '1 . key0667=1', 'not a parameter'],
    ['the reserved key', '1 . key65535=1', 'not a parameter'],
    ['upper case', '1 . PORT=1', 'not a parameter'],
    ['a quoted parameter', '1 . "port=1"', 'quoted string'],
    ['a value not closed', '1 . key667="a', 'not closed'],
    ['a port too large', '1 . port=65536', 'from 0 to 65535'],
    ['a bad hint', '1 . ipv4hint=1.2.3', 'IPv4'],
    ['an empty hint', '1 . ipv4hint=1.2.3.4,', 'IPv4'],
    ['bad base64', '1 . ech=AQI', 'base64'],
    ['an empty protocol name', '1 . alpn=h2,,h3', 'protocol names of 1 to 255'],
    ['a path without its variable', '1 . dohpath=/q', 'the variable dns'],
    ['an invalid path', '1 . dohpath={?dns}', 'the variable dns'],
    ['a path with another variable', '1 . dohpath=/q{?dnsx}', 'the variable dns'],
    ['a path with a longer variable', '1 . dohpath=/q{?x.dns}', 'the variable dns'],
    ['a path whose variable is not in braces', '1 . dohpath=/dns{?x}', 'the variable dns'],
    ['a path that is not UTF-8', String.raw`1 . dohpath=/q\255{?dns}`, 'UTF-8'],
    ['an odd escape in a list', String.raw`1 . alpn=a\\b`, 'backslash'],
    ['octets of a wrong length for a port', '1 . key3=a', 'two octets'],
    ['octets of a wrong length for addresses', '1 . key4=abc', 'whole addresses'],
    ['octets that are not valid names', String.raw`1 . key1=\009a`, 'past the end'],
  ])('refuses %s', (_, text, message) => {
    expect(() => rdataFromText(TYPE.SVCB, text)).toThrow(RdataError)
    expect(() => rdataFromText(TYPE.SVCB, text)).toThrow(message)
  })

  test.each([
    ['keys out of order', '0001 00 0003 0002 0035 0001 0003 026832'],
    ['a key twice', '0001 00 0003 0002 0035 0003 0002 0035'],
    ['a value past the end', '0001 00 0003 0004 0035'],
    ['half a key', '0001 00 00'],
    ['mandatory out of order', '0001 00 0000 0004 0003 0001 0001 0003 026832 0003 0002 0035'],
    ['the reserved key', '0001 00 ffff 0000'],
  ])('refuses on the wire %s', (_, wire) => {
    expect(() => rdataToText(TYPE.SVCB, octets(wire))).toThrow(RdataError)
  })
})

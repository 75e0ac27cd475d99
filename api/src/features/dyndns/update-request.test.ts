import { describe, expect, test } from 'vitest'
import { type Parameters, readUpdateRequest } from './update-request.ts'

const read = (parameters: Parameters, source = '198.51.100.7') =>
  readUpdateRequest(parameters, source, 'any')
const hostsOf = (hostname: string | string[]) => read({ hostname }).hosts
const addressesOf = (myip: string | string[] | undefined, source?: string) =>
  read({ hostname: 'home.homing.test', myip }, source).addresses

describe('hostname', () => {
  test.each<[string | string[], (string | undefined)[]]>([
    ['home.homing.test', ['home.homing.test']],
    ['HOME.Homing.Test.', ['home.homing.test']],
    [' home.homing.test ', ['home.homing.test']],
    ['a.homing.test,b.homing.test', ['a.homing.test', 'b.homing.test']],
    ['a.homing.test, b.homing.test,', ['a.homing.test', 'b.homing.test']],
    [
      'b.homing.test,a.homing.test,b.homing.test',
      ['b.homing.test', 'a.homing.test', 'b.homing.test'],
    ],
    ['münchen.homing.test', ['xn--mnchen-3ya.homing.test']],
    // The last list in which every name is one wins; else the last.
    [['a.homing.test', 'b.homing.test'], ['b.homing.test']],
    [['a.homing.test', 'YES'], ['a.homing.test']],
    [['a.homing.test', ''], ['a.homing.test']],
    [['%h', '-'], [undefined]],
    ['', []],
    [',,', []],
    ['YES', [undefined]],
    ['home', [undefined]],
    ['home.', [undefined]],
    ['homing..test', [undefined]],
    ['-home.homing.test', [undefined]],
    ['my_host.homing.test', [undefined]],
    ['*.home.homing.test', [undefined]],
    ['home.homing.test\0', [undefined]],
    ['http://home.homing.test/', [undefined]],
    [`${'a'.repeat(64)}.homing.test`, [undefined]],
    [`${'a.'.repeat(130)}test`, [undefined]],
    ['a.homing.test,?', ['a.homing.test', undefined]],
  ])('%j', (hostname, hosts) => {
    expect(hostsOf(hostname)).toEqual(hosts)
  })

  test('no parameter, no names', () => {
    expect(read({}).hosts).toEqual([])
  })
})

describe('myip', () => {
  test.each<[string | string[] | undefined, object]>([
    ['192.0.2.1', { ipv4: '192.0.2.1', said: '192.0.2.1' }],
    ['2001:DB8:0::1', { ipv6: '2001:db8::1', said: '2001:DB8:0::1' }],
    [
      '192.0.2.1,2001:db8::1',
      { ipv4: '192.0.2.1', ipv6: '2001:db8::1', said: '192.0.2.1,2001:db8::1' },
    ],
    [
      '2001:db8::1, 192.0.2.1',
      { ipv4: '192.0.2.1', ipv6: '2001:db8::1', said: '2001:db8::1,192.0.2.1' },
    ],
    [
      ['192.0.2.1', '2001:db8::1'],
      { ipv4: '192.0.2.1', ipv6: '2001:db8::1', said: '192.0.2.1,2001:db8::1' },
    ],
    [' 192.0.2.1 ,', { ipv4: '192.0.2.1', said: '192.0.2.1' }],
    ['192.0.2.1,192.0.2.1', { ipv4: '192.0.2.1', said: '192.0.2.1,192.0.2.1' }],
    // None, or an empty one: where the request came from, and that family alone.
    [undefined, { ipv4: '198.51.100.7', said: '198.51.100.7' }],
    ['', { ipv4: '198.51.100.7', said: '198.51.100.7' }],
    [' , ', { ipv4: '198.51.100.7', said: '198.51.100.7' }],
  ])('%j', (myip, addresses) => {
    expect(addressesOf(myip)).toEqual(addresses)
  })

  test('the address of an IPv6 connection sets that family alone', () => {
    expect(addressesOf(undefined, '2001:db8::7')).toEqual({
      ipv6: '2001:db8::7',
      said: '2001:db8::7',
    })
  })

  test.each([
    'home',
    '192.0.2',
    '192.0.2.1.5',
    '192.0.2.01',
    '0x7f.0.0.1',
    '192.0.2.256',
    '192.0.2.1:80',
    '192.0.2.0/24',
    '192.0.2.1home.homing.test',
    '192.0.2.1\0',
    '0.0.0.0',
    '255.255.255.255',
    '224.0.0.1',
    '::',
    'ff02::1',
    '::ffff:192.0.2.1',
    '2001:db8::1%eth0',
    '[2001:db8::1]',
    '2001:db8::/64',
    '192.0.2.1,192.0.2.2',
    '2001:db8::1,2001:db8::2',
    '192.0.2.1,x',
    '%i',
    '<ipaddr>',
  ])('%j is no address that a name may have', (myip) => {
    expect(addressesOf(myip)).toBeUndefined()
  })

  test('what the policy refuses is none either', () => {
    const parameters = { hostname: 'home.homing.test', myip: '192.168.1.1' }
    expect(readUpdateRequest(parameters, '198.51.100.7', 'public').addresses).toBeUndefined()
    expect(readUpdateRequest({}, '10.0.0.1', 'public').addresses).toBeUndefined()
  })

  test('a caller whose address is not known has to give one', () => {
    const parameters = { hostname: 'home.homing.test', myip: '192.0.2.1' }
    expect(readUpdateRequest({}, undefined, 'any').addresses).toBeUndefined()
    expect(readUpdateRequest(parameters, undefined, 'any').addresses?.said).toBe('192.0.2.1')
  })
})

test('what other clients send besides is left alone', () => {
  const more = { system: 'dyndns', mx: 'NOCHG', wildcard: 'ON', offline: 'YES', backmx: ['a', 'b'] }
  expect(read({ hostname: 'home.homing.test', myip: '192.0.2.1', ...more })).toEqual(
    read({ hostname: 'home.homing.test', myip: '192.0.2.1' }),
  )
})

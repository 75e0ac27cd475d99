/** The contents of an update call: names, addresses, and other parameters of clients. */
import { describe, expect, test } from 'vitest'
import { HOST, hostsOf, read, V4, V6, wanted } from '../../../test/support/dyndns2-calls.ts'
import type { Parameters } from '../parameters.ts'
import { dyndns2, dyndns2Delete } from './dyndns2.ts'

describe('hostname', () => {
  test.each<[string | string[], (string | undefined)[]]>([
    ['home.homing.test', ['home.homing.test']],
    ['HOME.Homing.Test.', ['home.homing.test']],
    [' home.homing.test ', ['home.homing.test']],
    ['.home.homing.test. ', ['home.homing.test']],
    ['a.homing.test,b.homing.test', ['a.homing.test', 'b.homing.test']],
    ['a.homing.test, b.homing.test,', ['a.homing.test', 'b.homing.test']],
    [
      'b.homing.test,a.homing.test,b.homing.test',
      ['b.homing.test', 'a.homing.test', 'b.homing.test'],
    ],
    ['münchen.homing.test', ['xn--mnchen-3ya.homing.test']],
    // The last list in which every item is a name takes precedence; otherwise the last list.
    [['a.homing.test', 'b.homing.test'], ['b.homing.test']],
    [['a.homing.test', 'YES'], ['a.homing.test']],
    [['a.homing.test', ''], ['a.homing.test']],
    [['a.homing.test', '%h'], ['a.homing.test']],
    [['%h', '-'], [undefined]],
    ['', []],
    [',,', []],
    ['YES', []],
    ['yes,home.homing.test', ['home.homing.test']],
    ['home.homing.test http://svc.test/nic/update', ['home.homing.test']],
    ['home', [undefined]],
    ['home.', [undefined]],
    ['homing..test', [undefined]],
    ['-home.homing.test', [undefined]],
    ['my_host.homing.test', [undefined]],
    ['*.home.homing.test', [undefined]],
    ['home.homing.test\0', [undefined]],
    ['http://home.homing.test/', [undefined]],
    ['<domain>', [undefined]],
    [`${'a'.repeat(64)}.homing.test`, [undefined]],
    [`${'a.'.repeat(130)}test`, [undefined]],
    ['a.homing.test,?', ['a.homing.test', undefined]],
  ])('%j', (hostname, hosts) => {
    expect(hostsOf(hostname)).toEqual(hosts)
  })

  test.each(['host', 'domain', 'domains', 'fqdn', 'host_id', 'zone', 'h'])(
    '%s is another name of it',
    (name) => {
      expect(read({ [name]: HOST }).hosts).toEqual([HOST])
      expect(read({ [name]: 'other.homing.test', hostname: HOST }).hosts).toEqual([HOST])
      expect(read({ [name]: HOST, hostname: 'YES' }).hosts).toEqual([HOST])
    },
  )

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
    // Given twice: the last readable value counts.
    [['192.0.2.1', '192.0.2.2'], { ipv4: '192.0.2.2', said: '192.0.2.2' }],
    [['192.0.2.1', '%i'], { ipv4: '192.0.2.1', said: '192.0.2.1' }],
    [['', '192.0.2.1'], { ipv4: '192.0.2.1', said: '192.0.2.1' }],
    // The prefix length is not part of the address.
    ['2001:db8::1/64', { ipv6: '2001:db8::1', said: '2001:db8::1' }],
    ['2001:db8::1/128', { ipv6: '2001:db8::1', said: '2001:db8::1' }],
    // A network: a name cannot have an all-zero interface identifier.
    ['2001:db8:1:2::/64', { ipv6Prefix: 64, said: '' }],
    ['192.0.2.1,2001:db8:1:2::/64', { ipv4: '192.0.2.1', ipv6Prefix: 64, said: '192.0.2.1' }],
    ['192.0.2.1 http://svc.test/nic/update?x=y', { ipv4: '192.0.2.1', said: '192.0.2.1' }],
    // No address, or an empty one: the source of the request, and only its family.
    [undefined, { ipv4: V4, said: V4 }],
    ['', { ipv4: V4, said: V4 }],
    [' , ', { ipv4: V4, said: V4 }],
    [['', ''], { ipv4: V4, said: V4 }],
    ['auto', { ipv4: V4, said: V4 }],
    // Both families are omitted.
    ['preserve', { said: '' }],
    ['no', { said: '' }],
  ])('%j', (myip, addresses) => {
    expect(wanted({ myip })).toEqual(addresses)
  })

  test('the address of an IPv6 connection sets only that family', () => {
    expect(wanted({}, V6)).toEqual({ ipv6: V6, said: V6 })
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
    '2001:db8::1/129',
    '2001:db8::1/0',
    '2001:db8::1/x',
    '192.0.2.1,192.0.2.2',
    '2001:db8::1,2001:db8::2',
    '2001:db8::/64,2001:db8::2',
    '192.0.2.1,x',
    '-',
    '%i',
    '<ipaddr>',
    '__MYIP__',
    '@IP',
    '[IP]',
  ])('%j is not an address that a domain can have', (myip) => {
    expect(wanted({ myip })).toBeUndefined()
    expect(wanted({ myip: [myip, myip] })).toBeUndefined()
  })

  test('an address that the policy refuses is not used either', () => {
    const caller = { detected: V4, policy: 'public' } as const
    expect(dyndns2.read({ myip: '192.168.1.1' }, caller).addresses).toBeUndefined()
    expect(dyndns2.read({}, { ...caller, detected: '10.0.0.1' }).addresses).toBeUndefined()
  })

  test('a caller whose address is unknown must give one', () => {
    const caller = { detected: undefined, policy: 'any' } as const
    expect(dyndns2.read({}, caller).addresses).toBeUndefined()
    expect(dyndns2.read({ myip: '192.0.2.1' }, caller).addresses?.said).toBe('192.0.2.1')
  })
})

test('an endless value is not read to its end', () => {
  const names = Array.from({ length: 3_000 }, (_, n) => `n${n}.homing.test`)
  expect(read({ hostname: names.join(',') }).hosts).toEqual(names.slice(0, 21))
  expect(read({ hostname: names }).hosts).toEqual(['n2999.homing.test'])
  const oneAmongMany = ['first.homing.test', ...Array.from({ length: 3_000 }, () => '%h')]
  expect(read({ hostname: oneAmongMany }).hosts).toEqual([undefined])
  expect(wanted({ myip: Array.from({ length: 9 }, () => '192.0.2.1').join(',') })).toBeUndefined()
  const named = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, n) => [`myipv6:n${n}.homing.test`, '2001:db8::5']),
    )
  expect(wanted({ myip: '192.0.2.1', ...named(20) })?.ipv4).toBe('192.0.2.1')
  expect(wanted({ myip: '192.0.2.1', ...named(21) })).toBeUndefined()
})

describe('switches', () => {
  test.each<Parameters>([
    { offline: 'YES' },
    { offline: 'yes' },
    { clear: 'true' },
    { offline: 'YES', myip: 'x' },
  ])('%j withdraws', (parameters) => {
    expect(wanted(parameters)).toEqual({ ipv4: null, ipv6: null, said: '' })
  })

  test('an address that is sent in addition is repeated', () => {
    expect(wanted({ offline: 'YES', myip: '192.0.2.1' })).toEqual({
      ipv4: null,
      ipv6: null,
      said: '192.0.2.1',
    })
    expect(wanted({ offline: 'NO', myip: '192.0.2.1' })?.ipv4).toBe('192.0.2.1')
  })

  test.each([
    ['ON', true],
    ['on', true],
    ['OFF', false],
    ['NOCHG', false],
    ['', false],
  ])('wildcard=%s', (wildcard, wantsWildcard) => {
    expect(read({ wildcard }).wantsWildcard).toBe(wantsWildcard)
  })
})

test('/nic/delete withdraws the given families, or both', () => {
  const deleted = (parameters: Parameters) =>
    dyndns2Delete.read(parameters, { detected: V4, policy: 'any' }).addresses
  expect(deleted({})).toEqual({ ipv4: null, ipv6: null, said: '' })
  expect(deleted({ myip: '192.0.2.1' })).toEqual({ ipv4: null, said: '192.0.2.1' })
  expect(deleted({ myip: '2001:db8::/64' })).toEqual({ ipv6: null, said: '' })
  expect(deleted({ myip: 'x' })).toBeUndefined()
})

test('other parameters of clients are ignored', () => {
  const plain = { hostname: HOST, myip: '192.0.2.1' }
  const more = { system: 'dyndns', mx: 'NOCHG', wildcard: 'NOCHG', backmx: ['a', 'b'], url: 'x' }
  const { parameters: _, ...asked } = read({ ...plain, ...more })
  const { parameters: __, ...expected } = read(plain)
  expect(asked).toEqual(expected)
})

/** Parameters for addresses of one family, and for the names that follow a prefix. */
import { describe, expect, test } from 'vitest'
import { HOST, read, V4, V6, wanted } from '../../../test/support/dyndns2-calls.ts'
import type { Parameters } from '../parameters.ts'

describe('addresses of one family', () => {
  test.each(['ip', 'address'])('%s is another name of myip', (name) => {
    expect(wanted({ [name]: '192.0.2.1' })).toEqual({ ipv4: '192.0.2.1', said: '192.0.2.1' })
    expect(wanted({ [name]: '2001:db8::1' })).toEqual({ ipv6: '2001:db8::1', said: '2001:db8::1' })
    expect(wanted({ [name]: '' })).toEqual({ ipv4: V4, said: V4 })
  })

  test.each(['ipv4', 'myipv4'])('%s', (name) => {
    expect(wanted({ [name]: '192.0.2.1' })).toEqual({ ipv4: '192.0.2.1', said: '192.0.2.1' })
    expect(wanted({ [name]: '-' })).toEqual({ ipv4: null, said: '' })
    expect(wanted({ [name]: 'auto' })).toEqual({ ipv4: V4, said: V4 })
    expect(wanted({ [name]: 'preserve' })).toEqual({ said: '' })
    expect(wanted({ [name]: '2001:db8::1' })).toBeUndefined()
    // The address of that family is unknown, and the request names no other.
    expect(wanted({ [name]: 'auto' }, V6)).toBeUndefined()
    expect(wanted({ [name]: 'auto', myipv6: 'auto' }, V6)).toEqual({ ipv6: V6, said: V6 })
  })

  test.each(['ipv6', 'myipv6', 'ip6', 'ip6addr'])('%s', (name) => {
    expect(wanted({ [name]: '2001:db8::1' })).toEqual({ ipv6: '2001:db8::1', said: '2001:db8::1' })
    expect(wanted({ [name]: '-' })).toEqual({ ipv6: null, said: '' })
    expect(wanted({ [name]: '192.0.2.1' })).toBeUndefined()
    expect(wanted({ [name]: '<ip6addr>' })).toBeUndefined()
  })

  test('empty: removes the address for the parameters of deSEC, changes nothing for the others', () => {
    expect(wanted({ myipv4: '' })).toEqual({ ipv4: null, said: '' })
    expect(wanted({ myip: '192.0.2.1', myipv6: '' })).toEqual({
      ipv4: '192.0.2.1',
      ipv6: null,
      said: '192.0.2.1',
    })
    expect(wanted({ ipv4: '', ipv6: '2001:db8::1' })).toEqual({
      ipv6: '2001:db8::1',
      said: '2001:db8::1',
    })
    expect(wanted({ ipv4: '' })).toEqual({ ipv4: V4, said: V4 })
  })

  test('one of each family, and which of two takes precedence', () => {
    expect(wanted({ myip: '192.0.2.1', myipv6: '2001:db8::1' })).toEqual({
      ipv4: '192.0.2.1',
      ipv6: '2001:db8::1',
      said: '192.0.2.1,2001:db8::1',
    })
    expect(wanted({ myip: '192.0.2.1', ip: '192.0.2.1' })?.said).toBe('192.0.2.1')
    expect(wanted({ myip: '192.0.2.1', ipv4: '192.0.2.2' })?.ipv4).toBe('192.0.2.2')
    expect(wanted({ myip: '', myipv6: '2001:db8::1' })).toEqual({
      ipv4: V4,
      ipv6: '2001:db8::1',
      said: `${V4},2001:db8::1`,
    })
    expect(wanted({ myip: '192.0.2.1', myipv6: 'no' })).toEqual({
      ipv4: '192.0.2.1',
      said: '192.0.2.1',
    })
  })
})

describe('related names', () => {
  const relatedOf = (parameters: Parameters) => {
    const related = read({ hostname: HOST, ...parameters }).related
    return related && { bits: related.prefix?.bits, named: [...related.named] }
  }

  test('are not mentioned', () => {
    expect(relatedOf({ myip: '192.0.2.1,2001:db8::1' })).toBeUndefined()
    expect(relatedOf({ ip6lanprefix: '' })).toBeUndefined()
    expect(relatedOf({ ipv6prefix: '-' })).toBeUndefined()
  })

  test('a prefix: from its own parameter, otherwise from the address', () => {
    expect(relatedOf({ ip6lanprefix: '2001:db8:5::/62' })).toEqual({ bits: 62, named: [] })
    expect(relatedOf({ ipv6prefix: '2001:db8:5::' })).toEqual({ bits: 64, named: [] })
    expect(relatedOf({ myipv6: '2001:db8:5::7/64' })).toEqual({ bits: 64, named: [] })
    expect(relatedOf({ myip: '2001:db8:5::/56', ip6lanprefix: '2001:db8:5::/60' })?.bits).toBe(60)
    expect(read({ ipv6prefix: 'auto' }, V6).related?.prefix?.bits).toBe(64)
  })

  test('the updated names keep a prefix that is not their address', () => {
    expect(wanted({ myip: '192.0.2.1', ip6lanprefix: '2001:db8:5::/64' })).toEqual({
      ipv4: '192.0.2.1',
      said: '192.0.2.1',
    })
  })

  test('single names', () => {
    const named = relatedOf({
      myip: '192.0.2.1',
      'myipv6:nas.home.homing.test': '2001:db8::5',
      'myipv4:nas.home.homing.test': '192.0.2.5',
    })?.named
    expect(named).toEqual([
      [
        'nas.home.homing.test',
        { ipv4: '192.0.2.5', ipv6: '2001:db8::5', said: expect.any(String) },
      ],
    ])
  })

  test.each<Parameters>([
    { ip6lanprefix: '<ip6lanprefix>' },
    { ip6lanprefix: '192.0.2.0/24' },
    { 'myipv6:nas.home.homing.test': '192.0.2.5' },
    { 'myipv6:nas': '2001:db8::5' },
    { 'myipv6:<domain>': '2001:db8::5' },
  ])('%j cannot be read, so nothing is changed', (parameters) => {
    expect(wanted({ myip: '192.0.2.1', ...parameters })).toBeUndefined()
  })
})

import { describe, expect, test } from 'vitest'
import { readSearch, withoutTerm, withTerm } from './domain-search.ts'

test.each([
  ['', {}],
  ['nas', { q: 'nas' }],
  ['nothing like it', { q: 'nothing like it' }],
  ['fe80::1', { q: 'fe80::1' }],
  ['2001:db8:', { q: '2001:db8:' }],
  ['zone:Example.NET nas', { q: 'nas', zone: 'example.net' }],
  ['status:no-address', { status: 'no_address' }],
  ['status:Inactive', { status: 'withheld' }],
  ['type:ipv6 ip:2001:DB8', { type: 'AAAA', ip: '2001:db8' }],
  ['monitor:Down', { monitor: 'down' }],
  ['monitor:on', { monitor: 'on' }],
  ['type:wildcard', { is_wildcard: true }],
  ['TAG:"living Room" cam', { q: 'cam', tag: 'living Room' }],
  ['note:Attic note', { q: 'note', note: 'Attic' }],
])('%j filters by %j', (text, filter) => {
  expect(readSearch(text)).toMatchObject({ filter, faults: [] })
})

test.each([
  [
    'color:red nas',
    /^“color:” is not a filter\. Use zone:, status:, monitor:, type:, ip:, tag:, note: or/,
  ],
  ['status:broken nas', /^“status:broken” is not a status\. Use active, no-address, withheld, /],
  ['monitor:broken nas', /^“monitor:broken” is not a state of a monitor\. Use on, off, pending, /],
  ['type:mx nas', /^“type:mx” is not a type\./],
  ['tag: nas', /^“tag:” needs a value, such as tag:office\.$/],
])('%j is explained, and the rest is searched', (text, fault) => {
  const { filter, faults } = readSearch(text)
  expect(filter).toEqual({ q: 'nas' })
  expect(faults).toEqual([expect.stringMatching(fault)])
})

test('an operator that is given twice applies once', () => {
  const { filter, faults } = readSearch('tag:a tag:b')
  expect(filter).toEqual({ tag: 'a' })
  expect(faults).toEqual(['“tag:b” is not applied: tag: can be given once.'])
})

describe('an operator', () => {
  const text = 'nas tag:"living room" zone:example.net'

  test('is removed', () => {
    const [tag] = readSearch(text).terms
    expect(tag && withoutTerm(text, tag)).toBe('nas zone:example.net')
  })

  test('replaces another value of it', () => {
    expect(withTerm(text, 'tag', 'office')).toBe('nas zone:example.net tag:office')
    expect(withTerm('', 'tag', 'back yard')).toBe('tag:"back yard"')
  })

  test.each(['12"', '"', '"a" b\\', 'مكتب المنزل', '<img src=x>'])('can be %s', (tag) => {
    expect(readSearch(`nas ${withTerm('cam', 'tag', tag)}`).filter).toEqual({ q: 'nas cam', tag })
  })
})

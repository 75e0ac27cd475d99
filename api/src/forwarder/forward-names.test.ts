/** The search for a host, by the rules of DNS wildcards (RFC 4592). */
import { expect, test } from 'vitest'
import { makeForward, makeNames } from './test-support.ts'

const own = makeForward({ id: '1' })
const wildcard = makeForward({ id: '2' })
const inner = makeForward({ id: '3' })

test('a domain and its wildcard', () => {
  const names = makeNames({ 'home.example.net': own, '*.home.example.net': wildcard })
  expect(names.find('home.example.net')).toBe(own)
  expect(names.find('a.home.example.net')).toBe(wildcard)
  expect(names.find('a.b.home.example.net')).toBe(wildcard)
  for (const host of [
    'example.net',
    'net',
    'other.example.net',
    'xhome.example.net',
    '192.0.2.1',
  ]) {
    expect(names.find(host)).toBeUndefined()
  }
})

test('without a wildcard, nothing below a domain is forwarded', () => {
  expect(makeNames({ 'home.example.net': own }).find('a.home.example.net')).toBeUndefined()
})

test('an existing name stops the wildcard for itself and everything below it (§2.2.1)', () => {
  const names = makeNames({
    'home.example.net': own,
    '*.home.example.net': wildcard,
    'nas.home.example.net': null,
    'web.home.example.net': inner,
  })
  expect(names.find('nas.home.example.net')).toBeUndefined()
  expect(names.find('a.nas.home.example.net')).toBeUndefined()
  expect(names.find('web.home.example.net')).toBe(inner)
  expect(names.find('a.web.home.example.net')).toBeUndefined()
  expect(names.find('a.home.example.net')).toBe(wildcard)
})

test('a name that exists only because of names below it stops the wildcard too (§2.2.2)', () => {
  const names = makeNames({
    'home.example.net': own,
    '*.home.example.net': wildcard,
    'a.b.home.example.net': null,
  })
  expect(names.find('b.home.example.net')).toBeUndefined()
  expect(names.find('x.b.home.example.net')).toBeUndefined()
  names.delete('a.b.home.example.net')
  expect(names.find('x.b.home.example.net')).toBe(wildcard)
})

test('the closest wildcard answers', () => {
  const names = makeNames({
    'home.example.net': own,
    '*.home.example.net': wildcard,
    'lab.home.example.net': inner,
    '*.lab.home.example.net': inner,
  })
  expect(names.find('x.lab.home.example.net')).toBe(inner)
  expect(names.find('x.y.home.example.net')).toBe(wildcard)
})

test('a name that is set twice is deleted at once', () => {
  const names = makeNames({ '*.home.example.net': wildcard })
  names.set('*.home.example.net', inner)
  expect(names.size).toBe(1)
  names.delete('*.home.example.net')
  names.delete('*.home.example.net')
  names.set('*.example.net', wildcard)
  expect(names.find('home.example.net')).toBe(wildcard)
})

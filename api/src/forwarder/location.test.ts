import { expect, test } from 'vitest'
import { cacheControlOf, locationOf } from './location.ts'
import { makeForward } from './test-support.ts'

const located = (target: string, path: string, query = '', fields = {}) =>
  locationOf(makeForward({ target, ...fields }), { path, query })

test.each([
  ['https://t.example', '/', '', 'https://t.example/'],
  ['https://t.example', '/a/b', '', 'https://t.example/a/b'],
  ['https://t.example/blog', '/', '', 'https://t.example/blog'],
  ['https://t.example/blog', '/a/', '', 'https://t.example/blog/a/'],
  ['https://t.example/blog/', '/a', '', 'https://t.example/blog/a'],
  ['https://t.example/blog', '/', '?a=1', 'https://t.example/blog?a=1'],
  ['https://t.example/?a=1', '/b', '?c=2', 'https://t.example/b?a=1&c=2'],
  ['https://t.example/?a=1', '/', '?', 'https://t.example/?a=1'],
  ['https://t.example:8443/#part', '/b', '?c', 'https://t.example:8443/b?c#part'],
])('%s with %s%s', (target, path, query, location) => {
  expect(located(target, path, query)).toBe(location)
})

test('path and query are appended only if the owner wants it', () => {
  const target = 'https://t.example/x?y'
  expect(located(target, '/a', '?b', { path: false })).toBe('https://t.example/x?y&b')
  expect(located(target, '/a', '?b', { query: false })).toBe('https://t.example/x/a?y')
  expect(located(target, '/a', '?b', { path: false, query: false })).toBe(target)
})

test.each([
  '//evil.example/',
  '/\\evil.example/',
  '/\\/evil.example/',
  '/@evil.example/',
  '/.evil.example',
  '/:80@evil.example/',
  '/http://evil.example/',
  '/../../evil',
  '/%2e%2e/%2E%2e/evil',
  '/a/..//../evil',
  '/..\\..\\evil',
])('the path %s does not leave the target', (path) => {
  const location = new URL(located('https://t.example/blog', path, '?//evil.example'))
  expect(location.origin).toBe('https://t.example')
  expect(location.pathname).toMatch(/^\/blog\//)
})

/** Texts that the URL parser keeps, changes or interprets. */
const PIECES = [
  '/',
  '.',
  '..',
  '%2e',
  '%2E',
  'a',
  '%',
  '%41',
  '~',
  '@',
  ':',
  ';',
  '&',
  '=',
  "'",
  '"',
  '<',
  '`',
  '^',
  '|',
  '{',
  '\\',
  '[',
  '+',
  '\u007F',
]
const TARGETS = ['https://t.example', 'http://t.example:81/b/?x=1&y#f', 'https://t.example/b?#']

test('every path and query is appended as the URL parser writes it', () => {
  const texts = PIECES.flatMap((first) =>
    PIECES.flatMap((second) => ['', ...PIECES].map((third) => first + second + third)),
  )
  const wrong: string[] = []
  for (const [n, text] of texts.entries()) {
    const [path, query] = [`/${text}`, `?${texts[(n * 7) % texts.length] ?? ''}`]
    const asked = new URL(`http://x${path}${query}`)
    for (const target of TARGETS) {
      const expected = new URL(target)
      if (asked.pathname !== '/') {
        expected.pathname = expected.pathname.replace(/\/$/, '') + asked.pathname
      }
      expected.search = [expected.search.slice(1), asked.search.slice(1)].filter(Boolean).join('&')
      const location = located(target, path, query)
      if (location !== expected.href) wrong.push(`${path} ${query} → ${location}`)
    }
  }
  expect(wrong).toEqual([])
})

test('octets outside ASCII stay as they were sent', () => {
  const sent = Buffer.from('/münchen').toString('latin1')
  expect(located('https://t.example', sent, `?${sent}`)).toBe(
    'https://t.example/m%C3%BCnchen?/m%C3%BCnchen',
  )
})

test('browsers keep a new permanent redirect for minutes, an old one for a day, others not', () => {
  const since = Date.parse('2027-03-01T00:00:00Z')
  const week = 7 * 86_400_000
  for (const status of [301, 308]) {
    const forward = makeForward({ status, since: '2027-03-01T00:00:00Z' })
    expect(cacheControlOf(forward, since)).toBe('max-age=300')
    expect(cacheControlOf(forward, since + week - 1_000)).toBe('max-age=300')
    expect(cacheControlOf(forward, since + week)).toBe('max-age=86400')
  }
  for (const status of [302, 307]) {
    expect(cacheControlOf(makeForward({ status }), since + week)).toBe('no-store')
  }
})

import { expect, test } from 'vitest'
import { forwardOf, readForward, rowOf } from './forward.ts'
import { FEED_FORWARD, makeForward } from './test-support.ts'

test('null is a name that stops a wildcard', () => {
  expect(readForward(null)).toBeNull()
})

test.each([
  { target: 'javascript:alert(1)' },
  { target: 'data:text/html,x' },
  { target: '/relative' },
  { target: 'https://user:secret@target.example/' },
  // The URL standard allows this host.
  { target: 'https://a;script-src.example/' },
  { target: `https://${'a'.repeat(64)}.example/` },
  { type: 'rewrite' },
  { status: 200 },
  { id: 'seven' },
])('refuses %o', (fields) => {
  expect(() => makeForward(fields)).toThrow(expect.objectContaining({ name: 'InvalidForward' }))
})

test.each([
  ['HTTPS://Target.Example:443/a b', 'https://target.example/a%20b'],
  ['http://münchen.example', 'http://xn--mnchen-3ya.example/'],
  ['http://[2001:DB8:0::1]:8080/', 'http://[2001:db8::1]:8080/'],
  ['https://target.example/\r\nset-cookie: a', 'https://target.example/set-cookie:%20a'],
])('writes the target %j as the URL parser does', (target, href) => {
  expect(makeForward({ target }).target).toBe(href)
})

test('a snapshot keeps everything that answers depend on', () => {
  const stealth = makeForward({ type: 'stealth', title: 'A <b>', keywords: 'a, b', path: false })
  for (const forward of [makeForward(), makeForward({ status: 307, query: false }), stealth]) {
    expect(forwardOf(JSON.parse(JSON.stringify(rowOf(forward))))).toEqual(forward)
  }
  expect(FEED_FORWARD.since).toBe(new Date(makeForward().sinceSeconds * 1_000).toISOString())
})

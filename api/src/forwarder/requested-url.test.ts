/** RFC 9112 §3.2 (request target) and §3.2.3 to §3.3 (effective URI). */
import { expect, test } from 'vitest'
import { requestedUrl } from './requested-url.ts'

interface Sent {
  readonly method?: string
  readonly url?: string
  readonly hosts?: readonly string[]
  readonly minor?: number
}

const read = ({ method = 'GET', url = '/', hosts = ['home.example.net'], minor = 1 }: Sent) =>
  requestedUrl({
    method,
    url,
    rawHeaders: ['Accept', '*/*', ...hosts.flatMap((host) => ['Host', host])],
    httpVersionMajor: 1,
    httpVersionMinor: minor,
  })

test.each([
  ['home.example.net', 'home.example.net'],
  ['HOME.Example.NET', 'home.example.net'],
  ['home.example.net.', 'home.example.net'],
  ['home.example.net:80', 'home.example.net'],
  ['home.example.net.:8080', 'home.example.net'],
  ['home.example.net:', 'home.example.net'],
  ['192.0.2.1', '192.0.2.1'],
  ['[2001:DB8::1]:80', '2001:db8::1'],
  ['xn--mnchen-3ya.example', 'xn--mnchen-3ya.example'],
])('the host %s', (host, wanted) => {
  expect(read({ hosts: [host] })).toEqual({ host: wanted, path: '/', query: '' })
})

test.each([
  '',
  'home.example.net, evil.example',
  'user@home.example.net',
  'home.example.net/path',
  'home..example.net',
  'home.example.net..',
  '.home.example.net',
  'home.example.net:80x',
  'home.example.net:65536',
  'home example.net',
  '*.example.net',
  'höme.example.net',
  'home%2eexample.net',
  '[2001:db8::1',
  '[v1.x]',
  `${'a.'.repeat(127)}aa`,
])('refuses the host %j', (host) => {
  expect(read({ hosts: [host] })).toEqual({ fault: expect.stringContaining('The host is invalid') })
})

test('exactly one Host header is required; HTTP/1.0 may omit it', () => {
  expect(read({ hosts: [] })).toEqual({ fault: expect.stringContaining('no Host header') })
  const twice = ['home.example.net', 'home.example.net']
  expect(read({ hosts: twice })).toEqual({ fault: expect.stringContaining('more than one') })
  expect(read({ hosts: twice, minor: 0 })).toHaveProperty('fault')
  expect(read({ hosts: [], minor: 0, url: '/a?b' })).toEqual({
    host: undefined,
    path: '/a',
    query: '?b',
  })
})

test.each([
  ['http://other.example/a?b', { host: 'other.example', path: '/a', query: '?b' }],
  ['HTTP://OTHER.example:80', { host: 'other.example', path: '/', query: '' }],
  ['https://other.example?b', { host: 'other.example', path: '/', query: '?b' }],
])('the absolute form %s takes precedence over Host', (url, wanted) => {
  expect(read({ url })).toEqual(wanted)
  // Host is still required, and must be valid.
  expect(read({ url, hosts: [] })).toHaveProperty('fault')
  expect(read({ url, hosts: ['a b'] })).toHaveProperty('fault')
})

test.each(['ftp://other.example/', 'http:///a', 'http://u@other.example/', 'path', '*', ''])(
  'refuses the target %j',
  (url) => {
    expect(read({ url })).toHaveProperty('fault')
  },
)

test('the asterisk form belongs to OPTIONS', () => {
  expect(read({ url: '*', method: 'OPTIONS' })).toEqual({
    host: 'home.example.net',
    path: '/',
    query: '',
  })
})

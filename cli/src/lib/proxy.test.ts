import { expect, test } from 'vitest'
import { proxyFor } from './proxy.ts'

const SERVER = 'https://dns.example.net'
const PROXY = 'http://proxy.example.net:3128'
const through = (server: string, environment: Record<string, string>) => {
  const proxy = proxyFor(server, environment)
  return proxy && `${proxy.variable} ${proxy.url.href}`
}

test.each([
  [SERVER, { HTTPS_PROXY: PROXY }, `HTTPS_PROXY ${PROXY}/`],
  [SERVER, { https_proxy: PROXY, HTTPS_PROXY: 'http://other/' }, `https_proxy ${PROXY}/`],
  [SERVER, { https_proxy: '', HTTPS_PROXY: PROXY }, `HTTPS_PROXY ${PROXY}/`],
  [SERVER, { HTTPS_PROXY: 'proxy.example.net:3128' }, `HTTPS_PROXY ${PROXY}/`],
  [SERVER, { HTTPS_PROXY: 'https://proxy.example.net' }, 'HTTPS_PROXY https://proxy.example.net/'],
  [SERVER, { HTTP_PROXY: PROXY }, undefined],
  [SERVER, {}, undefined],
  ['http://dns.example.net', { HTTP_PROXY: PROXY }, `HTTP_PROXY ${PROXY}/`],
  ['http://dns.example.net', { HTTPS_PROXY: PROXY }, undefined],
])('%s with %j', (server, environment, proxy) => {
  expect(through(server, environment)).toBe(proxy)
})

test.each([
  ['dns.example.net', SERVER],
  ['DNS.EXAMPLE.NET', SERVER],
  ['dns.example.net.', SERVER],
  ['dns.example.net:443', SERVER],
  ['example.net', SERVER],
  ['.example.net', SERVER],
  ['*.example.net', SERVER],
  ['localhost, example.net', SERVER],
  ['localhost example.net', SERVER],
  ['*', SERVER],
  ['localhost:8443', 'https://localhost:8443'],
  ['127.0.0.1', 'https://127.0.0.1:8443'],
  ['::1', 'https://[::1]:8443'],
  ['2001:db8::53', 'https://[2001:db8::53]'],
  ['[::1]', 'https://[::1]:8443'],
  ['[::1]:8443', 'https://[::1]:8443'],
])('NO_PROXY=%s exempts %s', (exempt, server) => {
  expect(through(server, { HTTPS_PROXY: PROXY, NO_PROXY: exempt })).toBeUndefined()
  expect(through(server, { HTTPS_PROXY: PROXY, no_proxy: exempt })).toBeUndefined()
})

test.each([
  ['dns.example.net:8443', SERVER],
  ['other.example.net', SERVER],
  ['s.example.net', SERVER],
  ['xample.net', SERVER],
  ['net.', 'https://internet'],
  [',', SERVER],
  ['.', SERVER],
  ['[::1]:443', 'https://[::1]:8443'],
])('NO_PROXY=%s does not exempt %s', (exempt, server) => {
  expect(through(server, { HTTPS_PROXY: PROXY, NO_PROXY: exempt })).toBe(`HTTPS_PROXY ${PROXY}/`)
})

test.each(['socks5://proxy.example.net:1080', 'http://', '://'])(
  '%s is refused, unseen',
  (text) => {
    const name = 'HTTPS_PROXY is not the URL of an HTTP proxy.'
    expect(() => proxyFor(SERVER, { HTTPS_PROXY: text })).toThrow(name)
    expect(() => proxyFor(SERVER, { HTTPS_PROXY: 'socks5://ada:secret@proxy' })).not.toThrow(
      'secret',
    )
  },
)

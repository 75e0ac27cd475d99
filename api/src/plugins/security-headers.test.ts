import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { securityHeaders } from './security-headers.ts'

const YEAR = 'max-age=31536000'

test.each([
  ['https://dns.example.net', ['dyn.example.org'], `${YEAR}; includeSubDomains`],
  ['https://example.net', ['notexample.net'], `${YEAR}; includeSubDomains`],
  // Domains of users are below the host, at it, or beside it in its own zone.
  ['https://example.net', ['dyn.example.net'], YEAR],
  ['https://example.net', ['other.test', 'example.net'], YEAR],
  ['https://dns.example.net', ['example.net'], YEAR],
  ['http://dns.example.net', ['example.org'], undefined],
])('%s over the zones %j: HTTPS is required by %s', async (url, zones, expected) => {
  const app = Fastify()
  await app.register(securityHeaders, { publicUrl: new URL(url), zones })
  app.get('/', async () => '')
  const { headers } = await app.inject('/')
  expect(headers['strict-transport-security']).toBe(expected)
  await app.close()
})

/** RFC 9116. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiWorld, openApiWorld } from '../../test/support/api-world.ts'
import { call } from '../../test/support/calls.ts'
import { apiLoader } from '../config/api.ts'

const now = new Date('2026-05-12T08:30:00Z')
let world: ApiWorld

beforeAll(async () => {
  world = await openApiWorld({ publicUrl: new URL('https://dns.example.net') }, { now: () => now })
})
afterAll(() => world.end())

const contactOf = (environment: Record<string, string>) =>
  apiLoader.load({ SECRET_KEY: 'x'.repeat(32), ...environment }).securityContact

test('§2.5: it has a contact, an expiry within a year, a language and its own URL', async () => {
  const reply = await call(world.app, 'GET', '/.well-known/security.txt')
  expect(reply.status).toBe(200)
  expect(reply.headers['content-type']).toBe('text/plain; charset=utf-8')
  expect(reply.text).toBe(
    [
      'Contact: mailto:security@homing.test',
      'Expires: 2026-11-08T00:00:00.000Z',
      'Preferred-Languages: en',
      'Canonical: https://dns.example.net/.well-known/security.txt',
      '',
    ].join('\n'),
  )
})

test('the contact is a mailbox of the first zone, or the operator’s', () => {
  expect(contactOf({ ZONES: 'example.net,example.org' })).toBe('mailto:security@example.net')
  expect(contactOf({ SECURITY_CONTACT: 'https://example.net/report' })).toBe(
    'https://example.net/report',
  )
})

test.each([
  'security@example.net',
  'http://example.net',
  'javascript:1',
  'mailto:',
  'mailto:a b@c.d',
])('%s is not a contact', (text) => {
  expect(() => contactOf({ SECURITY_CONTACT: text })).toThrow(/^SECURITY_CONTACT/)
})

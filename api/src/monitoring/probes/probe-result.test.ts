import { expect, test } from 'vitest'
import type { CertificateFacts } from '../../integrations/outgoing-http/certificate.ts'
import { OutgoingFailure } from '../../integrations/outgoing-http/outgoing-failure.ts'
import { certificateExpiry, failed, resultOfFailure } from './probe-result.ts'

test.each([
  ['2030-01-02T00:00:00Z', true],
  ['1970-01-01T00:00:00Z', true],
  ['1969-12-31T23:59:59Z', false],
  ['0000-01-02T00:00:00Z', false],
  ['+010000-01-01T00:00:00Z', false],
  ['', false],
])('the end of a certificate: %s', (text, isKnown) => {
  const validTo = new Date(text)
  const hop = { url: 'https://home.example.net/', certificate: { validTo } as CertificateFacts }
  const expected = isKnown ? { certificateExpiresAt: validTo } : {}
  expect(certificateExpiry([hop], 'home.example.net')).toEqual(expected)
})

test.each([
  ['dns-unavailable', 'ETIMEOUT', 'unknown'],
  ['dns-unavailable', 'ECONNREFUSED', 'unknown'],
  ['dns-unavailable', 'ESERVFAIL', 'down'],
  ['refused', 'ECONNREFUSED', 'down'],
] as const)('%s because of %s: %s', (reason, code, outcome) => {
  const failure = new OutgoingFailure(reason, 'It failed.', { cause: { code } })
  const to = { address: '192.0.2.1', fqdn: 'home.example.net' }
  expect(resultOfFailure(failure, to)).toMatchObject({ outcome })
})

test('a long text of a cause is cut', () => {
  const { causeText } = failed('failed', `The host name ${'a'.repeat(14_000)} has no IP address.`)
  expect(causeText).toHaveLength(300)
})

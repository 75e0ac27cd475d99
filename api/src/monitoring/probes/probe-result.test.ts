import { expect, test } from 'vitest'
import type { CertificateFacts } from '../../integrations/outgoing-http/certificate.ts'
import { certificateExpiry } from './probe-result.ts'

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

/** Which targets browsers show in the frame of a forwarded domain. */
import { describe, expect, test } from 'vitest'
import { type Headers, isMixedContent, refusesFrames } from './frame-policy.ts'

const page = new URL('http://home.example.net/')
const target = new URL('https://shop.example.com/start')
const csp = (value: string | readonly string[]): Headers => ({ 'content-security-policy': value })
const options = (value: string | readonly string[]): Headers => ({ 'x-frame-options': value })

describe('frames are refused', () => {
  test.each([
    [options('DENY')],
    [options(' SameOrigin ')],
    [options(['ALLOWALL', 'DENY'])],
    [options('SAMEORIGIN, SAMEORIGIN')],
    [csp("frame-ancestors 'none'")],
    [csp("frame-ancestors 'self'")],
    [csp('frame-ancestors')],
    [csp("default-src 'self'; FRAME-ANCESTORS https://other.example.net")],
    [csp('frame-ancestors *, frame-ancestors https://other.example.net')],
    [csp(['frame-ancestors *', "frame-ancestors 'none'"])],
    [csp('frame-ancestors https:')],
    [csp('frame-ancestors https://home.example.net')],
    [csp('frame-ancestors home.example.net')],
    [csp('frame-ancestors http://*.home.example.net')],
    [csp('frame-ancestors http://home.example.net:8080')],
  ])('by %j', (headers) => {
    expect(refusesFrames(headers, target, page)).toBe(true)
  })
})

describe('frames are allowed', () => {
  test.each([
    [{}],
    [options('ALLOW-FROM https://other.example.net')],
    [options('nonsense')],
    [csp("default-src 'self'")],
    [csp('frame-ancestors *')],
    [csp("frame-ancestors 'self' http:")],
    [csp('frame-ancestors http://home.example.net')],
    [csp('frame-ancestors http://*.example.net:*')],
    [csp('frame-ancestors http://home.example.net:80/path')],
    // Browsers ignore the old header where a policy has the directive.
    [{ ...options('DENY'), ...csp('frame-ancestors *') }],
    [{ 'content-security-policy-report-only': "frame-ancestors 'none'" }],
  ])('by %j', (headers: Headers) => {
    expect(refusesFrames(headers, target, page)).toBe(false)
  })

  test('by a source without a scheme, for a target of the same scheme', () => {
    const plain = new URL('http://shop.example.com/')
    expect(refusesFrames(csp('frame-ancestors *.example.net'), plain, page)).toBe(false)
  })
})

test('a page that came by https shows no target that it reaches by http', () => {
  const [secure, plain] = [new URL('https://a.example.com'), new URL('http://a.example.com')]
  expect(isMixedContent([secure, plain], 'https:')).toBe(true)
  expect(isMixedContent([secure], 'https:')).toBe(false)
  expect(isMixedContent([plain], 'http:')).toBe(false)
})

import { expect, test } from 'vitest'
import { unreachable } from './unreachable.ts'

const failed = (cause: object) => Object.assign(new TypeError('fetch failed'), { cause })
const at = (error: unknown) => unreachable('https://dns.example.net', error).message

test.each([
  [failed({ code: 'ECONNREFUSED' }), 'nothing listens there.'],
  [
    failed({ errors: [{ code: 'ENETUNREACH' }, { code: 'ECONNREFUSED' }] }),
    'there is no way to it.',
  ],
  [
    failed({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }),
    'nobody known signed its certificate. If it is your own, name the file of its signer in NODE_EXTRA_CA_CERTS.',
  ],
  [
    failed({ code: 'ERR_SSL_WRONG_VERSION_NUMBER' }),
    'it speaks no TLS; is it http instead of https?',
  ],
  [failed({ name: 'HTTPParserError', message: 'Expected HTTP/' }), 'it speaks no HTTP.'],
  [failed({ message: 'bad port' }), 'bad port.'],
  [new DOMException('aborted', 'TimeoutError'), 'it does not answer.'],
])('%j', (error, reason) => {
  expect(at(error)).toBe(`https://dns.example.net cannot be reached: ${reason}`)
})

import { expect, test } from 'vitest'
import { unreachable } from './unreachable.ts'

const failed = (error: object) => Object.assign(new Error(''), error)
const at = (error: unknown) => unreachable('https://dns.example.net', error).message

test.each([
  [failed({ code: 'ECONNREFUSED' }), 'it refused the connection.'],
  [failed({ cause: { code: 'ECONNREFUSED' } }), 'it refused the connection.'],
  [
    failed({ errors: [{ code: 'ENETUNREACH' }, { code: 'ECONNREFUSED' }] }),
    'there is no route to it.',
  ],
  [
    failed({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }),
    'no trusted authority signed its certificate. If the authority is your own, set NODE_EXTRA_CA_CERTS to the file of its certificate.',
  ],
  [
    failed({ code: 'ERR_SSL_WRONG_VERSION_NUMBER' }),
    'it does not speak TLS; is it http instead of https?',
  ],
  [failed({ code: 'HPE_INVALID_CONSTANT', message: 'Expected HTTP/' }), 'it does not speak HTTP.'],
  [failed({ code: 'HPE_HEADER_OVERFLOW' }), 'the headers of its response are too long.'],
  [failed({ message: 'no such thing' }), 'no such thing.'],
  [new DOMException('aborted', 'TimeoutError'), 'it does not answer.'],
])('%j', (error, reason) => {
  expect(at(error)).toBe(`https://dns.example.net cannot be reached: ${reason}`)
})

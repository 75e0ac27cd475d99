/**
 * Forms of requests that proxies and servers can read in two ways, so that one of them takes a part of the body for a
 * request of its own (RFC 9112 §11.2). Each is followed by another request. Either the connection ends after one answer,
 * or both requests are answered. What looks like a request within the first one is never answered.
 */
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exchange } from '../../test/support/raw-http.ts'
import { ForwardTable } from './forward-table.ts'
import { createForwardServer } from './server.ts'
import { createServicePages } from './service-pages.ts'
import { makeForward, makeNames } from './test-support.ts'

const HOST = 'Host: home.example.net\r\n'
const CHUNKED = 'Transfer-Encoding: chunked\r\n'
const NEXT = `GET /next HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`
const SMUGGLED = `GET /smuggled HTTP/1.1\r\n${HOST}\r\n`

let server: Server
let port: number
beforeAll(async () => {
  const table = new ForwardTable()
  const names = makeNames({ 'home.example.net': makeForward() })
  table.replace({ serial: 1n, feedId: 'feed', token: 'token' }, names)
  const abuseEmail = 'abuse@example.net'
  const operator = { productName: 'Homing', publicUrl: new URL('https://dns.example.net') }
  server = createForwardServer({
    table,
    pages: createServicePages({ ...operator, abuseEmail }),
    abuseEmail,
    now: () => Date.now(),
    trustProxy: [],
    rateLimits: true,
    onHit: () => undefined,
    onAnswer: () => undefined,
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  ;({ port } = server.address() as AddressInfo)
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
})

/** What the connection returned: statuses of refusals, and paths of redirects. */
async function answersTo(octets: string): Promise<string[]> {
  const text = await exchange({ port }, octets)
  return text
    .split(/^(?=HTTP\/1\.1 )/m)
    .map(
      (answer) =>
        /^location: https:\/\/target\.example(.*)\r$/im.exec(answer)?.[1] ?? answer.slice(9, 12),
    )
}

const post = (fields: string, body: string) => `POST /first HTTP/1.1\r\n${HOST}${fields}\r\n${body}`

const REFUSED = ['400']
/** The answer does not depend on the body, so it comes first. The rest of the connection is not read. */
const ENDED = ['/first']
const BOTH = ['/first', '/next']

test.each([
  [
    'a length before chunks',
    post(`Content-Length: 6\r\n${CHUNKED}`, `0\r\n\r\n${SMUGGLED}`),
    REFUSED,
  ],
  [
    'chunks before a length',
    post(`${CHUNKED}Content-Length: 6\r\n`, `0\r\n\r\n${SMUGGLED}`),
    REFUSED,
  ],
  ['two lengths', post('Content-Length: 0\r\nContent-Length: 44\r\n', SMUGGLED), REFUSED],
  ['the same length twice', post('Content-Length: 3\r\nContent-Length: 3\r\n', 'abc'), REFUSED],
  ['a list of lengths', post('Content-Length: 3, 3\r\n', 'abc'), REFUSED],
  ['a length with a sign', post('Content-Length: +3\r\n', 'abc'), REFUSED],
  ['a negative length', post('Content-Length: -1\r\n', 'abc'), REFUSED],
  ['a hexadecimal length', post('Content-Length: 0x3\r\n', 'abc'), REFUSED],
  ['a length of 2^64', post('Content-Length: 18446744073709551616\r\n', SMUGGLED), REFUSED],
  ['a length with a space before the colon', post('Content-Length : 3\r\n', 'abc'), REFUSED],
  [
    'chunks with a space before the colon',
    post('Transfer-Encoding : chunked\r\n', '0\r\n\r\n'),
    REFUSED,
  ],
  [
    'chunks that are not the last coding',
    post('Transfer-Encoding: chunked, identity\r\n', `0\r\n\r\n${SMUGGLED}`),
    REFUSED,
  ],
  ['chunks twice', post(`${CHUNKED}${CHUNKED}`, `0\r\n\r\n${SMUGGLED}`), REFUSED],
  [
    'a coding that resembles chunks',
    post('Transfer-Encoding: xchunked\r\n', `0\r\n\r\n${SMUGGLED}`),
    REFUSED,
  ],
  [
    'chunks after a vertical tab',
    post('Transfer-Encoding: \vchunked\r\n', `0\r\n\r\n${SMUGGLED}`),
    REFUSED,
  ],
  ['a folded coding', post('Transfer-Encoding:\r\n chunked\r\n', `0\r\n\r\n`), REFUSED],
  ['a folded field', post('X: a\r\n b\r\nContent-Length: 3\r\n', 'abc'), REFUSED],
  ['a folded first field', `GET /first HTTP/1.1\r\n ${HOST}\r\n`, REFUSED],
  [
    'fields that end in a bare LF',
    `POST /first HTTP/1.1\r\n${HOST}X: a\nContent-Length: 3\r\n\r\nabc`,
    REFUSED,
  ],
  ['a request line that ends in a bare LF', `GET /first HTTP/1.1\n${HOST}\r\n`, REFUSED],
  ['a header section that ends in a bare LF', `GET /first HTTP/1.1\r\n${HOST}\n`, REFUSED],
  ['fields that end in a bare CR', `GET /first HTTP/1.1\r\n${HOST}X: a\rY: b\r\n\r\n`, REFUSED],
  ['a NUL in a field', `GET /first HTTP/1.1\r\n${HOST}X: a\0b\r\n\r\n`, REFUSED],
  [
    'chunks in HTTP/1.0',
    `POST /first HTTP/1.0\r\n${HOST}${CHUNKED}\r\n0\r\n\r\n${SMUGGLED}`,
    ENDED,
  ],
  ['a chunk without its end', post(CHUNKED, `3\r\nabcd\r\n0\r\n\r\n`), ENDED],
  ['a chunk with a sign', post(CHUNKED, `+3\r\nabc\r\n0\r\n\r\n`), ENDED],
  ['a hexadecimal prefix of a chunk', post(CHUNKED, `0x3\r\nabc\r\n0\r\n\r\n`), ENDED],
  ['a chunk size of 2^64', post(CHUNKED, `10000000000000000\r\nabc\r\n0\r\n\r\n`), ENDED],
  ['a chunk size that ends in a bare LF', post(CHUNKED, `3\nabc\r\n0\r\n\r\n`), ENDED],
  ['a chunk extension that ends in a bare LF', post(CHUNKED, `3;a\nabc\r\n0\r\n\r\n`), ENDED],
  ['a chunk extension with a bare CR', post(CHUNKED, `3;a\rb\r\nabc\r\n0\r\n\r\n`), ENDED],
  ['chunk extensions', post(CHUNKED, '3;a=b;c="d"\r\nabc\r\n0;e\r\n\r\n'), BOTH],
  ['a length in the trailers', post(CHUNKED, '3\r\nabc\r\n0\r\nContent-Length: 44\r\n\r\n'), ENDED],
  ['a request as the body', post(`Content-Length: ${SMUGGLED.length}\r\n`, SMUGGLED), BOTH],
  [
    'a body of GET',
    `GET /first HTTP/1.1\r\n${HOST}Content-Length: ${SMUGGLED.length}\r\n\r\n${SMUGGLED}`,
    BOTH,
  ],
])('%s', async (_what, octets, answers) => {
  expect(await answersTo(octets + NEXT)).toEqual(answers)
})

import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net'
import { text } from 'node:stream/consumers'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import { type Call, transportThrough } from './transport.ts'
import { unreachable } from './unreachable.ts'

const send = await transportThrough(undefined)
const never = new AbortController().signal

const open: Server[] = []
afterEach(() => {
  for (const server of open.splice(0)) server.close()
})

/** The URL of a server on a free port. */
async function at(server: Server): Promise<string> {
  open.push(server)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

const answering = (answer: (request: IncomingMessage, response: ServerResponse) => void) =>
  at(createServer(answer))

const call = (url: string, method = 'GET', body?: string): Call => ({
  method,
  url: new URL(url),
  headers: {},
  body,
})

/** Sends a call and reads its body. */
async function read(sent: Call, signal = never) {
  const { status, ok, headers, body } = await send(sent, signal)
  return { status, ok, headers, text: await text(body) }
}

/** The code of the error with which a call ends. */
const codeOf = (sent: Call) => read(sent).then(String, ({ code }: NodeJS.ErrnoException) => code)

describe('a call', () => {
  test.each([
    ['GET', undefined, undefined],
    ['POST', undefined, '0'],
    ['POST', 'für', '4'],
    ['PUT', '{}', '2'],
    ['PATCH', '{}', '2'],
    ['DELETE', undefined, undefined],
    ['DELETE', '{"ids":["1"]}', '13'],
  ])('%s %j has the content-length %s', async (method, body, length) => {
    const url = await answering((request, response) => {
      const { 'content-length': found, 'transfer-encoding': encoding } = request.headers
      void text(request).then((sent) => response.end(JSON.stringify({ found, encoding, sent })))
    })
    expect(JSON.parse((await read(call(url, method, body))).text)).toEqual({
      ...(length !== undefined && { found: length }),
      sent: body ?? '',
    })
  })

  test('uses the connection of the call before', async () => {
    const ports = new Set<number | undefined>()
    const url = await answering(({ socket }, response) => {
      ports.add(socket.remotePort)
      response.end('[]')
    })
    for (let calls = 0; calls < 3; calls += 1) await read(call(url))
    expect(ports.size).toBe(1)
  })

  const NO_CONTENT = 'HTTP/1.1 204 No Content\r\n\r\n'
  test('that finds its connection closed is repeated if it only reads', async () => {
    let connections = 0
    let requests = 0
    const url = await at(
      createTcpServer((socket) => {
        connections += 1
        socket.once('data', () => {
          requests += 1
          socket.once('data', () => {
            requests += 1
            socket.destroy()
          })
          socket.write(NO_CONTENT)
        })
      }),
    )
    expect((await read(call(url))).status).toBe(204)
    expect((await read(call(url))).status).toBe(204)
    expect([connections, requests]).toEqual([2, 3])
    // The server may have done what the call says. `sendOnce` repeats it with an idempotency key.
    expect(await codeOf(call(url, 'POST', '{}'))).toBe('ECONNRESET')
    expect([connections, requests]).toEqual([2, 4])
  })

  test('on a new connection that closes is not repeated', async () => {
    let connections = 0
    const url = await at(
      createTcpServer((socket) => {
        connections += 1
        socket.once('data', () => socket.destroy())
      }),
    )
    expect(await codeOf(call(url))).toBe('ECONNRESET')
    expect(connections).toBe(1)
  })

  test('tries every address of a host name', async () => {
    const gone = createServer()
    const { port } = new URL(await at(gone))
    await new Promise((closed) => gone.close(closed))
    const error: unknown = await read(call(`http://localhost:${port}/`)).catch((e: unknown) => e)
    expect(unreachable('http://localhost', error).message).toContain('it refused the connection')
  })

  test('to what does not speak HTTP fails with the code of the parser', async () => {
    const url = await at(createTcpServer((socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n')))
    expect(await codeOf(call(url))).toMatch(/^HPE_/)
  })

  const CHUNKED = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'
  test.each([
    ['HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n', 'ECONNRESET'],
    ['HTTP/1.1 200', 'ECONNRESET'],
    [`${CHUNKED}1\r\n[\r\n`, 'ECONNRESET'],
    [`${CHUNKED}1\r\n[\r\nzz\r\n`, 'HPE_INVALID_CHUNK_SIZE'],
    [`HTTP/1.1 200 OK\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`, 'HPE_HEADER_OVERFLOW'],
  ])('to which the server answers %j fails with %s', async (answer, code) => {
    const url = await at(createTcpServer((socket) => socket.once('data', () => socket.end(answer))))
    expect(await codeOf(call(url))).toBe(code)
  })

  test('gets the response after one that is only informational', async () => {
    const url = await at(
      createTcpServer((socket) =>
        socket.once('data', () => socket.end(`HTTP/1.1 100 Continue\r\n\r\n${NO_CONTENT}`)),
      ),
    )
    expect((await read(call(url))).status).toBe(204)
  })

  test('ends with the reason of its signal, before its response and in the middle of it', async () => {
    for (const isBegun of [false, true]) {
      const url = await answering((_, response) => {
        if (isBegun) response.write('[')
        else arrived.abort(new Error('stop'))
      })
      const arrived = new AbortController()
      const reading = send(call(url), arrived.signal).then(async ({ body }) => {
        for await (const _part of body) arrived.abort(new Error('stop'))
      })
      await expect(reading).rejects.toThrow(/^stop$/)
      const last = open.at(-1) as ReturnType<typeof createServer>
      last.closeAllConnections()
    }
  })
})

describe('a response', () => {
  test.each([204, 304])('%i has no body', async (status) => {
    const url = await answering((_, response) => {
      response.writeHead(status, { 'content-encoding': 'gzip' }).end()
    })
    expect(await read(call(url))).toMatchObject({ status, ok: status === 204, text: '' })
  })

  test('gives its headers by name', async () => {
    const url = await answering((_, response) => {
      response.setHeader('Retry-After', '5').setHeader('set-cookie', ['a=1', 'b=2']).end()
    })
    const { headers } = await read(call(url))
    const values = ['retry-after', 'set-cookie', 'location'].map((name) => headers.get(name))
    expect(values).toEqual(['5', 'a=1, b=2', null])
  })

  test('with a redirect is not followed', async () => {
    const url = await answering((_, response) => {
      response.writeHead(302, { location: '/elsewhere' }).end()
    })
    const { status, headers } = await read(call(url))
    expect([status, headers.get('location')]).toEqual([302, '/elsewhere'])
  })

  const LIST = JSON.stringify(Array.from({ length: 999 }, (_, n) => `für${n}`))
  test.each([
    ['gzip', gzipSync(LIST)],
    ['br', brotliCompressSync(LIST)],
  ])('may be compressed by %s', async (encoding, bytes) => {
    const url = await answering(({ headers }, response) => {
      expect(headers['accept-encoding']).toContain(encoding)
      response.setHeader('content-encoding', encoding).end(bytes)
    })
    expect((await read(call(url))).text).toBe(LIST)
  })

  test('that breaks is lost, compressed or not', async () => {
    for (const encoding of ['gzip', 'identity']) {
      const url = await answering((_, response) => {
        const bytes = gzipSync(LIST).subarray(0, 20)
        response.setHeader('content-encoding', encoding)
        response.write(bytes, () => response.destroy())
      })
      expect(await codeOf(call(url))).toBe('ECONNRESET')
    }
  })
})

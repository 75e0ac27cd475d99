/** Invalid query parameters and paths for every operation, and requests that the contract does not have. */
import * as contract from '@homing/openapi'
import { type AddressInfo, connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { call, problemOf, type Reply } from '../support/calls.ts'
import type { ListedOperation } from '../support/contract-table.ts'
import { HOSTILE_TEXTS } from '../support/hostile-values.ts'
import { expectRefusal, operations, pathOf, sampleOf, useContractCalls } from './contract-calls.ts'

const t = useContractCalls()

/** A path with the name of nothing that exists is refused. The check of a user name answers whether it is available. */
function expectAnswerAbout({ id }: ListedOperation, value: string, reply: Reply): void {
  if (id !== 'checkUsername' || value.length > 256) return expectRefusal(reply)
  // Some of the values are well-formed names.
  const isName = new RegExp(contract.USERNAME_PATTERN).test(value)
  const possible = isName
    ? [
        { available: false, reason: 'taken' },
        { available: true, reason: null },
      ]
    : [{ available: false, reason: 'invalid' }]
  expect(possible).toContainEqual(reply.json())
}

describe.each(operations.filter(({ query: parameters }) => parameters !== undefined))(
  '$method $url',
  (operation) => {
    test('a parameter twice, or broken escapes', async () => {
      for (const search of ['range=[0,1]&range=[0,2]', 'filter=%', 'sort=%ff%fe', '%00=1']) {
        const reply = await call(t.world.app, operation.method, `${pathOf(operation)}?${search}`, {
          headers: t.admin.headers,
        })
        expect(reply.status).toBeLessThan(500)
      }
    })
  },
)

describe.each(operations)('$method $url', (operation) => {
  const accepted = contract.acceptedQuery(operation)
  const ask = (search: string) =>
    call(t.world.app, operation.method, `${pathOf(operation)}?${search}`, {
      headers: t.admin.headers,
      ...(operation.body === undefined ? {} : { body: sampleOf(operation) }),
    })

  if (accepted === undefined) {
    test('an unknown parameter is ignored', async () => {
      const reply = await ask('utm_source=mail')
      const plain = await call(t.world.app, operation.method, pathOf(operation))
      expect(reply.status).toBe(plain.status)
    })
    return
  }

  test('an unknown parameter is named, and nothing changes', async () => {
    await t.changesNothing(async () => {
      const problem = problemOf(await ask('simulate=true'))
      expect(problem).toMatchObject({ status: 422, code: 'validation-failed' })
      expect(problem.errors).toEqual([expect.objectContaining({ field: 'simulate' })])
      for (const name of accepted) expect(problem.detail).toContain(name)
    })
  })
})

test('unusual names of parameters are not repeated', async () => {
  const names = HOSTILE_TEXTS.filter(({ length }) => length < 2_000)
  for (const name of [...names, '__proto__', 'a'.repeat(65)]) {
    const reply = await t.get(`/api/domains?${encodeURIComponent(name)}x%00=1`)
    expect(problemOf(reply).errors).toEqual([expect.objectContaining({ field: 'query' })])
    expect(reply.text).not.toContain('a'.repeat(65))
  }
})

describe.each(operations.filter(({ params }) => params !== undefined))(
  '$method $url',
  (operation) => {
    test('hostile values in the path', async () => {
      await t.changesNothing(async () => {
        for (const value of HOSTILE_TEXTS) {
          if (value.length > 2_000) continue
          // They change the path instead of filling its parameter.
          if (/^\.{0,2}$/.test(value)) continue
          const url = operation.url.replace(/\{\w+\}/, encodeURIComponent(value))
          const { body, bodyExample } = operation
          const reply = await call(t.world.app, operation.method, url, {
            headers: t.admin.headers,
            ...(body === undefined ? {} : { body: bodyExample }),
          })
          expect(reply.status).toBeLessThan(500)
          expectAnswerAbout(operation, value, reply)
        }
      })
    })
  },
)

describe('requests outside the contract', () => {
  test.each(['/nothing', '/api', '/api/nothing', '/api/domains/1/2/3', '/API/ME', '/.env'])(
    '%s is 404',
    async (url) => {
      expect(problemOf(await call(t.world.app, 'GET', url)).code).toBe('not-found')
    },
  )

  test.each(['/api/%', '/api/me%zz', '/api/domains/%ff'])('%s is malformed', async (url) => {
    const reply = await t.get(url)
    expect(reply.status).toBe(400)
    expect(problemOf(reply).code).toBe('malformed-request')
  })

  test.each([
    ['no HTTP', 'hello\r\n\r\n', 400, 'malformed-request'],
    [
      'a space in a header’s name',
      'GET / HTTP/1.1\r\nHost: x\r\nA B: c\r\n\r\n',
      400,
      'malformed-request',
    ],
    [
      'two lengths',
      'POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      400,
      'malformed-request',
    ],
    ['no Host', 'GET /api/health HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'malformed-request'],
    [
      'an unknown expectation',
      'GET /api/me HTTP/1.1\r\nHost: x\r\nExpect: an answer\r\nConnection: close\r\n\r\n',
      401,
      'unauthenticated',
    ],
    [
      'endless headers',
      `GET / HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`,
      431,
      'header-too-large',
    ],
  ])('%s', async (_, octets, status, code) => {
    if (!t.world.app.server.listening) await t.world.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = t.world.app.server.address() as AddressInfo
    const text = await new Promise<string>((resolve, reject) => {
      let got = ''
      const socket = connect(port, '127.0.0.1', () => socket.write(octets))
      socket.on('data', (part) => (got += part.toString()))
      socket.on('error', reject)
      socket.on('close', () => resolve(got))
    })
    const [head = '', body = ''] = text.split('\r\n\r\n')
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(head).toContain('content-type: application/problem+json')
    expect(JSON.parse(body)).toMatchObject({ status, code })
  })
})

/** Calls that wait for a proof of identity, against a server that asks for one. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Confirmation, confirmationWays, typedProof } from './confirmation.ts'

let isConfirmed = false
/** The bodies of all calls. */
let received: string[] = []
let confirmation: Confirmation
const server = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk: Buffer) => (body += chunk.toString()))
  request.on('end', () => {
    received.push(body)
    const code = request.url === '/other' ? 'forbidden' : 'step-up-required'
    response.writeHead(isConfirmed ? 201 : 403, { 'content-type': 'application/problem+json' })
    response.end(JSON.stringify(isConfirmed ? {} : { code }))
  })
})

beforeEach(async () => {
  isConfirmed = false
  received = []
  confirmation = new Confirmation()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterEach(() => new Promise((resolve) => server.close(resolve)))

const send = (path = '/', body = 'a body') => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`
  return confirmation.fetch(new Request(url, { method: 'POST', body }))
}
/** Resolves with the question when it is asked. */
const asked = () =>
  new Promise<NonNullable<ReturnType<Confirmation['current']>>>((resolve) => {
    const end = confirmation.subscribe(() => {
      const question = confirmation.current()
      if (question === undefined) return
      end()
      resolve(question)
    })
  })

test('a call is sent again, with its body, after the person has confirmed', async () => {
  const question = asked()
  const call = send()
  isConfirmed = await question.then(() => true)
  ;(await question).answer(true)
  expect((await call).status).toBe(201)
  expect(received).toEqual(['a body', 'a body'])
  expect(confirmation.current()).toBeUndefined()
})

test('a person who cancels gets the refusal, and is asked again the next time', async () => {
  for (const _ of [1, 2]) {
    const question = asked()
    const call = send()
    ;(await question).answer(false)
    const response = await call
    expect(response.status).toBe(403)
    expect(await response.json()).toEqual({ code: 'step-up-required' })
  }
  expect(received).toHaveLength(2)
})

test('calls at the same time are all sent again', async () => {
  confirmation.subscribe(() => {
    isConfirmed = true
    confirmation.current()?.answer(true)
  })
  const replies = await Promise.all([send('/', 'one'), send('/', 'two')])
  expect(replies.map(({ status }) => status)).toEqual([201, 201])
})

test('no other refusal asks anything', async () => {
  expect((await send('/other')).status).toBe(403)
  expect(confirmation.current()).toBeUndefined()
})

describe('the ways to confirm', () => {
  test.each([
    [false, [], true, 'password', false],
    [true, ['totp', 'recovery_code'], true, 'code', false],
    [true, ['passkey', 'recovery_code'], true, 'recovery-code', true],
    [true, ['passkey', 'recovery_code'], false, 'recovery-code', false],
    [true, ['passkey'], true, undefined, true],
    [true, ['recovery_code'], true, 'recovery-code', false],
    [true, [], true, undefined, false],
  ] as const)('%s %j %s', (is_on, methods, takesPasskeys, typed, hasPasskey) => {
    const ways = confirmationWays({ is_on, methods: [...methods] }, takesPasskeys)
    expect(ways).toEqual({ typed, hasPasskey })
  })

  test.each([
    ['secret', 'password', { password: 'secret' }],
    ['123456', 'password', { password: '123456' }],
    [' 123 456 ', 'code', { code: '123 456' }],
    ['7QK2MD-0XW9T4', 'code', { recovery_code: '7QK2MD-0XW9T4' }],
  ] as const)('%j as %s', (text, typed, body) => {
    expect(typedProof(text, typed)).toEqual(body)
  })
})

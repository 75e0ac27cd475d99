import { describe, expect, test } from 'vitest'
import { CallBuffer, plainCall, type ReceivedCall } from './call-log-buffer.ts'

const AT = new Date('2030-01-01T00:00:00Z')
const callOf = (fields: Partial<ReceivedCall> = {}): ReceivedCall => ({
  fqdn: 'home.homing.test',
  isOwners: true,
  at: AT,
  sourceIp: '192.0.2.1',
  client: 'ddclient/3.11',
  dialect: 'dyndns2',
  path: '/nic/update',
  said: 'myip=192.0.2.1',
  answer: 'good 192.0.2.1',
  hint: null,
  ...fields,
})
const answers = (buffer: CallBuffer) =>
  buffer.entries().map(({ fqdn, answer, times }) => `${fqdn} ${answer} ×${times}`)

describe('equal calls', () => {
  test('that are consecutive are one, with the time of the last', () => {
    const buffer = new CallBuffer(10, 8)
    const later = new Date(AT.getTime() + 5_000)
    buffer.add(callOf())
    buffer.add(callOf({ at: later }))
    expect(buffer.size).toBe(1)
    expect(buffer.entries()).toEqual([{ ...callOf(), times: 2, lastAt: later }])
  })

  test.each([
    { answer: 'nochg 192.0.2.1' },
    { said: 'myip=192.0.2.2' },
    { sourceIp: '192.0.2.2' },
    { client: null },
    { path: '/v2/update' },
    { dialect: 'duckdns' },
    { hint: 'not-encrypted' },
  ])('that differ in %j are two', (fields) => {
    const buffer = new CallBuffer(10, 8)
    buffer.add(callOf())
    buffer.add(callOf(fields))
    buffer.add(callOf())
    expect(buffer.size).toBe(3)
  })

  test('of two names are two', () => {
    const buffer = new CallBuffer(10, 8)
    buffer.add(callOf())
    buffer.add(callOf({ fqdn: 'nas.homing.test' }))
    expect(buffer.size).toBe(2)
  })
})

describe('waiting entries are bounded', () => {
  test('of one name the newest are kept', () => {
    const buffer = new CallBuffer(1_000, 8)
    let gone = 0
    for (let n = 0; n < 100; n += 1) gone += buffer.add(callOf({ answer: `good ${n}` }))
    expect(gone).toBe(92)
    expect(buffer.size).toBe(8)
    expect(answers(buffer).at(-1)).toBe('home.homing.test good 99 ×1')
    expect(answers(buffer)[0]).toBe('home.homing.test good 92 ×1')
  })

  test('of many names those that came first are kept', () => {
    const buffer = new CallBuffer(3, 8)
    const gone = ['a', 'b', 'c', 'd', 'e'].map((fqdn) => buffer.add(callOf({ fqdn })))
    expect(gone).toEqual([0, 0, 0, 1, 1])
    expect(buffer.entries().map(({ fqdn }) => fqdn)).toEqual(['a', 'b', 'c'])
    expect(buffer.size).toBe(3)
  })

  test('a name with waiting entries can add a newer one when the buffer is full', () => {
    const buffer = new CallBuffer(2, 8)
    for (const fqdn of ['a', 'b']) buffer.add(callOf({ fqdn }))
    expect([buffer.hasRoomFor('a'), buffer.hasRoomFor('c')]).toEqual([true, false])
    expect(buffer.add(callOf({ fqdn: 'a', answer: 'nochg' }))).toBe(1)
    expect(buffer.size).toBe(2)
    expect(answers(buffer)).toEqual(['a nochg ×1', expect.stringMatching(/^b /)])
  })
})

test('texts are stored without characters that control terminals or the writing direction, and cut', () => {
  const call = plainCall(
    callOf({
      client: `evil\r\nX: 1\u001b[31m\u0000${'x'.repeat(500)}`,
      said: 'a\u202eb\ud800c',
      path: '/'.repeat(5_000),
      answer: 'good\u0007',
    }),
  )
  expect(call.client).toMatch(/^evilX: 1\[31mx+$/)
  expect(call.client?.length).toBeLessThanOrEqual(200)
  expect(call.said).toBe('abc')
  expect(call.path).toHaveLength(100)
  expect(call.answer).toBe('good')
})

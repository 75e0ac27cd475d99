import { beforeEach, expect, test } from 'vitest'
import type { OutgoingResponse } from '../integrations/outgoing-http/follow.ts'
import { OutgoingFailure } from '../integrations/outgoing-http/outgoing-failure.ts'
import type { OperatorRequest } from '../integrations/outgoing-http/outgoing-http.ts'
import { References } from './references.ts'

const ONE = new URL('https://one.example.net/')
const OTHER = new URL('https://other.example.net/')

/** The status of the other one; undefined: it does not answer. */
let status: number | undefined = 200
let nowMs = 0
let asked: string[] = []

const outgoing = {
  async operator({ url, followsRedirects }: OperatorRequest): Promise<OutgoingResponse> {
    expect(followsRedirects).toBe(false)
    asked.push(url.hostname)
    const answer = url === OTHER ? status : 200
    if (answer === undefined) throw new OutgoingFailure('timeout', 'The server does not respond.')
    const hop = { status: answer, headers: {}, url: url.href, address: '192.0.2.1', phaseMs: {} }
    return { ...hop, body: Buffer.alloc(0), isCut: false, hops: [hop], totalMs: 1 }
  },
}
const referencesTo = (...urls: URL[]) => new References({ urls, outgoing, now: () => nowMs })

beforeEach(() => {
  nowMs = 100_000
  asked = []
  status = 200
})

test('an answer counts for ten seconds, unless a newer one is needed', async () => {
  const references = referencesTo(ONE, OTHER)
  expect(await Promise.all([references.answer(), references.answer()])).toEqual([true, true])
  nowMs += 10_000
  await references.answer()
  expect(asked).toEqual([ONE.hostname, OTHER.hostname])
  await references.answer(nowMs)
  expect(asked.length).toBe(4)
  nowMs += 10_001
  await references.answer()
  expect(asked.length).toBe(6)
})

test.each([
  [200, true],
  [302, true],
  [404, true],
  [500, false],
  [undefined, false],
])('one of them answers %s: %s', async (given, isGood) => {
  status = given
  const references = referencesTo(ONE, OTHER)
  expect(await references.answer()).toBe(isGood)
  expect(references.areFailing).toBe(!isGood)
  expect(references.haveAnsweredSince(nowMs - 1)).toBe(isGood)
  expect(references.haveAnsweredSince(nowMs)).toBe(false)
})

test('a check that began before a reference failed is doubted after it answers again', async () => {
  const references = referencesTo(ONE, OTHER)
  status = undefined
  await references.answer()
  const failedMs = nowMs
  nowMs += 5_000
  status = 200
  expect(await references.answer(nowMs)).toBe(true)
  expect(references.haveFailedSince(failedMs - 1)).toBe(true)
  expect(references.haveFailedSince(failedMs + 1)).toBe(false)
})

test('without references, the network is trusted, and nothing is refuted', async () => {
  const references = referencesTo()
  expect(await references.answer(nowMs)).toBe(true)
  expect([references.areFailing, references.haveAnsweredSince(0)]).toEqual([false, false])
})

import { describe, expect, it } from 'vitest'
import { answerCookie, cookieSecrets } from '../../src/wire/index.ts'
import { ipv4FromText, ipv6FromText } from '../../src/names/index.ts'

const SECRET = 'e5e973e5a6b2a43f48e7dc849e37bfcf'
const OLD_SECRET = 'dd3bdf9344b678b185a6f5cb60fca715'
const NEW_SECRET = '445536bcd2513298075a5d379663c962'
const CLIENT = '198.51.100.100'
const CLIENT_COOKIE = '2464c4abcf10c957'
const ISSUED = 1_559_731_985
const ISSUED_COOKIE = '2464c4abcf10c957010000005cf79f111f8130c3eee29480'

interface CookieQuestion {
  readonly cookie: string
  readonly at: number
  readonly client?: string
  readonly secrets?: readonly string[]
}

/** Whether the cookie is valid, and the cookie of the answer. */
function exchange({ cookie, at, client = CLIENT, secrets = [SECRET] }: CookieQuestion) {
  const keys = cookieSecrets(secrets.map((secret) => Buffer.from(secret, 'hex')))
  const address = client.includes(':') ? ipv6FromText(client) : ipv4FromText(client)
  const answer = Buffer.alloc(24)
  const valid = answerCookie(Buffer.from(cookie, 'hex'), address, keys, at, answer)
  return { valid, answer: answer.toString('hex') }
}

describe('RFC 9018 appendix A: cookies of other servers', () => {
  it('A.1: a client gets its first server cookie', () => {
    expect(exchange({ cookie: CLIENT_COOKIE, at: ISSUED })).toEqual({
      valid: false,
      answer: ISSUED_COOKIE,
    })
  })

  it('A.2: the same client gets a new one after 40 minutes', () => {
    expect(exchange({ cookie: ISSUED_COOKIE, at: 1_559_734_385 })).toEqual({
      valid: true,
      answer: '2464c4abcf10c957010000005cf7a871d4a564a1442aca77',
    })
  })

  it('A.3: reserved octets are included in the hash, and zero in cookies of this server', () => {
    const cookie = 'fc93fc62807ddb8601abcdef5cf78f71a314227b6679ebf5'
    const client = '203.0.113.203'
    const issued = 0x5cf7_8f71
    const early = exchange({ cookie, client, at: issued + 60 })
    expect([early.valid, early.answer.slice(16, 24)]).toEqual([true, '01000000'])
    // In the appendix, the answer comes nearly two hours later, when §4.3 no longer accepts the cookie.
    expect(exchange({ cookie, client, at: 1_559_734_700 })).toEqual({
      valid: false,
      answer: 'fc93fc62807ddb86010000005cf7a9acf73a7810aca2381e',
    })
  })

  it('A.4: over IPv6, signed with a secret that is no longer the first', () => {
    const cookie = '22681ab97d52c298010000005cf7c57926556bd0934c72f8'
    const client = '2001:db8:220:1:59de:d0f4:8769:82b8'
    const at = 1_559_741_961
    expect(exchange({ cookie, client, at, secrets: [NEW_SECRET, OLD_SECRET] })).toEqual({
      valid: true,
      answer: '22681ab97d52c298010000005cf7c609a6bb79d16625507a',
    })
    expect(exchange({ cookie, client, at, secrets: [NEW_SECRET] }).valid).toBe(false)
  })
})

describe('RFC 9018 §4.3: the time of a cookie', () => {
  it.each([
    ['of now', 0, true, true],
    ['of half an hour ago', 1800, true, true],
    ['a second older', 1801, true, false],
    ['of an hour ago', 3600, true, false],
    ['a second older than an hour', 3601, false, false],
    ['five minutes ahead', -300, true, true],
    ['a second more ahead', -301, false, false],
    ['of half of all time ago', 0x8000_0000, false, false],
  ])('%s', (_when, age, valid, kept) => {
    const answered = exchange({ cookie: ISSUED_COOKIE, at: ISSUED + age })
    expect([answered.valid, answered.answer === ISSUED_COOKIE]).toEqual([valid, kept])
  })

  it('is valid across the wrap-around of its 32 bits', () => {
    const end = 0x1_0000_0000
    const last = exchange({ cookie: CLIENT_COOKIE, at: end - 10 })
    expect(last.answer.slice(24, 32)).toBe('fffffff6')
    expect(exchange({ cookie: last.answer, at: end + 100 })).toEqual({ ...last, valid: true })
    expect(exchange({ cookie: last.answer, at: end + 3600 }).valid).toBe(false)
  })
})

describe('RFC 9018 §4: the inputs of a cookie', () => {
  it.each([
    ['another address', { client: '198.51.100.101' }],
    ['another family', { client: '::ffff:198.51.100.100' }],
    ['another secret', { secrets: [NEW_SECRET] }],
  ])('is invalid for %s', (_what, otherwise) => {
    expect(exchange({ cookie: ISSUED_COOKIE, at: ISSUED, ...otherwise }).valid).toBe(false)
  })

  it('no octet of it may differ', () => {
    const differing = Array.from({ length: 24 }, (_, at) => {
      const octets = Buffer.from(ISSUED_COOKIE, 'hex')
      octets[at] = (octets[at] ?? 0) ^ 1
      return exchange({ cookie: octets.toString('hex'), at: ISSUED })
    })
    expect(differing.filter(({ valid }) => valid)).toEqual([])
  })

  it.each([16, 23, 25, 40])(
    'one of %i octets is not ours, and is answered with a valid one',
    (bytes) => {
      const cookie = `${CLIENT_COOKIE}01${'00'.repeat(bytes - 9)}`
      expect(exchange({ cookie, at: ISSUED })).toEqual({ valid: false, answer: ISSUED_COOKIE })
    },
  )
})

describe('RFC 9018 §5: secrets are changed while servers answer', () => {
  const renewed = (secrets: readonly string[], cookie: string) =>
    exchange({ cookie, at: ISSUED + 60, secrets })

  it('first the new one is accepted, then it signs, then the old one is removed', () => {
    const before = renewed([OLD_SECRET], CLIENT_COOKIE).answer
    expect(renewed([OLD_SECRET, NEW_SECRET], before)).toEqual({ valid: true, answer: before })
    const { valid, answer: after } = renewed([NEW_SECRET, OLD_SECRET], before)
    expect([valid, after === before]).toEqual([true, false])
    // A replica that still signs with the old secret accepts cookies signed with the new one.
    expect(renewed([OLD_SECRET, NEW_SECRET], after).valid).toBe(true)
    expect(renewed([NEW_SECRET], after)).toEqual({ valid: true, answer: after })
    expect(renewed([NEW_SECRET], before).valid).toBe(false)
  })

  it('a secret has 16 octets', () => {
    expect(() => cookieSecrets([Buffer.alloc(15)])).toThrow('15 octets instead of 16')
  })
})

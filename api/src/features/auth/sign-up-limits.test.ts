/** Limits of new accounts for a network, and of links for an address. */
import { describe, expect, test } from 'vitest'
import { PASSWORD } from '../../../test/support/api-world.ts'
import { call, type Reply } from '../../../test/support/calls.ts'
import { usePasswordWorld } from '../../../test/support/password-world.ts'

const t = usePasswordWorld()

describe('limits of registrations and mails', () => {
  const post = (url: string, body: object, ip: string) =>
    call(t.world.app, 'POST', url, { body, ip })

  let neighbourhoods = 0
  /** Addresses of an IPv4 network without earlier registrations. */
  function newNeighbourhood(): (host: number) => string {
    neighbourhoods += 1
    const network = `198.51.${neighbourhoods}`
    return (host) => `${network}.${host}`
  }
  const register = (username: string, ip: string) => {
    const body = { username, email: `${username}@example.net`, password: PASSWORD }
    return post('/api/register', body, ip)
  }

  test.each([
    ['an IPv4 network', newNeighbourhood()],
    ['an IPv6 site', (n: number) => `2001:db8:3:${n}::1`],
  ])(
    '%s can create three accounts in a day, and failed registrations do not count',
    async (_what, ip) => {
      const replies: Reply[] = []
      for (let n = 0; n < 3; n += 1) {
        expect((await register(t.name, ip(n))).status).toBe(409)
        replies.push(await register(`${t.name}-${n}`, ip(n)))
      }
      replies.push(await register(`${t.name}-more`, ip(9)))
      expect(replies.map(({ status }) => status)).toEqual([201, 201, 201, 429])
      const wait = Number(replies.at(-1)?.headers['retry-after'])
      expect(wait).toBeGreaterThan(86_000)
      expect(wait).toBeLessThanOrEqual(86_400)
      const elsewhere = newNeighbourhood()
      expect((await register(`${t.name}-elsewhere`, elsewhere(1))).status).toBe(201)
    },
  )

  test('concurrent registrations exceed the limit of a day at most three times', async () => {
    const ip = newNeighbourhood()
    const names = Array.from({ length: 8 }, (_, n) => `${t.name}-${n}`)
    const replies = await Promise.all(names.map((each, n) => register(each, ip(n))))
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(3)
  })

  test('a network has twenty attempts in an hour', async () => {
    const ip = newNeighbourhood()
    const statuses: number[] = []
    for (let n = 0; n < 22; n += 1) {
      statuses.push((await register(t.name, ip(n))).status)
    }
    expect(statuses.filter((status) => status === 409)).toHaveLength(20)
    expect(statuses.slice(20)).toEqual([429, 429])
  })

  test('an address gets five links in an hour, whether it has an account or not', async () => {
    for (const email of [`${t.name}@mail.test`, 'nobody@example.net']) {
      const replies: Reply[] = []
      for (let n = 0; n < 7; n += 1) {
        replies.push(await post('/api/resend-verification', { email }, t.newNetwork()))
      }
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429, 429])
      const [refused] = replies.slice(-1)
      expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(3_500)
      expect(refused?.json()).toMatchObject({
        detail: 'Too many requests. Please wait before trying again.',
      })
    }
  })
})

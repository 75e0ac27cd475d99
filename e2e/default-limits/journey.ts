/**
 * The journey of a domain, from outside: register → mail → verify → log in →
 * add → router update → DNS answers → delete → NXDOMAIN.
 */
import { createApiClient, isSignedIn } from '@homing/openapi/client'
import { describe, expect, test } from 'vitest'
import { addressesOf, ask, askOverTcp } from '../support/dns.ts'
import { messagesTo } from '../support/mailbox.ts'
import { eventually, type Service } from '../support/stack.ts'

const ada = { username: 'ada', email: 'ada@mail.example', password: 'correct horse battery' }
const NAME = 'ada-at-home.homing.test'

/** @param service one with the limits of a new service */
export function testJourney(service: () => Service): void {
  function routerUpdate(query: string, password = ada.password) {
    const basic = Buffer.from(`${ada.username}:${password}`).toString('base64')
    return fetch(`${service().url}/nic/update?${query}`, {
      headers: { authorization: `Basic ${basic}` },
    })
  }

  describe('a domain that follows its address', () => {
    let token = ''
    let domainId = ''
    const api = () =>
      createApiClient({
        baseUrl: service().url,
        headers: token === '' ? {} : { authorization: `Bearer ${token}` },
      })

    test('registration sends a link, and the user cannot sign in before verification', async () => {
      const { response } = await api().POST('/api/register', { body: { ...ada, terms: true } })
      expect(response.status).toBe(201)
      const early = await api().POST('/api/login', {
        body: { username_or_email: ada.username, password: ada.password },
      })
      expect(early.response.status).toBe(403)
      expect(early.error?.detail).toBe('Please verify your email address before logging in.')
    })

    test('the link verifies the address, once', async () => {
      const [mail] = await eventually(
        () => messagesTo(service().dataDir, ada.email),
        (messages) => messages.length === 1,
      )
      const link = /verify-email\/([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? ''
      const verify = () => api().POST('/api/verify-email', { body: { token: link } })
      expect((await verify()).response.status).toBe(200)
      expect((await verify()).response.status).toBe(409)
    })

    test('login returns a session', async () => {
      const { data } = await api().POST('/api/login', {
        body: { username_or_email: ada.email, password: ada.password },
      })
      token = data !== undefined && isSignedIn(data) ? data.token : ''
      expect(token).not.toBe('')
      expect((await api().GET('/api/me')).data?.username).toBe(ada.username)
    })

    test('an added domain is served by DNS', async () => {
      expect((await ask(service().dnsPort, NAME, 'A')).rcode).toBe('NXDOMAIN')
      const { data, response } = await api().POST('/api/domains', {
        body: { fqdn: NAME, zone: 'homing.test', rrtype: 'A', record_ip: '203.0.113.1' },
      })
      expect(response.status).toBe(201)
      domainId = data?.id ?? ''
      await eventually(
        () => addressesOf(service().dnsPort, NAME, 'A'),
        ([address]) => address === '203.0.113.1',
      )
    })

    test('a router update is in DNS a moment later, over UDP and TCP', async () => {
      const answer = await routerUpdate(`hostname=${NAME}&myip=203.0.113.7,2001:db8::7`)
      expect(await answer.text()).toBe('good 203.0.113.7,2001:db8::7\n')
      await eventually(
        () => addressesOf(service().dnsPort, NAME, 'A'),
        ([address]) => address === '203.0.113.7',
      )
      expect(await addressesOf(service().dnsPort, NAME, 'AAAA')).toEqual(['2001:db8::7'])
      const overTcp = await askOverTcp(service().dnsPort, NAME, 'A')
      expect(overTcp).toMatchObject({ rcode: 'NOERROR', authoritative: true })
      expect(overTcp.answers).toMatchObject([{ type: 'A', data: '203.0.113.7', ttl: 3600 }])
    })

    test('the same address gives nochg, a wrong password badauth, another user’s domain nohost', async () => {
      expect(await (await routerUpdate(`hostname=${NAME}&myip=203.0.113.7`)).text()).toBe(
        'nochg 203.0.113.7\n',
      )
      const wrong = await routerUpdate(`hostname=${NAME}`, 'not the password')
      expect([wrong.status, await wrong.text()]).toEqual([401, 'badauth\n'])
      expect(
        await (await routerUpdate('hostname=nobody.homing.test&myip=203.0.113.7')).text(),
      ).toBe('nohost\n')
    })

    test('a deleted domain is removed from DNS and stays reserved for its owner', async () => {
      const gone = await api().DELETE('/api/domains/{id}', { params: { path: { id: domainId } } })
      expect(gone.response.status).toBe(204)
      const answer = await eventually(
        () => ask(service().dnsPort, NAME, 'A'),
        ({ rcode }) => rcode === 'NXDOMAIN',
      )
      expect(answer.authorities).toMatchObject([{ type: 'SOA', name: 'homing.test' }])
      const back = await api().POST('/api/domains', {
        body: { fqdn: NAME, zone: 'homing.test', rrtype: 'A' },
      })
      expect(back.response.status).toBe(201)
    })
  })
}

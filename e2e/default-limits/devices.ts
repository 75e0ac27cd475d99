/**
 * Routers and other devices: their requests, octet by octet, over real sockets,
 * and what each of them concludes from the response.
 */
import { beforeAll, describe, expect, test } from 'vitest'
import { addNames, signInAdministrator } from '../support/accounts.ts'
import { basicLine, type Device, DEVICES, isChallenge, type Order } from '../support/devices.ts'
import { addressesOf } from '../support/dns.ts'
import { headerOf, type RawAnswer, RawConnection } from '../support/raw-connection.ts'
import { eventually, type Service } from '../support/stack.ts'

/** More than any device reads. */
const ANSWER_LIMIT_BYTES = 8_000

/**
 * Each device has its own domains, because each domain has its own rate limit: one domain to update, and one over its limit.
 * A limit allows the next change after ten seconds. For a shared domain, that would happen in the middle of a device's test.
 */
const nameOf = (device: Device) => `device-${DEVICES.indexOf(device)}.homing.test`
const busyNameOf = (device: Device) => `busy-${nameOf(device)}`

/** @param service one with the limits of a new service */
export function testDevices(service: () => Service): void {
  describe('devices', () => {
    let stack: Service
    /** Update tokens by domain. */
    const tokens = new Map<string, string>()

    beforeAll(async () => {
      stack = service()
      const owner = await signInAdministrator(stack)
      await addNames(owner, [...DEVICES.map(nameOf), ...DEVICES.map(busyNameOf)])
      const { data: domains = [] } = await owner.api.GET('/api/domains')
      for (const { id, fqdn } of domains) {
        const params = { path: { id } }
        const { data } = await owner.api.POST('/api/domains/{id}/update-token', {
          params,
          body: {},
        })
        tokens.set(fqdn, data?.token ?? '')
      }
    })

    let lastAddress = 0
    /** The settings of a device for a domain, with addresses that no domain has had yet. */
    function orderFor(name: string, secret = tokens.get(name) ?? ''): Order {
      lastAddress += 1
      return {
        server: new URL(stack.url).host,
        name,
        username: name,
        secret,
        ipv4: `203.0.113.${lastAddress}`,
        ipv6: `2001:db8::${lastAddress}`,
      }
    }

    /** Properties that every response must have. */
    function expectReadable(answer: RawAnswer): void {
      expect(answer.statusLine).toMatch(/^HTTP\/1\.1 \d{3} \S/)
      expect(answer.sizeBytes).toBeLessThan(ANSWER_LIMIT_BYTES)
      expect(answer.body).toMatch(/^[\x20-\x7e]+\n$/)
      expect(headerOf(answer, 'content-type')).toBe('text/plain; charset=utf-8')
      expect(headerOf(answer, 'cache-control')).toBe('no-store')
      for (const name of ['transfer-encoding', 'content-encoding', 'set-cookie', 'location']) {
        expect(headerOf(answer, name)).toBeUndefined()
      }
    }

    /** Sends the request of the device. */
    async function exchange(device: Device, order: Order): Promise<RawAnswer> {
      const connection = await RawConnection.open(stack.url)
      try {
        if (device.waitsForChallenge) {
          const challenge = await connection.send(device.request(order, ''))
          expectReadable(challenge)
          // Such a device gives up when the server does not ask for credentials.
          if (!isChallenge(challenge)) return challenge
        }
        const answer = await connection.send(device.request(order, basicLine(order)))
        expectReadable(answer)
        return answer
      } finally {
        connection.close()
      }
    }

    /** What the device concludes from the response. */
    const conclude = async (device: Device, order: Order) =>
      device.read(await exchange(device, order), order)

    /** A FRITZ!Box resolves its domain after an update, and sends the update again if the address differs. `bench/` measures the delay. */
    async function expectInDns(device: Device, { name, ipv4, ipv6 }: Order): Promise<void> {
      for (const family of device.families) {
        const [type, address] = family === 4 ? (['A', ipv4] as const) : (['AAAA', ipv6] as const)
        await eventually(
          () => addressesOf(stack.dnsPort, name, type),
          ([shown]) => shown === address,
        )
      }
    }

    /** Updates a domain until it reaches its rate limit. */
    async function useUp(name: string): Promise<void> {
      const authorization = basicLine(orderFor(name)).slice('Authorization: '.length).trim()
      for (let n = 0; ; n++) {
        const url = `${stack.url}/nic/update?hostname=${name}&myip=198.51.100.${n % 250}`
        const { status } = await fetch(url, { headers: { authorization } })
        if (status === 503) return
      }
    }

    describe.each(DEVICES)('$device', (device) => {
      const { concludes } = device

      test('good, and nochg when it asks again', async () => {
        const order = orderFor(nameOf(device))
        expect(await conclude(device, order)).toBe(concludes.good)
        await expectInDns(device, order)
        expect(await conclude(device, order)).toBe(concludes.nochg)
      })

      test('a wrong secret', async () => {
        const order = orderFor(nameOf(device), `ut_${'a'.repeat(36)}`)
        const answer = await exchange(device, order)
        expect([answer.status, answer.body]).toEqual([401, 'badauth\n'])
        expect(device.read(answer, order)).toBe(concludes.badauth)
      })

      test('a domain for which the token is not valid', async () => {
        const order = { ...orderFor(nameOf(device)), name: 'nobody-has-this.homing.test' }
        const answer = await exchange(device, order)
        expect([answer.status, answer.body]).toEqual([200, 'nohost\n'])
        expect(device.read(answer, order)).toBe(concludes.nohost)
      })

      test('a domain that changes too often', async () => {
        const order = orderFor(busyNameOf(device))
        await useUp(order.name)
        const answer = await exchange(device, order)
        expect([answer.status, answer.body]).toEqual([503, '911\n'])
        expect(Number(headerOf(answer, 'retry-after'))).toBeGreaterThan(0)
        expect(device.read(answer, order)).toBe(concludes.busy)
      })
    })
  })
}

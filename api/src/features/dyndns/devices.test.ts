/** Sends the request of each device in the table of devices, built from its settings, and reads what the service stored. */
import { operations } from '@homing/openapi'
import { DEVICES, type DeviceSetup, fillIn, UPDATE_PATHS } from '@homing/openapi/devices'
import { expect, test } from 'vitest'
import { basic, useUpdateWorld } from '../../../test/support/update-world.ts'

const t = useUpdateWorld()
const IPV4 = '198.51.100.7'
const IPV6 = '2001:db8::7'

/** What devices fill in themselves, in the spelling of each device. */
const OWN: readonly (readonly [RegExp, (family: 4 | 6) => string])[] = [
  [/<domain>|%h|%HOST%|__HOSTNAME__|\[DOMAIN\]/g, () => t.host],
  [/__USERNAME__|%USER%/g, () => t.host],
  [/<ip6addr>|<ipv6>/g, () => IPV6],
  [/<ipaddr>|<ipv4>|\$1|\$ADDRESS/g, () => IPV4],
  [/%i\b|%IP%|__MYIP__|\[IP\]/g, (family) => (family === 4 ? IPV4 : IPV6)],
]

interface Sent {
  readonly target: string
  readonly family: 4 | 6
}

/** The requests of a device: in its fields and files, or as the device composes them. */
function requestsOf({ fields = [], files = [], requests }: DeviceSetup, token: string): Sent[] {
  const settings = { origin: `http://127.0.0.1:${t.port}`, fqdn: t.host, token }
  const texts = [...fields.map(({ value }) => value), ...files.map(({ content }) => content)]
  const lines = texts.flatMap((text) => fillIn(text, settings).split('\n'))
  const own = requests === undefined ? lines : [fillIn(requests, settings)]
  return own.flatMap((line, at) => {
    const [target] = /\/nic\/update\?[^\s"'`]*/.exec(line) ?? []
    if (target === undefined) return []
    // The option of curl, or the section of a configuration, that is only for IPv6.
    const before = own.slice(Math.max(0, at - 8), at).join('\n')
    const after = own.slice(at, at + 3).join('\n')
    const isV6 =
      /curl\S* .*-6 /.test(line) ||
      before.includes("use_ipv6 '1'") ||
      /checkip-command .*-6 /.test(after)
    return [{ target, family: isV6 ? 6 : 4 }]
  })
}

/** As the device writes it. Without an address the service uses the source of the request, here 127.0.0.1. */
function filledIn({ target, family }: Sent, token: string): string {
  const named = OWN.reduce((text, [own, meant]) => text.replaceAll(own, meant(family)), target)
  return named.replaceAll(/__PASSWORD__|%PASS%/g, token)
}

const addressesIn = (target: string) => [IPV4, IPV6].filter((address) => target.includes(address))
const familiesIn = (target: string) =>
  addressesIn(target).map((address) => (address === IPV4 ? 4 : 6))

const SETUPS = DEVICES.flatMap(({ name, setup, dualSetup }) => [
  ...(setup === undefined ? [] : [{ device: name, setup, isDual: false }]),
  ...(dualSetup === undefined
    ? []
    : [{ device: `${name}, both families`, setup: dualSetup, isDual: true }]),
])

test.each(SETUPS)('$device', async ({ setup, isDual }) => {
  const token = await t.token()
  const requests = requestsOf(setup, token)
  expect(requests.length).toBeGreaterThan(0)
  const authorization = {
    basic: basic(t.host, token),
    bearer: `Bearer ${token}`,
    url: null,
  }[setup.credentialsIn]
  const sent: { family: 4 | 6; target: string }[] = []
  for (const request of requests) {
    const target = filledIn(request, token)
    sent.push({ ...request, target })
    // Nothing that the device should have replaced is left.
    expect(target).not.toMatch(/[<>[\]%$]|__/)
    const [path, search = ''] = target.split('?')
    const answer = await t.said(search, { path: path ?? '', authorization })
    expect(answer).toMatch(/^200 (good|nochg) /)
    for (const address of addressesIn(target)) expect(answer).toContain(address)
  }
  const addresses = sent.flatMap(({ target }) => addressesIn(target))
  expect(await t.stored()).toEqual([
    addresses.includes(IPV4) ? IPV4 : '127.0.0.1',
    addresses.includes(IPV6) ? IPV6 : null,
  ])
  const families = sent.flatMap(({ target, family }) => [family, ...familiesIn(target)])
  const missing = isDual ? [4, 6].filter((family) => !families.includes(family as 4 | 6)) : []
  expect(missing).toEqual([])
})

test('the paths of the table are paths of the contract', () => {
  const known = Object.values(operations.dyndns).map(({ url }) => url as string)
  for (const path of UPDATE_PATHS) expect(known).toContain(path)
})

test('each device has its own id, and what replaces another device exists', () => {
  const ids = DEVICES.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  for (const { instead = [] } of DEVICES) expect(ids).toEqual(expect.arrayContaining([...instead]))
})

/**
 * ddclient and inadyn as Debian ships them: what they conclude from our responses,
 * which is what their users see, and what DNS answers afterwards.
 */
import { afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { needs } from '../test/outside-tool.ts'
import { type Account, addNames, registerAccount } from './support/accounts.ts'
import { addressesOf } from './support/dns.ts'
import { eventually } from './support/stack.ts'
import {
  type ConfiguredHost,
  DDCLIENT,
  INADYN,
  type InstalledClient,
  type UpdateClientProgram,
} from './support/update-clients.ts'

const HOME = 'home-of-ada.homing.test'
const OFFICE = 'office-of-ada.homing.test'
const NOBODYS = 'nobody-has-this.homing.test'

const stack = inject('sharedService')
let ada: Account
/** Update tokens by domain. */
const tokens = new Map<string, string>()

beforeAll(async () => {
  ada = await registerAccount(stack, 'ada')
  await addNames(ada, [HOME, OFFICE])
  const { data: domains = [] } = await ada.api.GET('/api/domains')
  for (const { id, fqdn } of domains) {
    const params = { path: { id } }
    const { data } = await ada.api.POST('/api/domains/{id}/update-token', { params, body: {} })
    tokens.set(fqdn, data?.token ?? '')
  }
})
const running: InstalledClient[] = []
afterEach(() => {
  for (const client of running.splice(0)) client.remove()
})

let lastOctet = 0
/** An address that no domain has had yet. */
const newAddress = () => `203.0.113.${(lastOctet += 1)}`

function install(
  program: UpdateClientProgram,
  hosts: readonly ConfiguredHost[],
  address: string,
  settings?: string,
): InstalledClient {
  const server = new URL(stack.url).host
  const client = program.install({ server, hosts, address, ...(settings && { settings }) })
  running.push(client)
  return client
}

const inDns = (name: string, address: string) =>
  eventually(
    () => addressesOf(stack.dnsPort, name, address.includes(':') ? 'AAAA' : 'A'),
    ([shown]) => shown === address,
  )

/** The output and the exit code of each program by conclusion. */
const CONCLUSIONS = {
  ddclient: {
    good: { exitCode: 0, log: /SUCCESS: .*good: IP address set to/ },
    nochg: { exitCode: 0, log: /WARNING: .*nochg: No update required/ },
    content: { exitCode: 0, log: /skipped: IP address was already set to/ },
    badauth: { exitCode: 1, log: /FAILED: .*authorization failed/ },
    nohost: { exitCode: 1, log: /FAILED: .*nohost: The hostname specified does not exist/ },
  },
  inadyn: {
    good: { exitCode: 0, log: /Successful alias table update for/ },
    nochg: { exitCode: 0, log: /Successful alias table update for/ },
    content: { exitCode: 0, log: /No IP# change detected/ },
    badauth: { exitCode: 50, log: /Error code 50: Authentication failure/ },
    nohost: { exitCode: 48, log: /\[200 OK\] nohost\n.*exiting!/ },
  },
} as const

/** A token needs no user name and is valid for one domain. */
function tokenHost(name: string): ConfiguredHost {
  const secret = tokens.get(name) ?? tokens.get(HOME) ?? ''
  return { name, login: 'none', secret }
}

const CREDENTIALS = [
  {
    credential: 'the account’s password',
    host: (name: string): ConfiguredHost => {
      const { username: login, password: secret } = ada
      return { name, login, secret }
    },
    wrong: 'not the password',
  },
  {
    credential: 'update tokens',
    host: (name: string) => tokenHost(name),
    wrong: `ut_${'a'.repeat(36)}`,
  },
] as const

const PROGRAMS = [DDCLIENT, INADYN].flatMap((program) =>
  CREDENTIALS.map((each) => ({ program, client: program.name, ...each })),
)

describe.each(PROGRAMS)('$client with $credential', ({ program, client, host, wrong }) => {
  const said = CONCLUSIONS[client]
  const wanted = ({ exitCode, log }: { exitCode: number; log: RegExp }) =>
    ({ exitCode, log: expect.stringMatching(log) }) as object

  test('good, then nothing to do, then nochg', needs(client), async () => {
    const address = newAddress()
    const installedClient = install(program, [host(HOME)], address)
    const good = await installedClient.run()
    expect(good).toMatchObject(wanted(said.good))
    expect(good.believes(HOME)).toBe(address)
    await inDns(HOME, address)
    expect(await installedClient.run()).toMatchObject(wanted(said.content))
    const again = await installedClient.run({ force: true })
    expect(again).toMatchObject(wanted(said.nochg))
    expect(again.believes(HOME)).toBe(address)
  })

  test('badauth: it stops, caches nothing, and nothing has changed', needs(client), async () => {
    const before = await addressesOf(stack.dnsPort, HOME, 'A')
    const installedClient = install(program, [{ ...host(HOME), secret: wrong }], newAddress())
    const refused = await installedClient.run()
    expect(refused).toMatchObject(wanted(said.badauth))
    expect(refused.believes(HOME)).toBeUndefined()
    expect(await addressesOf(stack.dnsPort, HOME, 'A')).toEqual(before)
  })

  test('nohost: it names the host', needs(client), async () => {
    const installedClient = install(program, [host(NOBODYS)], newAddress())
    const refused = await installedClient.run()
    expect(refused).toMatchObject(wanted(said.nohost))
    expect(refused.log).toContain(NOBODYS)
    expect(refused.believes(NOBODYS)).toBeUndefined()
  })

  test('two domains', needs(client), async () => {
    const address = newAddress()
    const both = await install(program, [host(HOME), host(OFFICE)], address).run()
    expect(both).toMatchObject(wanted(said.good))
    for (const name of [HOME, OFFICE]) {
      expect(both.log).toContain(name)
      expect(both.believes(name)).toBe(address)
      await inDns(name, address)
    }
  })

  test('IPv6: stored, and IPv4 kept', needs(client), async () => {
    const [ipv4, ipv6] = [newAddress(), `2001:db8::${lastOctet}`]
    await install(program, [host(HOME)], ipv4).run()
    const good = await install(program, [host(HOME)], ipv6).run()
    expect(good).toMatchObject(wanted(said.good))
    expect(good.believes(HOME)).toBe(ipv6)
    await inDns(HOME, ipv6)
    expect(await addressesOf(stack.dnsPort, HOME, 'A')).toEqual([ipv4])
  })
})

describe.each([DDCLIENT, INADYN])('the downloaded file of $name', (program) => {
  test.each([false, true])('for both families: %s', needs(program.name), async (isDual) => {
    await install(DDCLIENT, [tokenHost(HOME)], newAddress()).run()
    const server = new URL(stack.url).host
    const client = program.install({ server, hosts: [tokenHost(HOME)], isDual })
    running.push(client)
    const { log } = await client.run()
    // The test has no IPv6 connection to the service.
    expect(log).toMatch(CONCLUSIONS[program.name].good.log)
    await inDns(HOME, '127.0.0.1')
  })
})

test('ddclient finds its address with our check-ip page', needs('ddclient'), async () => {
  const { username: login, password: secret } = ada
  // Another domain has that address already.
  const hosts = [{ name: OFFICE, login, secret }]
  const settings = `use=web, web=${stack.url}/nic/checkip.html, web-skip='IP Address'`
  const found = await install(DDCLIENT, hosts, newAddress(), settings).run()
  expect(found.log).toMatch(/good: IP address set to 127\.0\.0\.1/)
  await inDns(OFFICE, '127.0.0.1')
})

test(
  'inadyn with a fake address: both changes are accepted, and the real address stays',
  needs('inadyn'),
  async () => {
    const { username: login, password: secret } = ada
    const address = newAddress()
    const client = install(INADYN, [{ name: HOME, login, secret }], address, 'fake-address = true')
    await client.run()
    const forced = await client.run({ force: true })
    expect(forced.exitCode).toBe(0)
    expect(forced.log.match(/Successful alias table update/g)).toHaveLength(2)
    expect(forced.believes(HOME)).toBe(address)
    await inDns(HOME, address)
  },
)

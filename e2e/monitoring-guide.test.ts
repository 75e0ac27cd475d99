/** Runs the commands of the guide to uptime monitoring in their order, as a customer does, and compares what they print. */
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { needs } from '../test/outside-tool.ts'
import { type Account, registerAccount, signInAdministrator } from './support/accounts.ts'
import { followStep, type Reader, runAs } from './support/follow-guide.ts'
import { guideSteps } from './support/guide.ts'
import { messagesTo } from './support/mailbox.ts'
import { eventually, temporaryDataDir } from './support/stack.ts'

const GUIDE = 'monitoring.md'
const USERNAME = 'moni'
const NAME = `home-of-${USERNAME}.homing.test`
/** The domain of the guide has the address of the server that the guide monitors. */
const ADDRESS = '127.0.0.1'
const SECTIONS = [
  'Monitor a domain',
  'Kinds',
  'How a state is decided',
  'Maintenance',
  'Mails',
  'Heartbeats',
  'By API',
  'Turn it off',
] as const
const stack = inject('sharedService')
const home = temporaryDataDir()

let moni: Account
let server: Server
let port = 0
let domainId = ''

/** Starts the server that the guide monitors. @param at its port; 0: the system chooses a free port */
async function serve(at: number): Promise<void> {
  server = createServer((_request, response) => response.end('ok'))
  server.listen(at, ADDRESS)
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
}

async function stopServing(): Promise<void> {
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
}

const params = () => ({ path: { id: domainId } })

/** The id of the window that was announced first, for the one in the guide. */
async function windowId(): Promise<string> {
  const { data = [] } = await moni.api.GET('/api/uptime/domain/{id}/maintenance', {
    params: params(),
  })
  return data.map(({ id }) => id).toSorted((one, other) => Number(one) - Number(other))[0] ?? '3'
}

/** The domain, the port and the ids of the guide, replaced by those of this service. */
async function own(text: string): Promise<string> {
  return text
    .replaceAll('home.example.net', NAME)
    .replaceAll('8123', String(port))
    .replaceAll('/domain/42', `/domain/${domainId}`)
    .replaceAll(`remove ${NAME} 3`, `remove ${NAME} ${await windowId()}`)
}

/** The customer who has signed in. */
const reader = (): Reader => ({
  home: home.path,
  env: { SERVICE: stack.url, TOKEN: moni.token },
  own,
})

const run = (commands: string) => runAs(reader(), commands)

async function followSection(heading: (typeof SECTIONS)[number]): Promise<void> {
  const steps = guideSteps(GUIDE, heading)
  expect(steps.length).toBeGreaterThan(0)
  for (const step of steps) await followStep(reader(), step)
}

const monitor = async () =>
  (await moni.api.GET('/api/uptime/domain/{id}', { params: params() })).data

const becomes = (state: string) => eventually(monitor, (found) => found?.state === state)

describe('the guide to uptime monitoring', needs('curl'), () => {
  beforeAll(async () => {
    await serve(0)
    moni = await registerAccount(stack, USERNAME)
    const { data: domain } = await moni.api.POST('/api/domains', {
      body: { fqdn: NAME, zone: 'homing.test', rrtype: 'A', record_ip: ADDRESS },
    })
    domainId = domain?.id ?? ''
    const boss = await signInAdministrator(stack)
    const { data: me } = await moni.api.GET('/api/me')
    await boss.api.PUT('/api/admin/users/{id}', {
      params: { path: { id: me?.id ?? '' } },
      body: { account_type: 'pro' },
    })
    // A refused call is an error.
    writeFileSync(join(home.path, '.curlrc'), 'fail\n')
    writeFileSync(join(home.path, 'password'), `${moni.password}\n`, { mode: 0o600 })
    await run(
      `homing login --server ${stack.url} --username ${USERNAME} --with-password-stdin < password`,
    )
  })
  afterAll(async () => {
    await stopServing()
    home.remove()
  })

  test('“Monitor a domain” and “Kinds” do what they say', async () => {
    await followSection('Monitor a domain')
    await followSection('Kinds')
    expect(await monitor()).toMatchObject({ expected_status: '200-299', interval_seconds: 120 })
  })

  test('a server that stops and starts again is an incident, as in “How a state is decided”', async () => {
    await becomes('up')
    const at = port
    await stopServing()
    await becomes('down')
    await serve(at)
    await becomes('up')
    await followSection('How a state is decided')
    const { uptime_24h = null } = (await monitor()) ?? {}
    expect(uptime_24h).toBeGreaterThan(0)
    expect(uptime_24h).toBeLessThan(100)
  })

  test('“Maintenance” begins at once, and ends when its window is removed', async () => {
    const [begins, ...rest] = guideSteps(GUIDE, 'Maintenance').flatMap(({ commands }) =>
      commands.split(/\n(?=homing)/),
    )
    expect(begins).toContain('--for 2h')
    await run(await own(begins ?? ''))
    await becomes('maintenance')
    for (const commands of rest) await run(await own(commands))
    await becomes('up')
  })

  test('“Mails” sends a test', async () => {
    await followSection('Mails')
    const mails = () => messagesTo(stack.dataDir, `${USERNAME}@mail.example`)
    await eventually(mails, (found) => found.some(({ text = '' }) => text.includes(NAME)))
    expect(await monitor()).toMatchObject({ notifies_up: false })
  })

  test('“Heartbeats” records the call of a device', async () => {
    await followSection('Heartbeats')
    expect(await monitor()).toMatchObject({
      heartbeat_source: 'updates',
      last_heartbeat_at: expect.any(String),
    })
  })

  test('“By API” and “Turn it off” do what they say', async () => {
    await followSection('By API')
    expect(await monitor()).toMatchObject({ kind: 'https', is_enabled: true })
    await followSection('Turn it off')
    await becomes('off')
  })

  test('no command of the guide is left out', () => {
    const followed = SECTIONS.flatMap((heading) => guideSteps(GUIDE, heading))
    expect(followed).toEqual(guideSteps(GUIDE))
  })
})

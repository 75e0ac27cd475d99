/**
 * NSD, Knot and BIND, configured as in the guide, follow a zone through 2,500 random changes and a kill of the
 * daemon, and end with the same records; through 10,000 with `TEST_FORM=long`.
 */
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePorts } from '../test/free-ports.ts'
import { needs } from '../test/outside-tool.ts'
import { byForm } from '../test/test-form.ts'
import { type Account, addNames, signInAdministrator } from './support/accounts.ts'
import { oneOf, randomFrom } from './support/random.ts'
import { RandomZone } from './support/random-zone.ts'
import {
  addressOf,
  dig,
  guideBlock,
  GUIDE_SECRET,
  type Layout,
  type RunningSecondary,
  serialAt,
  startSecondary,
  transferred,
} from './support/secondaries.ts'
import { eventually, ROOT, type Stack, startStack, temporaryDataDir } from './support/stack.ts'
import { embeddedUrl } from './support/tables.ts'
import { updateClient } from './support/update-client.ts'

const ZONE = 'homing.test'
const CATALOG = 'catalog.homing'
const TOOLS = needs('nsd', 'knotd', 'named', 'dig')
const UPDATES = byForm({ short: 700, long: 2_800 })
/** Changed names in each of three imports, and in the first import. */
const IMPORTED = byForm({ short: 600, long: 2_400 })
const IMPORTS = [IMPORTED, IMPORTED, IMPORTED]
const FIRST_IMPORTED = byForm({ short: 750, long: 3_000 })
const CHANGES = UPDATES + IMPORTS.length * IMPORTED

const folder = temporaryDataDir()
const zone = new RandomZone(randomFrom(20))
const names = Array.from({ length: 100 }, (_, n) => `home-${n}.${ZONE}`)
let stack: Stack
let account: Account
const secondaries: RunningSecondary[] = []

const primary = () => ({ address: addressOf('primary'), port: stack.dnsPort })

beforeAll(async () => {
  if (TOOLS.skip === true) return
  const [nsd = 0, knot = 0, bind = 0] = await freePorts(3)
  const places = { zone: ZONE, catalog: CATALOG, folder: folder.path }
  const ports = { nsd, knot, bind }
  const settings = join(folder.path, 'dns.yaml')
  // The settings of the primary do not contain its own port.
  writeFileSync(settings, guideBlock('dns.yaml', { ...places, ports: { ...ports, primary: 0 } }))
  stack = await startStack({
    dataDir: join(folder.path, 'data'),
    // The daemon logs transfers at this level.
    env: { RATE_LIMITS: 'off', DNS_SETTINGS: settings, LOG_LEVEL: 'debug', LOG_FORMAT: 'json' },
  })
  const layout: Layout = { ...places, ports: { ...ports, primary: stack.dnsPort } }
  account = await signInAdministrator(stack)
  await addNames(account, names)
  // One after another, so that running servers are stopped if the next one does not start.
  for (const name of ['nsd', 'knot', 'bind'] as const) {
    secondaries.push(await startSecondary(name, layout))
  }
  await untilFollowed(ZONE)
})
afterAll(async () => {
  await Promise.all(secondaries.map((each) => each.stop()))
  if (TOOLS.skip !== true) await stack.stop()
  folder.remove()
})

/** Waits until all of them have the primary's serial, which no longer changes. */
async function untilFollowed(origin: string, of = secondaries): Promise<void> {
  await eventually(
    async () => Promise.all([primary(), ...of].map((server) => serialAt(server, origin))),
    ([first, ...others]) => first !== undefined && others.every((serial) => serial === first),
  )
}

/** Imports the random zone, or another one. */
async function importZone(origin = ZONE, content = zone.text): Promise<string> {
  const file = join(folder.path, `${origin}.import`)
  writeFileSync(file, content)
  const child = spawn(process.execPath, ['api/scripts/zone-import.ts', origin, file], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'] ?? '', DATABASE_URL: embeddedUrl(stack.dataDir) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [[exitCode], out, err] = await Promise.all([
    once(child, 'close'),
    text(child.stdout),
    text(child.stderr),
  ])
  if (exitCode !== 0) throw new Error(`the import ended with ${exitCode}: ${err}`)
  return out
}

/** Sends updates of addresses, one after the other. */
async function update(count: number, client: number): Promise<void> {
  const owner = updateClient(stack.url, account)
  const random = randomFrom(client)
  const own = names.filter((_name, at) => at % 4 === client)
  for (let sent = 0; sent < count; sent++) {
    const address = `10.${client}.${sent >> 8}.${sent & 255}`
    const answer = await owner.update(oneOf(random, own), address)
    if (!answer.body.startsWith('good')) throw new Error(`${answer.status} ${answer.body}`)
  }
  owner.close()
}

interface Sent {
  readonly client: string
  readonly zone: string
  readonly asked: string
  readonly kind: string
}

/** The transfers of the zone in the daemon's log. */
const sentOf = (origin: string): Sent[] =>
  stack
    .log()
    .split('\n')
    // The last line can be incomplete.
    .slice(0, -1)
    .filter((line) => line.includes('"kind":'))
    .map((line) => JSON.parse(line) as Sent)
    .filter((sent) => sent.zone === origin)

const transfersTo = (client: string, sent: readonly Sent[]) =>
  sent.filter((each) => each.client === client)

describe('secondaries', TOOLS, () => {
  test(`converge after ${CHANGES} random changes and a restart`, { timeout: 120_000 }, async () => {
    zone.change(FIRST_IMPORTED)
    await importZone()
    await untilFollowed(ZONE)
    const sentBefore = sentOf(ZONE).length

    const updates = Promise.all([0, 1, 2, 3].map((client) => update(UPDATES / 4, client)))
    for (const [round, changed] of IMPORTS.entries()) {
      zone.change(changed)
      expect(await importZone()).toContain(` ${changed} names changed`)
      if (round === 1) process.kill(stack.pidOf('dnsd'), 'SIGKILL')
    }
    await updates
    const { data: domains = [] } = await account.api.GET('/api/domains')
    for (const { id } of domains.slice(0, 20)) {
      await account.api.DELETE('/api/domains/{id}', { params: { path: { id } } })
    }
    await addNames(
      account,
      Array.from({ length: 20 }, (_, n) => `late-${n}.${ZONE}`),
    )
    await untilFollowed(ZONE)

    const sent = sentOf(ZONE).slice(sentBefore)
    const wanted = await transferredByKey(ZONE)
    expect(wanted.length).toBeGreaterThan(FIRST_IMPORTED)
    for (const server of secondaries) expect(await transferred(server, ZONE)).toEqual(wanted)

    for (const { name } of secondaries) {
      const transfers = transfersTo(addressOf(name), sent)
      expect(transfers).toContainEqual(expect.objectContaining({ kind: 'differences' }))
      const whole = transfers.filter(({ kind }) => kind === 'whole')
      // Only a secondary may request a full transfer: BIND after the kill interrupted its IXFR, NSD when an IXFR exceeds its limit.
      expect(whole.filter(({ asked }) => asked === 'IXFR')).toEqual([])
    }
    const [, knot, bind] = secondaries
    expect(knot?.log()).toMatch(/homing\.test\.\] IXFR, incoming/)
    expect(bind?.log()).toContain("'homing.test/IN'")
    process.stdout.write(
      `secondaries: ${wanted.length} records, ${CHANGES} changes, ${sent.length} transfers\n`,
    )
  })

  test('add a new zone from the catalog, if they support catalog zones', async () => {
    const origin = 'new.example'
    const apex = `${origin}. 3600 IN SOA ns1.${origin}. hostmaster.${origin}. 1 3600 600 1209600 60\n${origin}. 3600 IN NS ns1.${origin}.\n`
    await importZone(
      origin,
      `${apex}ns1.${origin}. 60 IN A 192.0.2.1\nwww.${origin}. 60 IN A 192.0.2.2\n`,
    )
    await eventually(
      async () => serialAt(primary(), origin),
      (serial) => serial !== undefined,
    )
    const followers = secondaries.filter(({ name }) => name !== 'nsd')
    await untilFollowed(origin, followers)
    const wanted = await transferredByKey(origin)
    for (const server of followers) expect(await transferred(server, origin)).toEqual(wanted)
  })

  test('other servers cannot transfer a zone', async () => {
    const secret = (text: string) => ['-y', `hmac-sha256:transfer-key:${text}`]
    const from = ['-b', addressOf('knot')]
    const wrong = Buffer.alloc(32, 1).toString('base64')
    expect(await dig(primary(), ZONE, 'AXFR', ...from)).toContain('Transfer failed')
    expect(await dig(primary(), ZONE, 'AXFR', ...from, ...secret(wrong))).toMatch(/BADSIG|failed/)
    expect(
      await dig(primary(), ZONE, 'AXFR', '-b', '127.0.0.99', ...secret(GUIDE_SECRET)),
    ).toContain('Transfer failed')
    expect(await dig(primary(), ZONE, 'AXFR', ...from, ...secret(GUIDE_SECRET))).toContain('SOA')
    for (const line of [
      'did not get zone homing.test: the settings do not allow it',
      'did not get zone homing.test: its signature is invalid',
    ]) {
      expect(stack.log()).toContain(line)
    }
  })
})

/** The zone as the primary transfers it to one of its secondaries. */
async function transferredByKey(origin: string): Promise<string[]> {
  const key = `hmac-sha256:transfer-key:${GUIDE_SECRET}`
  return transferred(primary(), origin, '-b', addressOf('knot'), '-y', key)
}

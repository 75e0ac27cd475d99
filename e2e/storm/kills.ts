/**
 * No acknowledged update is lost: an update storm while every part, and
 * PostgreSQL, is killed again and again. Nothing is repaired by hand.
 *
 * `STORM_SEED` changes the times and the order of the kills.
 */
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFailed, test } from 'vitest'
import { addNames, registerAccount, signInAdministrator } from '../support/accounts.ts'
import { addressesOf } from '../support/dns.ts'
import { type KillCounts, killInTurn } from '../support/kills.ts'
import { Ledger, readLedger } from '../support/ledger.ts'
import { findForgotten, findLost } from '../support/losses.ts'
import { eventually, type Stack } from '../support/stack.ts'
import { numberOf, type Owner, startStorm, type StormCounts } from '../support/storm.ts'
import { byForm } from '../../test/test-form.ts'
import { disagreements, embeddedUrl, updatesInHistory, updatesInTables } from '../support/tables.ts'

const STORM_MS = byForm({ short: 8_000, long: 60_000 })
const CLIENTS = 24
const KILLS_OF_EACH = byForm({ short: 1, long: 4 })
const SEED = Number(process.env['STORM_SEED'] ?? 20_260_701)

/** The domains of an administrator, of a user of a larger plan and of a free user. */
const DOMAINS = byForm({
  short: { admin: 120, pro: 30, free: 5 },
  long: { admin: 400, pro: 100, free: 5 },
})

/** An administrator, a user of a larger plan and a free user, each with domains. */
async function makeOwners(stack: Stack): Promise<Owner[]> {
  const administrator = await signInAdministrator(stack)
  const ada = await registerAccount(stack, 'ada')
  const bob = await registerAccount(stack, 'bob')
  const { data: users = [] } = await administrator.api.GET('/api/admin/users')
  const id = users.find(({ username }) => username === bob.username)?.id ?? ''
  await administrator.api.PUT('/api/admin/users/{id}', {
    params: { path: { id } },
    body: { account_type: 'pro' },
  })
  const made: Owner[] = []
  for (const [account, count] of [
    [administrator, DOMAINS.admin],
    [bob, DOMAINS.pro],
    [ada, DOMAINS.free],
  ] as const) {
    const { username, password } = account
    const names = Array.from({ length: count }, (_, n) => `${username}-host-${n}.homing.test`)
    await addNames(account, names)
    made.push({ username, password, names })
  }
  return made
}

/** The number of the update that DNS shows for a name. */
async function updateInDns({ dnsPort }: Stack, name: string): Promise<number | undefined> {
  const [ipv4] = await addressesOf(dnsPort, name, 'A')
  const [ipv6] = await addressesOf(dnsPort, name, 'AAAA')
  return numberOf(name, ipv4, ipv6)
}

/** Waits until some updates are acknowledged, which shows that the service works. */
async function untilAcknowledged(counts: StormCounts): Promise<void> {
  const before = counts.acknowledged
  await eventually(
    async () => counts.acknowledged,
    (count) => count > before + 2 * CLIENTS,
    60_000,
  )
}

/** Prints the supervisor's messages about parts that ended. */
function tellWhatEnded({ log }: Stack): void {
  const lines = log().split('\n')
  process.stdout.write(lines.filter((line) => line.includes('"name":"stack"')).join('\n'))
}

interface Outcome {
  readonly counts: StormCounts
  readonly kills: KillCounts
  readonly seconds: number
  readonly names: number
  readonly lost: number
}

function tell({ counts, kills, seconds, names, lost }: Outcome): void {
  const { sent, acknowledged, refused, broken } = counts
  process.stdout.write(
    `storm of ${Math.round(seconds)} s on ${names} names, seed ${SEED}: ${sent} updates sent, ${acknowledged} acknowledged, ` +
      `${refused} answered 503, ${broken} cut off; kill -9 of ${JSON.stringify(kills)}; lost: ${lost}\n`,
  )
}

/** @param service one whose every part may be killed */
export function testKills(service: () => Stack): void {
  test(
    'a storm with kill -9 of every part in turn loses nothing',
    { timeout: 400_000 },
    async () => {
      const stack = service()
      onTestFailed(() => tellWhatEnded(stack))
      const owners = await makeOwners(stack)
      const ledgerFile = join(stack.dataDir, 'ledger')
      const ledger = await Ledger.create(ledgerFile)
      const storm = startStorm({ url: stack.url, owners, ledger, seed: SEED, clients: CLIENTS })
      const beganMs = performance.now()
      const kills = await killInTurn(stack, {
        during: AbortSignal.timeout(STORM_MS),
        share: KILLS_OF_EACH,
        seed: SEED,
        pauseMs: [300, 1_500],
        working: () => untilAcknowledged(storm.counts),
      })
      const seconds = (performance.now() - beganMs) / 1000
      await eventually(async () => (await fetch(`${stack.url}/api/health`)).ok, Boolean, 60_000)
      // The kills are over. The remaining clients reconnect by themselves.
      await delay(1_000)
      await storm.end()
      await ledger.close()

      const url = embeddedUrl(stack.dataDir)
      const acknowledged = readLedger(ledgerFile)
      const promised = { acknowledged, lastSent: storm.lastSent }
      const inTables = await updatesInTables(url)
      const names = owners.flatMap((owner) => owner.names)
      const inDns = new Map<string, number | undefined>()
      for (const name of names) {
        const wanted = inTables.get(name)
        inDns.set(
          name,
          await eventually(
            () => updateInDns(stack, name),
            (shown) => shown === wanted,
          ),
        )
      }
      const lost = [...findLost(promised, inTables), ...findLost(promised, inDns)]
      tell({ counts: storm.counts, kills, seconds, names: names.length, lost: lost.length })

      expect(lost).toEqual([])
      expect(findForgotten(acknowledged, await updatesInHistory(url))).toEqual([])
      expect(await disagreements(url)).toEqual([])
      expect(storm.counts.wrong).toEqual([])
      expect(acknowledged).toHaveLength(storm.counts.acknowledged)
      expect(acknowledged.length).toBeGreaterThan(names.length)
      for (const count of Object.values(kills)) expect(count).toBeGreaterThanOrEqual(KILLS_OF_EACH)
    },
  )
}

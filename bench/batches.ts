/**
 * Batches of 500 operations: how long each takes, and what the slowest updates of other accounts in the same zone wait
 * meanwhile, compared with the same updates alone.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { bySession, byTokens } from './support/credentials.ts'
import { addressOf, insertAccount, insertNames } from './support/names.ts'
import { paced } from './support/paced.ts'
import { atMost, report } from './support/report.ts'
import { interleave, median } from './support/rounds.ts'
import { prepareService } from './support/service.ts'

const ROUNDS = 3
const SECONDS = 5
const NAMES = 4_000
/** Changed updates per second. */
const RATE = 300
const OPERATIONS = 500
const PAUSE_MS = 1_000

await using service = await prepareService()
const client = await service.connect()
const names = await insertNames(client, NAMES)
const tokens = await byTokens(client, names)
const userId = await insertAccount(client, 'batches')
const authorization = (await bySession(client, { ...names, userId }))(0)
await client.query('analyze')
await service.startApi()

let round = 0
/** The 99th percentile of changed updates, in milliseconds. */
async function storm(): Promise<number> {
  round += 1
  const requests = names.fqdns.map((fqdn, n) => ({
    path: `/nic/update?hostname=${fqdn}&myip=${addressOf(round * NAMES + n)}`,
    headers: { authorization: tokens(n), 'user-agent': 'bench/1' },
  }))
  const task = { url: service.apiUrl, seconds: SECONDS, rate: RATE, requests }
  return (await paced(task)).p99Ms
}

const batches: number[] = []
/** Sends a batch. @returns after it is applied */
async function batch(operations: readonly object[]): Promise<void> {
  const begun = performance.now()
  const answer = await fetch(`${service.apiUrl}/api/domains/bulk`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ operations }),
  })
  if (answer.status !== 200) throw new Error(`a batch was refused: ${await answer.text()}`)
  await answer.body?.cancel()
  batches.push(performance.now() - begun)
}

const fqdnOf = (n: number) => `batch${n}.bench.test`
const each = (of: (n: number) => object) => Array.from({ length: OPERATIONS }, (_, n) => of(n))

/** Creates, changes and deletes the same domains until the storm is over. */
async function batchesDuring(over: Promise<unknown>): Promise<void> {
  const end = new AbortController()
  void over.finally(() => end.abort()).catch(() => undefined)
  while (!end.signal.aborted) {
    await batch(each((n) => ({ op: 'create', fqdn: fqdnOf(n), record_ip: addressOf(n) })))
    await delay(PAUSE_MS)
    await batch(each((n) => ({ op: 'change', fqdn: fqdnOf(n), record_ip: addressOf(n + 1) })))
    await delay(PAUSE_MS)
    await batch(each((n) => ({ op: 'delete', fqdn: fqdnOf(n) })))
    await delay(PAUSE_MS)
  }
}

// The first updates of a process open connections and prepare statements.
await storm()
const waits = await interleave(ROUNDS, {
  alone: storm,
  async beside() {
    const over = storm()
    await batchesDuring(over)
    return over
  },
})

const [alone, beside] = [median(waits.alone), median(waits.beside)]
const slowest = Math.max(...batches)
report(
  'batches',
  [
    { what: `${RATE} changed updates/s alone, p99`, value: alone, unit: 'ms' },
    { what: 'the same beside batches, p99', value: beside, unit: 'ms' },
    {
      what: `a batch of ${OPERATIONS} beside the updates, median`,
      value: median(batches),
      unit: 'ms',
    },
    { what: `the slowest of ${batches.length} batches`, value: slowest, unit: 'ms' },
  ],
  [
    atMost('p99 of updates beside batches ÷ alone', beside / alone, 1.5),
    atMost('slowest batch, s', slowest / 1_000, 2),
  ],
)

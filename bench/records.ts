/**
 * Records: 10,000 of them imported, listed, filtered and exported; and the delay from the change of a record until the
 * daemon answers with it, beside the change of an address and a bare commit with LISTEN wake-up.
 */
import { questionOctets } from '@homing/dnsd/client'
import { openBareWakeUps } from './support/bare-wake-ups.ts'
import { bySession } from './support/credentials.ts'
import { openAsker, questionFor } from './support/dns-question.ts'
import { keepAliveClient } from './support/keep-alive.ts'
import { addressOf, insertNames } from './support/names.ts'
import { atMost, report } from './support/report.ts'
import { interleave, median, percentile } from './support/rounds.ts'
import { prepareService, until } from './support/service.ts'

const ROUNDS = 5
const CHANGES_A_ROUND = 400
const NAMES = 200
const RECORDS = 10_000

await using service = await prepareService()
const client = await service.connect()
const names = await insertNames(client, NAMES)
const authorization = (await bySession(client, names))(0)
await client.query('analyze')
service.start('dnsd/src/main.ts')
await service.startApi()
const asker = await openAsker(service.dnsPort)
service.defer(() => asker.close())
const addresses = names.fqdns.map(questionFor)
await until(
  'the daemon',
  async () => (await asker.ask(addresses[0] ?? Buffer.alloc(0))) === '192.0.2.1',
)
const api = keepAliveClient(service.apiUrl, { authorization, 'content-type': 'application/json' })
service.defer(() => api.close())

/** The body of a call that succeeds. */
async function call(method: string, path: string, sent?: object): Promise<string> {
  const { status, body } = await api.send({
    method,
    path,
    ...(sent === undefined ? {} : { body: JSON.stringify(sent) }),
  })
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${body.slice(0, 300)}`)
  return body
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

const [bigId = ''] = names.domainIds
const big = `/api/domains/${bigId}/records`
// One record for each further domain, whose changes are followed.
const recordIds: string[] = []
for (const [n, id] of names.domainIds.entries()) {
  if (n === 0) continue
  const fields = { owner: '@', type: 'TXT', ttl: 60, values: ['before'] }
  const made = await call('POST', `/api/domains/${id}/records`, fields)
  recordIds.push((JSON.parse(made) as { id: string }).id)
}

// The account's plan has room for 10,000 records.
const count = RECORDS - recordIds.length
const lines = Array.from(
  { length: count },
  (_, n) => `r${n}.x${n % 100} 3600 IN TXT "value ${n}"\n`,
)
const text = lines.join('')
const importMs = await timed(async () => {
  const result = JSON.parse(await call('POST', `${big}/import`, { text })) as { created: number }
  if (result.created !== count) throw new Error(`${result.created} of ${count} were imported`)
})
const last = questionOctets({
  name: `r${count - 1}.x${(count - 1) % 100}.${names.fqdns[0]}`,
  type: 'TXT',
})
const importedMs = await timed(() =>
  until('the import in DNS', async () => {
    const answer = await asker.exchange(last, 1_000)
    return answer?.includes(`value ${count - 1}`) === true
  }),
)
await client.query('vacuum analyze records')

const read: Readonly<Record<'list' | 'filter' | 'export', string>> = {
  list: big,
  filter: `${big}?filter=${encodeURIComponent('{"q":"value 77"}')}&range=[0,99]`,
  export: `${big}/export`,
}
const reads = await interleave(ROUNDS, {
  list: () => timed(() => call('GET', read.list)),
  filter: () => timed(() => call('GET', read.filter)),
  export: () => timed(() => call('GET', read.export)),
})
const unchangedMs = await timed(() => call('POST', `${big}/import`, { text, replace: true }))

const bareWakeUps = await openBareWakeUps(service, client)
const texts = names.fqdns.map((name) => questionOctets({ name, type: 'TXT' }))
let changes = 0

/** Milliseconds from sending each change until DNS answers with it. Changes are sent one after another. */
async function followed(
  change: (n: number, domain: number) => Promise<unknown>,
  isVisible: (n: number, domain: number) => Promise<boolean>,
): Promise<number[]> {
  const taken: number[] = []
  for (let i = 0; i < CHANGES_A_ROUND; i += 1) {
    const n = (changes += 1)
    const domain = 1 + (n % (NAMES - 1))
    const sent = process.hrtime.bigint()
    await change(n, domain)
    while (!(await isVisible(n, domain)));
    taken.push(Number(process.hrtime.bigint() - sent) / 1e6)
  }
  return taken
}

const rounds = await interleave(ROUNDS, {
  bare: () => bareWakeUps(CHANGES_A_ROUND),
  address: () =>
    followed(
      (n, domain) =>
        call('PUT', `/api/domains/${names.domainIds[domain]}`, { record_ip: addressOf(n) }),
      async (n, domain) => (await asker.ask(addresses[domain] ?? Buffer.alloc(0))) === addressOf(n),
    ),
  record: () =>
    followed(
      (n, domain) =>
        call('PUT', `/api/domains/${names.domainIds[domain]}/records/${recordIds[domain - 1]}`, {
          values: [`change ${n} of the record`],
        }),
      async (n, domain) => {
        const answer = await asker.exchange(texts[domain] ?? Buffer.alloc(0), 1_000)
        return answer?.includes(`change ${n} of the record`) === true
      },
    ),
})

const middle = (samples: readonly number[][], p: number) =>
  median(samples.map((round) => percentile(round, p)))
const bareP99 = middle(rounds.bare, 0.99)
const recordP99 = middle(rounds.record, 0.99)
const seconds = (samples: readonly number[]) => median(samples) / 1_000
const ms = (what: string, value: number) => ({ what, value, unit: 'ms' })
report(
  'records',
  [
    ms(`import of ${count} records`, importMs),
    ms('until DNS answers the last of them', importedMs),
    ms('the same import again, without a change', unchangedMs),
    ms(`list of ${RECORDS} records`, median(reads.list)),
    ms('filter by text, first 100', median(reads.filter)),
    ms('export', median(reads.export)),
    ms('bare commit → LISTEN wake-up, p50', middle(rounds.bare, 0.5)),
    ms('bare commit → LISTEN wake-up, p99', bareP99),
    ms('address sent → DNS answers it, p50', middle(rounds.address, 0.5)),
    ms('address sent → DNS answers it, p99', middle(rounds.address, 0.99)),
    ms('record sent → DNS answers it, p50', middle(rounds.record, 0.5)),
    ms('record sent → DNS answers it, p99', recordP99),
  ],
  [
    atMost('list, s', seconds(reads.list), 1),
    atMost('filter, s', seconds(reads.filter), 1),
    atMost('export, s', seconds(reads.export), 1),
    atMost('p99 of records − bare wake-up p99, ms', recordP99 - bareP99, 10),
  ],
)

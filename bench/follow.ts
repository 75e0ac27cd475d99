/**
 * The delay between an update and DNS: from the router's request until the
 * daemon answers with the new address, compared with the time from a bare
 * commit with NOTIFY until another process that LISTENs wakes up.
 */
import { openBareWakeUps } from './support/bare-wake-ups.ts'
import { openAsker, questionFor } from './support/dns-question.ts'
import { keepAliveClient } from './support/keep-alive.ts'
import { addressOf, insertNames, PASSWORD, USERNAME } from './support/names.ts'
import { report } from './support/report.ts'
import { interleave, median, percentile } from './support/rounds.ts'
import { prepareService, until } from './support/service.ts'

const ROUNDS = 5
/** Enough samples for a p99 that is not a single outlier. */
const UPDATES_A_ROUND = 600
const NAMES = 1_000

await using service = await prepareService()
const client = await service.connect()
const names = await insertNames(client, NAMES)
service.start('dnsd/src/main.ts')
await service.startApi()
const asker = await openAsker(service.dnsPort)
service.defer(() => asker.close())
const questions = names.fqdns.map(questionFor)
await until(
  'the daemon',
  async () => (await asker.ask(questions[0] ?? Buffer.alloc(0))) === '192.0.2.1',
)

const bareWakeUps = await openBareWakeUps(service, client)

const router = keepAliveClient(service.apiUrl, {
  authorization: `Basic ${Buffer.from(`${USERNAME}:${PASSWORD}`).toString('base64')}`,
})
service.defer(() => router.close())
let updates = 0

/** Milliseconds from sending an update until its acknowledgement, and until DNS answers with it. Updates are sent one after another. */
interface Followed {
  readonly goodMs: number[]
  readonly dnsMs: number[]
}

/** DNS queries start after the acknowledgement: earlier queries would take CPU time from the measured processes. */
async function followed(): Promise<Followed> {
  const taken: Followed = { goodMs: [], dnsMs: [] }
  for (let i = 0; i < UPDATES_A_ROUND; i += 1) {
    const n = (updates += 1)
    const address = addressOf(n)
    const question = questions[n % NAMES] ?? Buffer.alloc(0)
    const sent = process.hrtime.bigint()
    const sinceSent = () => Number(process.hrtime.bigint() - sent) / 1e6
    const body = await router.get(`/nic/update?hostname=${names.fqdns[n % NAMES]}&myip=${address}`)
    taken.goodMs.push(sinceSent())
    while ((await asker.ask(question)) !== address);
    taken.dnsMs.push(sinceSent())
    if (!body.startsWith('good')) throw new Error(`an update was answered ${body}`)
  }
  return taken
}

const rounds = await interleave(ROUNDS, {
  bare: async () => ({ goodMs: [], dnsMs: await bareWakeUps(UPDATES_A_ROUND) }),
  followed,
})

const middle = (samples: readonly number[][], p: number) =>
  median(samples.map((round) => percentile(round, p)))
const bareMs = rounds.bare.map(({ dnsMs }) => dnsMs)
const goodMs = rounds.followed.map((round) => round.goodMs)
const dnsMs = rounds.followed.map((round) => round.dnsMs)
const bareP99 = middle(bareMs, 0.99)
const followP99 = middle(dnsMs, 0.99)
report(
  'follow',
  [
    { what: 'bare commit → LISTEN wake-up, p50', value: middle(bareMs, 0.5), unit: 'ms' },
    { what: 'bare commit → LISTEN wake-up, p99', value: bareP99, unit: 'ms' },
    { what: 'update sent → acknowledged, p50', value: middle(goodMs, 0.5), unit: 'ms' },
    { what: 'update sent → acknowledged, p99', value: middle(goodMs, 0.99), unit: 'ms' },
    { what: 'update sent → DNS answers it, p50', value: middle(dnsMs, 0.5), unit: 'ms' },
    { what: 'update sent → DNS answers it, p99', value: followP99, unit: 'ms' },
  ],
  [
    {
      figure: 'p99 ÷ bare wake-up p99',
      ratio: followP99 / bareP99,
      goal: '≤ 2',
      reached: followP99 <= 2 * bareP99,
    },
    {
      figure: 'p99 − bare wake-up p99, ms',
      ratio: followP99 - bareP99,
      goal: '≤ 10',
      reached: followP99 - bareP99 <= 10,
    },
  ],
)

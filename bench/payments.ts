/**
 * Webhooks of payment providers: how soon 200 signed events a second are answered, alone and beside an update storm; and
 * how much they delay the updates, as the ratio of the 99th percentiles. The load tools take processor time of the same
 * cores, so the same events are also sent to a bare route in a process of its own.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { byTokens } from './support/credentials.ts'
import { addressOf, insertNames } from './support/names.ts'
import { paced } from './support/paced.ts'
import { report } from './support/report.ts'
import { interleave, median } from './support/rounds.ts'
import { prepareService } from './support/service.ts'
import type { WebhookFigures, WebhookTask } from './support/webhook-load.ts'

const { values: given } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '10' },
  },
})
const [rounds, seconds] = [Number(given.rounds), Number(given.seconds)]
if (!(rounds >= 1) || !(seconds >= 1)) {
  process.stderr.write('usage: node bench/payments.ts [--rounds 3] [--seconds 10]\n')
  process.exit(64)
}

const WEBHOOKS_PER_SECOND = 200
/** Below what the service can handle: beyond it, each percentile is that of a queue. */
const UPDATES_PER_SECOND = 200
const NAMES = 10_000
const SECRET = 'whsec_bench'

await using service = await prepareService()
const client = await service.connect()
const names = await insertNames(client, NAMES)
const authorization = await byTokens(client, names)
await service.startApi({ STRIPE_SECRET_KEY: 'sk_test_bench', STRIPE_WEBHOOK_SECRET: SECRET })

const bare = fork(new URL('support/bare-route.ts', import.meta.url))
service.defer(() => bare.disconnect())
const [{ url: bareUrl }] = (await once(bare, 'message')) as [{ url: string }]

let updates = 0
const storm = () =>
  paced({
    url: service.apiUrl,
    seconds,
    rate: UPDATES_PER_SECOND,
    requests: Array.from({ length: NAMES }, () => {
      const n = (updates += 1)
      const name = n % NAMES
      return {
        path: `/nic/update?hostname=${names.fqdns[name]}&myip=${addressOf(n)}`,
        headers: { authorization: authorization(name), 'user-agent': 'bench/1' },
      }
    }),
  })

let runs = 0
async function webhooks(url = service.apiUrl): Promise<WebhookFigures> {
  const load = fork(new URL('support/webhook-load.ts', import.meta.url))
  const task: WebhookTask = {
    url,
    secret: SECRET,
    rate: WEBHOOKS_PER_SECOND,
    seconds,
    run: String((runs += 1)),
  }
  load.send(task)
  const [figures] = (await Promise.race([
    once(load, 'message'),
    once(load, 'exit').then(([code]) => {
      throw new Error(`the load ended with ${code}; its last lines give the reason`)
    }),
  ])) as [WebhookFigures]
  return figures
}

/** The 99th percentiles of a run, in milliseconds; NaN for what did not run. */
interface Percentiles {
  readonly eventsMs: number
  readonly updatesMs: number
}

const measured = await interleave<'alone' | 'storm' | 'bare' | 'both', Percentiles>(rounds, {
  alone: async () => ({ eventsMs: (await webhooks()).p99Ms, updatesMs: Number.NaN }),
  storm: async () => ({ eventsMs: Number.NaN, updatesMs: (await storm()).p99Ms }),
  bare: async () => {
    const [, besideBare] = await Promise.all([webhooks(bareUrl), storm()])
    return { eventsMs: Number.NaN, updatesMs: besideBare.p99Ms }
  },
  both: async () => {
    const [events, beside] = await Promise.all([webhooks(), storm()])
    return { eventsMs: events.p99Ms, updatesMs: beside.p99Ms }
  },
})

const alone = median(measured.alone.map(({ eventsMs }) => eventsMs))
const calm = median(measured.storm.map(({ updatesMs }) => updatesMs))
const beside = median(measured.both.map(({ updatesMs }) => updatesMs))
const besideBare = median(measured.bare.map(({ updatesMs }) => updatesMs))
const events = median(measured.both.map(({ eventsMs }) => eventsMs))
const ratio = beside / calm
report(
  'payments',
  [
    { what: `${WEBHOOKS_PER_SECOND} webhooks/s alone, p99`, value: alone, unit: 'ms' },
    { what: `the same beside ${UPDATES_PER_SECOND} updates/s, p99`, value: events, unit: 'ms' },
    { what: `${UPDATES_PER_SECOND} changed updates/s alone, p99`, value: calm, unit: 'ms' },
    { what: 'the same beside the webhooks, p99', value: beside, unit: 'ms' },
    { what: 'the same beside webhooks to a bare route, p99', value: besideBare, unit: 'ms' },
  ],
  [
    { figure: 'p99 of webhooks ÷ 50 ms', ratio: alone / 50, goal: '≤ 1', reached: alone <= 50 },
    {
      figure: 'p99 of updates with webhooks ÷ without',
      ratio,
      goal: '≤ 1.2',
      reached: ratio <= 1.2,
    },
    {
      figure: 'p99 of updates with webhooks ÷ with webhooks to a bare route',
      ratio: beside / besideBare,
      goal: '≤ 1.2',
      reached: beside / besideBare <= 1.2,
    },
  ],
)

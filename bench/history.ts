/**
 * Pages of the history of a domain: one with 100,000 events, compared with one with 100, over HTTP. The first page, and a
 * page from the middle of the history.
 */
import { bySession } from './support/credentials.ts'
import { load } from './support/load.ts'
import { insertNames } from './support/names.ts'
import { atMost, report } from './support/report.ts'
import { interleave, median } from './support/rounds.ts'
import { prepareService, quiet } from './support/service.ts'

const ROUNDS = 5
const SECONDS = 2
const FEW = 100
const MANY = 100_000
const PAGE = 25
const RATIO_LIMIT = 1.3

await using service = await prepareService()
const client = await service.connect()
const names = await insertNames(client, 2)
const [few = '', many = ''] = names.domainIds
const authorization = (await bySession(client, names))(0)

/** @returns the id of an event in the middle */
async function insertEvents(domainId: string, count: number): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    `insert into domain_events (happened_at, domain_id, user_id, fqdn, kind, actor, actor_id, source_ip, client, old_ipv4, new_ipv4)
     select now() - interval '25 days' * ($2::int - n) / $2::int, d.id, d.user_id, d.fqdn, 'address', 'password', d.user_id,
            '192.0.2.9', 'ddclient/3.10.0', '192.0.2.1', '192.0.2.2'
     from domains d, generate_series(1, $2::int) as n where d.id = $1 returning id`,
    [domainId, count],
  )
  return rows[count >> 1]?.id ?? ''
}

const middles = { few: await insertEvents(few, FEW), many: await insertEvents(many, MANY) }
await client.query('vacuum analyze domain_events')
await service.startApi()

async function millisecondsOf(domainId: string, before?: string): Promise<number> {
  await quiet(service.apiUrl)
  const search = new URLSearchParams({
    range: JSON.stringify([0, PAGE - 1]),
    ...(before !== undefined && { filter: JSON.stringify({ before }) }),
  })
  const path = `/api/domains/${domainId}/events?${search.toString()}`
  const measured = await load({
    url: service.apiUrl,
    seconds: SECONDS,
    expected: /^200 \[\{"id":"\d+"/,
    next: () => ({ path, headers: { authorization } }),
  })
  return 1_000 / measured.perSecond
}

const costs = await interleave(ROUNDS, {
  firstOfFew: () => millisecondsOf(few),
  firstOfMany: () => millisecondsOf(many),
  middleOfFew: () => millisecondsOf(few, middles.few),
  middleOfMany: () => millisecondsOf(many, middles.many),
})
// Requests that are under way when the api stops would be logged as failures.
await quiet(service.apiUrl)
const [firstOfFew, firstOfMany] = [median(costs.firstOfFew), median(costs.firstOfMany)]
const [middleOfFew, middleOfMany] = [median(costs.middleOfFew), median(costs.middleOfMany)]

report(
  'history',
  [
    { what: `first page of ${FEW} events`, value: firstOfFew, unit: 'ms' },
    { what: `first page of ${MANY} events`, value: firstOfMany, unit: 'ms' },
    { what: `page from the middle of ${FEW} events`, value: middleOfFew, unit: 'ms' },
    { what: `page from the middle of ${MANY} events`, value: middleOfMany, unit: 'ms' },
  ],
  [
    atMost(`first page of ${MANY} events ÷ of ${FEW}`, firstOfMany / firstOfFew, RATIO_LIMIT),
    atMost(`middle page of ${MANY} events ÷ of ${FEW}`, middleOfMany / middleOfFew, RATIO_LIMIT),
  ],
)

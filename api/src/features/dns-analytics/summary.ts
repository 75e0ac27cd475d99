/** The summary of the queries for the domains of an account. */
import type { DnsSummary } from '@homing/openapi'
import { type Principal, reachOf } from '../../caller/principal.ts'
import type { Services } from '../../compose.ts'
import { organisationsOf } from '../../models/organisations.ts'
import { planAllows } from '../../rules/plans.ts'
import { type SummaryPeriod, summaryPeriods } from '../../rules/query-ranges.ts'
import { trendOf } from '../../rules/query-trends.ts'
import { countedUntil, topIn, totalsIn } from './query-sums.ts'
import { type ReachedDomain, reachedDomains } from './reached-domains.ts'

const TOP = 10

type Lists = Pick<DnsSummary, 'queries_by_domain' | 'top_countries' | 'top_asns'>

const NO_LISTS: Lists = { queries_by_domain: [], top_countries: [], top_asns: [] }

/** The lists for plans with DNS analytics. */
async function listsOf(
  { knex }: Pick<Services, 'knex'>,
  domains: readonly ReachedDomain[],
  week: SummaryPeriod,
  month: SummaryPeriod,
): Promise<Lists> {
  const ids = domains.map(({ id }) => id)
  const byValue = (dimension: 'country' | 'network') =>
    topIn(knex, ids, week.shown, { by: 'value', dimension, limit: TOP })
  const [byDomain, countries, networks] = await Promise.all([
    topIn(knex, ids, month.shown, { by: 'domain_id', dimension: 'total', limit: TOP }),
    byValue('country'),
    byValue('network'),
  ])
  const names = new Map(domains.map(({ id, fqdn }) => [id, fqdn]))
  const organisations = await organisationsOf(
    knex,
    networks.map(({ key }) => key),
  )
  return {
    queries_by_domain: byDomain.map(({ key, queries }) => ({
      domain_id: key,
      fqdn: names.get(key) ?? '',
      queries,
    })),
    top_countries: countries.map(({ key, queries }) => ({ country_code: key, queries })),
    top_asns: networks.map(({ key, queries }) => ({
      asn: Number(key),
      as_org: organisations.get(key) ?? '',
      queries,
    })),
  }
}

/** The summary. Plans without DNS analytics get the totals and the trends. */
export async function readSummary(
  { knex, now }: Pick<Services, 'knex' | 'now'>,
  principal: Principal,
): Promise<DnsSummary> {
  const present = now()
  const [domains, counted] = await Promise.all([
    reachedDomains(knex, reachOf(principal)),
    countedUntil(knex),
  ])
  const [day, week, month] = summaryPeriods(present, counted ?? present)
  const periods = [day, week, month]
  const hasLists = planAllows(principal.account, 'analytics')
  const [totals, lists] = await Promise.all([
    totalsIn(
      knex,
      domains.map(({ id }) => id),
      periods.flatMap((period) => [period.shown, period.counted, period.before]),
    ),
    hasLists ? listsOf({ knex }, domains, week, month) : NO_LISTS,
  ])
  const [day24 = 0, dayNow = 0, dayBefore = 0, week7 = 0, weekNow = 0, weekBefore = 0] = totals
  const [month30 = 0, monthNow = 0, monthBefore = 0] = totals.slice(6)
  const { trend, percent } = trendOf(dayNow, dayBefore)
  return {
    total_queries_24h: day24,
    total_queries_7d: week7,
    total_queries_30d: month30,
    query_trend: trend,
    trend_percent: percent,
    trend_percent_7d: trendOf(weekNow, weekBefore).percent,
    trend_percent_30d: trendOf(monthNow, monthBefore).percent,
    ...lists,
    counted_until: counted?.toISOString() ?? null,
  }
}

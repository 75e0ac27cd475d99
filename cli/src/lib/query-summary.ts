/** The summary of DNS queries, as this program shows it. */
import type { components } from '@homing/openapi/client'
import { type Listing, listed, titled } from './output.ts'
import { bar, changeText, column, QUERIES } from './query-numbers.ts'

type DnsSummary = components['schemas']['DnsSummary']

export const SUMMARY_FIELDS = [
  'total_queries_24h',
  'total_queries_7d',
  'total_queries_30d',
  'query_trend',
  'trend_percent',
  'trend_percent_7d',
  'trend_percent_30d',
  'queries_by_domain',
  'top_countries',
  'top_asns',
  'counted_until',
] as const satisfies readonly (keyof DnsSummary)[]

/** The licences of the data about addresses ask for it. */
export const GEOGRAPHY_SOURCE =
  'Countries and networks: NRO, Route Views, IP Geolocation by DB-IP (https://db-ip.com).'

const REGIONS = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'code' })

/** `Austria`. @param code of ISO 3166-1; `ZZ`: not known */
function countryName(code: string): string {
  if (code === 'ZZ') return 'Unknown'
  // Intl refuses what cannot be a code.
  return /^[A-Z]{2}$/.test(code) ? (REGIONS.of(code) ?? code) : code
}

/** `Example Net (AS64496)`. @param asn 0: not known, or many small ones */
function networkName(asn: number, organization: string): string {
  if (asn === 0) return 'Unknown or small networks'
  return organization === '' ? `AS${asn}` : `${organization} (AS${asn})`
}

/** One line of a list of the summary. */
interface Line {
  readonly list: 'period' | 'domain' | 'country' | 'network'
  readonly value: string
  readonly label: string
  readonly queries: number
  /** Undefined: the list has no changes. */
  readonly change?: number | null
}

function linesOf(summary: DnsSummary): readonly (readonly Line[])[] {
  const period = (value: string, label: string, queries: number, change: number | null): Line => ({
    list: 'period',
    value,
    label,
    queries,
    change,
  })
  return [
    [
      period('24h', 'last 24 hours', summary.total_queries_24h, summary.trend_percent),
      period('7d', 'last 7 days', summary.total_queries_7d, summary.trend_percent_7d),
      period('30d', 'last 30 days', summary.total_queries_30d, summary.trend_percent_30d),
    ],
    summary.queries_by_domain.map(({ domain_id, fqdn, queries }) => ({
      list: 'domain',
      value: domain_id,
      label: fqdn,
      queries,
    })),
    summary.top_countries.map(({ country_code, queries }) => ({
      list: 'country',
      value: country_code,
      label: countryName(country_code),
      queries,
    })),
    summary.top_asns.map(({ asn, as_org, queries }) => ({
      list: 'network',
      value: String(asn),
      label: networkName(asn, as_org),
      queries,
    })),
  ]
}

const TITLES = {
  period: 'PERIOD',
  domain: 'DOMAIN, 30 DAYS',
  country: 'COUNTRY, 7 DAYS',
  network: 'NETWORK, 7 DAYS',
} as const satisfies Record<Line['list'], string>

/** The columns of one list. The lines of a pipe are the same for all lists. */
function listingOf(lines: readonly Line[]): Listing<Line> {
  const aligned = column(lines.map(({ queries }) => queries))
  const largest = Math.max(1, ...lines.map(({ queries }) => queries))
  const list = lines[0]?.list ?? 'period'
  return {
    columns: [
      { title: TITLES[list], of: ({ label }) => label },
      { title: QUERIES, of: ({ queries }) => aligned(queries) },
      list === 'period'
        ? { title: 'CHANGE', of: ({ change = null }) => changeText(change) }
        : { title: '', of: ({ queries }) => bar(queries, largest), dropFirst: 1 },
    ],
    fields: (line) => [line.list, line.value, line.label, line.queries, line.change ?? null],
  }
}

/** The lists of the summary: tables with an empty line between them on a terminal, and lines in a pipe. */
export async function summaryText(summary: DnsSummary): Promise<string> {
  const lists = linesOf(summary).filter((lines) => lines.length > 0)
  const tables = await Promise.all(lists.map(async (lines) => listed(lines, listingOf(lines))))
  if (!process.stdout.isTTY) return tables.join('\n')
  return lists
    .map(([line], at) => titled(TITLES[line?.list ?? 'period'], tables[at] ?? ''))
    .join('\n\n')
}

/** Months of DNS queries in the tables of totals, as the worker adds them up. */
import { Client } from 'pg'

/** How the queries of a dimension are divided: shares by value, which add up to 1. */
const SHARES = {
  type: { A: 0.52, AAAA: 0.27, HTTPS: 0.14, TXT: 0.04, MX: 0.02, other: 0.01 },
  rcode: { NOERROR: 0.74, NODATA: 0.19, NXDOMAIN: 0.07 },
  transport: { udp: 0.97, tcp: 0.03 },
  family: { ipv4: 0.68, ipv6: 0.32 },
  country: { AT: 0.41, DE: 0.26, CH: 0.11, US: 0.09, NL: 0.06, GB: 0.04, ZZ: 0.03 },
  network: { 64496: 0.38, 64497: 0.24, 64498: 0.16, 64499: 0.12, 64500: 0.06, 0: 0.04 },
} as const

const ORGANIZATIONS = {
  64496: 'Alpine Telecom AG',
  64497: 'A Public Resolver with a Long Name International Holdings LLC',
  64498: 'Lakeside Broadband',
  64499: 'Forest Cloud Hosting GmbH',
} as const

/** Rows of `(dimension, value, low, high)`: a value has the queries between these shares of the total. */
function sharesSql(): string {
  const rows = Object.entries(SHARES).flatMap(([dimension, shares]) => {
    let low = 0
    return Object.entries(shares).map(([value, share]) => {
      const row = `('${dimension}', '${value}', ${low.toFixed(2)}, ${(low + share).toFixed(2)})`
      low += share
      return row
    })
  })
  return [`('total', '', 0, 1)`, ...rows].join(', ')
}

/** The begin of the hours that also have parts of five minutes. */
const RECENT = `date_bin('1 hour', now(), '2000-01-01Z') - interval '47 hours'`

// More in the evening than at night, more each week, and only what has passed of the present part.
const countsSql = (seconds: number, from: string, to: string) => `
  with parts as (
    select at, extract(epoch from least(at + interval '${seconds} s', now()) - at) / 3600 as hours,
           1 + 0.6 * sin((extract(hour from at) - 12) / 24 * 2 * pi()) as of_day,
           1 - extract(epoch from now() - at) / 86400 / 200 as of_month
    from generate_series(${from}, ${to}, '${seconds} s') as at
  ), totals as (
    select at, d.id, floor(w.text::float8 * hours * of_day * of_month) as queries
    from parts, jsonb_each_text($1) as w(fqdn, text) join domains d using (fqdn)
  )
  select at, id as domain_id, dimension, value, floor(queries * high) - floor(queries * low) as queries
  from totals, (values ${sharesSql()}) as shares(dimension, value, low, high)
  where floor(queries * high) > floor(queries * low)`

const HISTORY = [
  `insert into queries_5m ${countsSql(300, RECENT, 'now()')}`,
  `create temporary table hours as
   ${countsSql(3_600, `${RECENT} - interval '100 days'`, `${RECENT} - interval '1 hour'`)}`,
  `insert into hours select date_bin('1 hour', at, '2000-01-01Z'), domain_id, dimension, value, sum(queries)
   from queries_5m where domain_id in (select domain_id from hours) group by 1, 2, 3, 4`,
  `insert into queries_1h select * from hours where at > now() - interval '35 days'`,
  `insert into queries_1d select date_bin('1 day', at, '2000-01-01Z'), domain_id, dimension, value, sum(queries)
   from hours group by 1, 2, 3, 4`,
]

const ADDRESSES = `
  insert into domain_events (domain_id, user_id, fqdn, kind, actor, happened_at, old_ipv4, new_ipv4)
  select id, user_id, fqdn, 'address', 'session', now() - n * interval '53 hours', '192.0.2.1', inet '198.51.100.1' + n
  from domains, generate_series(1, 3) n where fqdn = $1`

/**
 * Stores 100 days of queries.
 *
 * @param perHour queries of an average hour by domain. The first one also gets changes of its address
 */
export async function storeHistory(
  url: string,
  perHour: Readonly<Record<string, number>>,
): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const weights = JSON.stringify(perHour)
    for (const statement of HISTORY) {
      await client.query(statement, statement.includes('$1') ? [weights] : [])
    }
    await client.query(
      'insert into autonomous_systems select key::bigint, value from jsonb_each_text($1) on conflict do nothing',
      [JSON.stringify(ORGANIZATIONS)],
    )
    await client.query(
      `insert into query_roll_up (counted_until) values (now()) on conflict do nothing`,
    )
    await client.query(ADDRESSES, [Object.keys(perHour)[0]])
  } finally {
    await client.end()
  }
}

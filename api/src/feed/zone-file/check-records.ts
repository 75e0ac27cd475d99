/*
 * Second step of an import: checks that need more than one record.
 *
 * Each rule is one query over the staged records, so a million of them are checked in some seconds.
 * Every rule is essential: a zone that breaks one cannot be served as its file says.
 */
import type { Knex } from 'knex'
import { query } from '../../database/sql.ts'
import type { ProblemList } from './problems.ts'

interface Found {
  readonly line: number
  readonly owner: string
  readonly type: string
  readonly other: string | null
}

interface Rule {
  /** Returns at most `FOUND_LIMIT` rows of `Found`. `?` stands for the zone's id and its name, in this order. */
  readonly sql: string
  readonly message: (found: Found) => string
}

const FOUND_LIMIT = 1_000

/**
 * Whether the dot before `ancestor` ends a label of `name`; after an odd number of backslashes it is part of a label (RFC 1035 §5.1).
 */
const endsLabel = (name: string, ancestor: string) =>
  `length(substring(left(${name}, -length(${ancestor}) - 1) from '\\\\*$')) % 2 = 0`

// '.' and '/' are neighbours in ASCII: every name from "moc.elpmaxe." up to "moc.elpmaxe/" ends with ".example.com".
const isBelow = (name: string, ancestor: string) =>
  `reverse(${name}) ~>=~ (reverse(${ancestor}) || '.') and reverse(${name}) ~<~ (reverse(${ancestor}) || '/')
   and ${endsLabel(name, ancestor)}`

/** The text after each dot of a name; an ancestor where the dot ends a label. */
const PARENTS = `
  cross join lateral (
    select substr(s.owner, sum(length(label) + 1) over (order by n) ::int + 1) as parent
    from string_to_table(s.owner, '.') with ordinality as l(label, n)
  ) as p`

// A locked name that has a domain is refused as a user's domain.
const LOCKED_NAMES = `
  select fqdn from locked_names l where not exists (select from domains d where d.fqdn = l.fqdn)`
const CLEAR_FIRST = 'An administrator must clear the lock first.'

const RULES: readonly Rule[] = [
  {
    // RFC 2181 §5.2
    sql: `
      select min(s.line) as line, s.owner, s.type, first.ttl::text as other
      from (select owner, type, (array_agg(ttl order by line))[1] as ttl
            from staged group by 1, 2 having min(ttl) <> max(ttl)) as first
      join staged s on s.owner = first.owner and s.type = first.type and s.ttl <> first.ttl
      where (?::bigint, ?::text) is not null
      group by s.owner, s.type, first.ttl`,
    message: ({ owner, type, other }) =>
      `The ${type} records of ${owner} have different TTLs; the first one has ${other}.`,
  },
  {
    // RFC 1034 §3.6.2
    sql: `
      select min(s.line) as line, s.owner, s.type, min(c.line)::text as other
      from staged c join staged s on s.owner = c.owner and s.type <> 'CNAME'
      where c.type = 'CNAME' and (?::bigint, ?::text) is not null
      group by s.owner, s.type`,
    message: ({ owner, type, other }) =>
      `${owner} has a CNAME record (line ${other}) and so cannot have ${type} records.`,
  },
  ...['CNAME', 'DNAME'].map((type) => ({
    // RFC 1034 §3.6.2, RFC 6672 §2.4
    sql: `
      select max(line) as line, owner, type, null as other from staged
      where type = '${type}' and (?::bigint, ?::text) is not null
      group by owner, type having count(distinct rdata) > 1`,
    message: ({ owner }: Found) => `${owner} has more than one ${type} record.`,
  })),
  {
    // RFC 6672 §2.4
    sql: `
      select s.line, s.owner, s.type, d.owner as other
      from (select distinct owner from staged where type = 'DNAME') as d
      join staged s on ${isBelow('s.owner', 'd.owner')}
      where (?::bigint, ?::text) is not null`,
    message: ({ owner, other }) => `${owner} is below ${other}, which has a DNAME record.`,
  },
  {
    sql: `
      select min(s.line) as line, s.owner, min(s.type) as type, d.fqdn as other
      from staged s join domains d on d.fqdn = s.owner and d.zone_id = ?
      where ?::text is not null group by s.owner, d.fqdn`,
    message: ({ owner }) => `${owner} is a user's domain.`,
  },
  {
    sql: `
      select min(s.line) as line, s.owner, min(s.type) as type, d.fqdn as other
      from (select zone.id, cardinality(string_to_array(zone.name, '.')) as labels
            from (select ?::bigint as id, ?::text as name) as zone) as zone
      join staged s on cardinality(string_to_array(s.owner, '.')) > zone.labels + 1
      ${PARENTS}
      join domains d on d.fqdn = p.parent and d.zone_id = zone.id and ${endsLabel('s.owner', 'p.parent')}
      group by s.owner, d.fqdn`,
    message: ({ owner, other }) => `${owner} is below ${other}, which is a user's domain.`,
  },
  {
    sql: `
      select min(s.line) as line, s.owner, s.type, min(d.fqdn) as other
      from (select ?::bigint as id, ?::text as name) as zone
      join staged s on s.type = 'DNAME' or (s.type = 'NS' and s.owner <> zone.name)
      join domains d on d.zone_id = zone.id and ${isBelow('d.fqdn', 's.owner')}
      group by s.owner, s.type`,
    message: ({ owner, type, other }) =>
      `The ${type} records of ${owner} would hide ${other}, which is a user's domain.`,
  },
  // A file must not revive a locked name or a name below it. `feed/name-locks.ts` explains locks.
  {
    sql: `
      select min(s.line) as line, s.owner, min(s.type) as type, l.fqdn as other
      from staged s join (${LOCKED_NAMES}) as l on l.fqdn = s.owner
      where (?::bigint, ?::text) is not null group by s.owner, l.fqdn`,
    message: ({ owner }) => `${owner} is a locked name. ${CLEAR_FIRST}`,
  },
  {
    sql: `
      select min(s.line) as line, s.owner, min(s.type) as type, l.fqdn as other
      from (select cardinality(string_to_array(zone.name, '.')) as labels
            from (select ?::bigint as id, ?::text as name) as zone) as zone
      join staged s on cardinality(string_to_array(s.owner, '.')) > zone.labels + 1
      ${PARENTS}
      join (${LOCKED_NAMES}) as l on l.fqdn = p.parent and ${endsLabel('s.owner', 'p.parent')}
      group by s.owner, l.fqdn`,
    message: ({ owner, other }) => `${owner} is below ${other}, a locked name. ${CLEAR_FIRST}`,
  },
  {
    sql: `
      select min(s.line) as line, s.owner, s.type, min(l.fqdn) as other
      from (select ?::bigint as id, ?::text as name) as zone
      join staged s on s.type = 'DNAME' or (s.type = 'NS' and s.owner <> zone.name)
      join (${LOCKED_NAMES}) as l on ${isBelow('l.fqdn', 's.owner')}
      group by s.owner, s.type`,
    message: ({ owner, type, other }) =>
      `The ${type} records of ${owner} would delegate or redirect ${other}, a locked name. ${CLEAR_FIRST}`,
  },
]

/** Adds the errors among the staged records, and between them and users' domains, to `problems`. */
export async function checkRecords(
  knex: Knex,
  zone: { readonly id: string | null; readonly name: string },
  problems: ProblemList,
): Promise<void> {
  for (const { sql, message } of RULES) {
    const limited = `
      select *, count(*) over ()::int as total from (${sql}) as found order by line limit ${FOUND_LIMIT}`
    const rows = await query<Found & { total: number }>(knex, limited, [zone.id ?? '0', zone.name])
    for (const [n, found] of rows.entries()) {
      const untold = n === 0 ? found.total - rows.length : 0
      problems.add({ line: found.line, message: message(found) }, untold)
    }
  }
}

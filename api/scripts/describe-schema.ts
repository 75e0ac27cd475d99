/**
 * The schema as text, one fact on each line, so that a migration's changes show as a diff of
 * `api/schema.manifest.txt`. Names that depend on time (partitions) and objects of libraries
 * (pg-boss's own schema) are left out.
 */
import type { Knex } from 'knex'
import { query } from '../src/database/sql.ts'

interface Section {
  readonly title: string
  readonly sql: string
}

/** The relations of our schema: all tables except the partitions that the worker creates. */
const RELATIONS = `
  relations as (
    select c.oid, c.relname, c.relkind, c.reloptions, c.relacl, c.relpartbound, c.relispartition
    from pg_class c
    where c.relnamespace = 'public'::regnamespace
      and c.relname not like 'schema_migrations%'
      and not (c.relispartition and pg_get_expr(c.relpartbound, c.oid) <> 'DEFAULT')
      and not exists (select from pg_inherits i join pg_class p on p.oid = i.inhparent
                      where i.inhrelid = c.oid and c.relkind in ('i', 'I') )
  )`

const SECTIONS: readonly Section[] = [
  {
    title: 'tables',
    sql: `
      select concat_ws(' ', relname,
               case when relispartition then 'partition ' || pg_get_expr(relpartbound, oid) end,
               case when relkind = 'p' then 'by ' || pg_get_partkeydef(oid) end,
               case when reloptions is not null then 'with ' || array_to_string(reloptions, ', ') end) as line
      from relations where relkind in ('r', 'p')`,
  },
  {
    title: 'types',
    sql: `
      select c.relname || ' (' || string_agg(a.attname || ' ' || format_type(a.atttypid, a.atttypmod), ', ' order by a.attnum) || ')' as line
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'c' group by c.relname`,
  },
  {
    title: 'columns',
    sql: `
      select concat_ws(' ', r.relname || '.' || a.attname, format_type(a.atttypid, a.atttypmod),
               case when a.attnotnull then 'not null' end,
               case a.attidentity when 'a' then 'identity always' when 'd' then 'identity by default' end,
               case when d.oid is not null then
                 case a.attgenerated when 's' then 'stored ' else 'default ' end || pg_get_expr(d.adbin, d.adrelid) end) as line
      from relations r
      join pg_attribute a on a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped
      left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where r.relkind in ('r', 'p', 'v') and not r.relispartition`,
  },
  {
    title: 'constraints',
    sql: `
      select concat_ws(' ', r.relname || '.' || c.conname, pg_get_constraintdef(c.oid)) as line
      from relations r join pg_constraint c on c.conrelid = r.oid and c.contype <> 'n'
      where not r.relispartition`,
  },
  {
    title: 'indexes',
    sql: `
      select pg_get_indexdef(r.oid) as line from relations r where r.relkind in ('i', 'I')`,
  },
  {
    title: 'views',
    sql: `
      select relname || ' as ' || pg_get_viewdef(oid) as line
      from relations where relkind = 'v'`,
  },
  {
    title: 'functions',
    sql: `
      select concat_ws(' ', p.oid::regprocedure, 'returns', pg_get_function_result(p.oid),
               case p.provolatile when 'i' then 'immutable' when 's' then 'stable' else 'volatile' end,
               'set ' || array_to_string(p.proconfig, ' set '),
               coalesce(pg_get_function_sqlbody(p.oid), p.prosrc)) as line
      from pg_proc p where p.pronamespace = 'public'::regnamespace`,
  },
  {
    title: 'triggers',
    sql: `
      select pg_get_triggerdef(t.oid) as line
      from relations r join pg_trigger t on t.tgrelid = r.oid
      where not t.tgisinternal`,
  },
  {
    title: 'grants',
    sql: `
      select concat_ws(' ', r.relname, g.privilege_type, 'to', g.grantee::regrole) as line
      from relations r, aclexplode(r.relacl) as g
      where g.grantee::regrole::text like 'homing\\_%'
      union all
      select concat_ws(' ', 'schema public', g.privilege_type, 'to', g.grantee::regrole)
      from pg_namespace n, aclexplode(n.nspacl) as g
      where n.nspname = 'public' and g.grantee::regrole::text like 'homing\\_%'`,
  },
]

/** PostgreSQL prints long expressions on several lines. */
const onOneLine = (fact: string) => fact.trim().replaceAll(/\s+/g, ' ')

/** The manifest of a migrated database. */
export async function describeSchema(knex: Knex): Promise<string> {
  const parts: string[] = []
  for (const { title, sql } of SECTIONS) {
    const rows = await query<{ line: string }>(
      knex,
      `with ${RELATIONS} select line from (${sql}) as facts order by line collate "C"`,
    )
    parts.push(`# ${title}\n${rows.map(({ line }) => `${onOneLine(line)}\n`).join('')}`)
  }
  return parts.join('\n')
}

/** The lines that only one of two manifests has, as `- committed` and `+ present`. */
export function manifestDrift(committed: string, present: string): string[] {
  const [old, now] = [committed, present].map((text) => text.split('\n'))
  const [inOld, inNow] = [new Set(old), new Set(now)]
  return [
    ...(old ?? []).filter((line) => !inNow.has(line)).map((line) => `- ${line}`),
    ...(now ?? []).filter((line) => !inOld.has(line)).map((line) => `+ ${line}`),
  ]
}

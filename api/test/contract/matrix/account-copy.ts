/**
 * Copies of an account that has one of everything. Creating such an account through the API takes a hundred statements,
 * and the tests of the contract need hundreds of accounts. A copy consists of the rows that the API made for the
 * original, with ids, names and secrets of its own.
 *
 * A copy has no entries in the change feeds and no mails. Tests that read these need an account that the API made.
 */
import assert from 'node:assert/strict'
import type { Knex } from 'knex'
import { query } from '../../../src/database/sql.ts'

/** The rows of an account by table, as JSON. */
type AccountRows = string

/**
 * `rows_of` reads all rows that refer to an account: by its id, by the id of a domain or of a monitor, and by the name of a domain;
 * and the targets that it blocked.
 * `insert_rows` inserts them without triggers, because the rows already contain what triggers would change.
 */
const FUNCTIONS = `
  create schema copies;
  create function copies.rows_of(account bigint) returns jsonb language plpgsql as $$
  declare
    owned record;
    found jsonb;
    contents jsonb := '{}';
  begin
    for owned in
      select c.relname as name,
        case
          when c.relname = 'users' then 'id = $1'
          when c.relname = 'blocked_targets' then 'blocked_by = $1'
          when c.relname = 'zones' then 'owner_id = $1'
          when c.relname = 'zone_serials' then 'zone_id in (select id from zones where owner_id = $1)'
          when c.relname = 'forward_names' then 'name in (select fqdn from domains where user_id = $1)'
          when exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'user_id') then 'user_id = $1'
          when exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'monitor_id')
            then 'monitor_id in (select id from monitors where user_id = $1)'
          else 'domain_id in (select id from domains where user_id = $1)'
        end as condition
      from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and (c.relname in ('users', 'forward_names', 'blocked_targets', 'zones', 'zone_serials') or exists (
          select from pg_attribute a where a.attrelid = c.oid and a.attname in ('user_id', 'domain_id', 'monitor_id')))
    loop
      execute format('select jsonb_agg(to_jsonb(t)) from %I t where %s', owned.name, owned.condition)
        into found using account;
      if found is not null then contents := contents || jsonb_build_object(owned.name, found); end if;
    end loop;
    return contents;
  end $$;
  create function copies.insert_rows(contents jsonb) returns void language plpgsql
    set session_replication_role = 'replica' as $$
  declare
    name text;
    its_rows jsonb;
    columns text;
  begin
    for name, its_rows in select * from jsonb_each(contents) loop
      select string_agg(quote_ident(attname), ', ') into columns from pg_attribute
      where attrelid = name::regclass and attnum > 0 and not attisdropped and attgenerated = '';
      execute format('insert into %1$I (%2$s) overriding system value
                      select %2$s from jsonb_populate_recordset(null::%1$I, $1)', name, columns)
        using its_rows;
    end loop;
  end $$`

/** Ids that `MatrixWorld` lets the sequences give: two digits for the table, and the number of the row. */
const ID = /\b61(\d\d)7300(\d{4})\b/g

/** Replaces the ids of the original by those of its copy `n`: below the ids of the sequences, and different for each. */
const withIdsOf = (n: number, text: string) =>
  text.replaceAll(
    ID,
    (_, table: string, row: string) => `60${table}${String(n).padStart(4, '0')}${row}`,
  )

/** Texts of the original, such as its user name and the digests of its secrets, and what a copy has in their place. */
export type Replacements = readonly (readonly [original: string, copy: string])[]

/** A text or JSON of the original as copy `n` has it. */
export function copied(text: string, n: number, replacements: Replacements): string {
  const renamed = replacements.reduce((all, [from, to]) => all.replaceAll(from, to), text)
  return withIdsOf(n, renamed)
}

/** Prepares a database for copies. Once for each database. */
export async function allowCopies(knex: Knex): Promise<void> {
  await query(knex, FUNCTIONS)
}

export async function rowsOf(knex: Knex, userId: string): Promise<AccountRows> {
  const sql = 'select copies.rows_of(?)::text as contents'
  const [row] = await query<{ contents: string }>(knex, sql, [userId])
  assert(row)
  return row.contents
}

export async function insertRows(knex: Knex, contents: AccountRows): Promise<void> {
  await query(knex, 'select copies.insert_rows(?::jsonb)', [contents])
}

/** The domains of an account as a file, read and written in pages. */
import { type ExportedDomain, csvLine } from '@homing/openapi'
import type { Knex } from 'knex'
import { type Reach, scopeHolds } from '../../../rules/key-scope.ts'
import { Domain, type OwnedDomain } from '../../../models/domain.ts'
import { COLUMN_NAMES, exportedRow } from './export-columns.ts'

const PAGE = 500

/** The domains without wildcards, in the order of their registration. */
async function* pages(knex: Knex, { userId, scope }: Reach): AsyncGenerator<OwnedDomain[]> {
  let last = '0'
  for (;;) {
    const page = await Domain.query(knex)
      .modify('shown')
      .modify('ownedBy', userId)
      .modify('bases')
      .where('domains.id', '>', last)
      .orderBy('domains.id')
      .limit(PAGE)
      .toKnexQuery<OwnedDomain>()
    yield page.filter(({ fqdn }) => scope === undefined || scopeHolds(scope, fqdn))
    if (page.length < PAGE) return
    last = page.at(-1)?.id ?? last
  }
}

const csvRow = (row: ExportedDomain) =>
  csvLine(Object.values<string | number | boolean | null>(row).map((cell) => String(cell ?? '')))

/** The text of the CSV file (RFC 4180). */
export async function* csvOf(knex: Knex, reach: Reach): AsyncGenerator<string> {
  yield csvLine(COLUMN_NAMES)
  for await (const page of pages(knex, reach)) {
    yield page.map((domain) => csvRow(exportedRow(domain))).join('')
  }
}

/** The text of the JSON file: an array of rows. */
export async function* jsonOf(knex: Knex, reach: Reach): AsyncGenerator<string> {
  let separator = '['
  for await (const page of pages(knex, reach)) {
    for (const domain of page) {
      yield `${separator}\n${JSON.stringify(exportedRow(domain))}`
      separator = ','
    }
  }
  yield separator === '[' ? '[]\n' : '\n]\n'
}

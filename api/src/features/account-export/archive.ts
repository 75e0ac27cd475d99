/**
 * Writes the archive of an account as a stream that is generated while it is read. At any time one batch of
 * rows is in memory, and no connection is held while the reader is slow: each batch is a statement of its
 * own. In one long transaction, the database would end the session after five seconds of silence, and old
 * rows of busy tables could not be cleaned up. So the parts are read some seconds apart; each batch continues
 * after the last row that was written, so no row appears twice.
 */
import type { Knex } from 'knex'
import { readPlan } from '../../models/plan.ts'
import type { Row } from '../../models/table.ts'
import { User } from '../../models/user.ts'
import { query } from '../../database/sql.ts'
import type { Services } from '../../compose.ts'
import type { Part } from './archive-part.ts'
import { DOMAIN_IDS, LISTS_BEFORE, LISTS_BEHIND, SECOND_FACTORS } from './archive-parts.ts'

/** Increased when a field is removed or changes its meaning. */
const VERSION = 1
/** Rows per batch: some hundred KiB. */
const BATCH_ROWS = 500

const HEAD = [
  'id',
  'username',
  'email',
  'email_verified_at',
  'given_name',
  'surname',
  'account_type',
  'enabled',
  'created_at',
  'account_create_cc',
  'last_login',
  'last_login_ip',
  'last_login_cc',
  'deletion_due_at',
  'notify_address_changed',
  'notify_not_updated_days',
  'notify_key_expiring',
  'terms_version',
  'terms_accepted_at',
  'password_changed_at',
  'email_changed_at',
  'monitoring_paused_at',
  'monitoring_pause_reason',
  'has_second_factor',
] as const

type ExportedRow = Readonly<Record<string, unknown>> & { readonly cursor: string }

/** The rows of a part for one account or one domain, in batches. */
async function* batchesOf(
  knex: Knex,
  { sql }: Part<string>,
  ownerId: string,
): AsyncGenerator<ExportedRow[]> {
  let cursor = '0'
  for (;;) {
    const rows = await query<ExportedRow>(knex, sql, [ownerId, cursor, BATCH_ROWS])
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows
    if (rows.length < BATCH_ROWS) return
    cursor = last.cursor
  }
}

/** The ids of the account's domains, including deleted ones. */
async function domainIds(knex: Knex, userId: string): Promise<string[]> {
  const rows = await query<{ id: string }>(knex, DOMAIN_IDS, [userId, userId])
  return rows.map(({ id }) => id)
}

/** A list, as pieces of JSON. */
async function* listOf(knex: Knex, part: Part<string>, userId: string): AsyncGenerator<string> {
  yield `${JSON.stringify(part.field)}:[`
  let isFirst = true
  const owners = part.byDomain === true ? await domainIds(knex, userId) : [userId]
  for (const owner of owners) {
    for await (const rows of batchesOf(knex, part, owner)) {
      const items = rows.map(({ cursor: _cursor, ...item }) => JSON.stringify(item))
      yield `${isFirst ? '' : ','}\n${items.join(',\n')}`
      isFirst = false
    }
  }
  yield ']'
}

async function* listsOf(
  knex: Knex,
  parts: readonly Part<string>[],
  userId: string,
): AsyncGenerator<string> {
  for (const [n, part] of parts.entries()) {
    if (n > 0) yield ',\n'
    yield* listOf(knex, part, userId)
  }
}

/** The fields of an object, without the braces around them. */
const fieldsOf = (object: object) => JSON.stringify(object).slice(1, -1)

/**
 * The archive of an account, as a stream. The head is read before the first piece is returned, so that an
 * unavailable database gives an error response and not a truncated file.
 */
export async function accountArchive(
  { knex, now, config }: Pick<Services, 'knex' | 'now' | 'config'>,
  userId: string,
): Promise<AsyncGenerator<string>> {
  const [head] = await User.query(knex)
    .select(HEAD)
    .where('id', userId)
    .toKnexQuery<Pick<Row<typeof User>, (typeof HEAD)[number]>>()
  if (head === undefined) throw new Error('the account of a session exists')
  const { has_second_factor: isOn, ...account } = head
  const begin = {
    version: VERSION,
    exported_at: now().toISOString(),
    service: { name: config.productName, url: config.publicUrl.origin },
    account,
    plan: await readPlan(knex, head.account_type),
  }
  return pieces()

  async function* pieces(): AsyncGenerator<string> {
    yield `{${fieldsOf(begin)},\n`
    yield* listsOf(knex, LISTS_BEFORE, userId)
    yield `,\n"second_factors":{${fieldsOf({ is_on: isOn })},`
    yield* listsOf(knex, SECOND_FACTORS, userId)
    yield '},\n'
    yield* listsOf(knex, LISTS_BEHIND, userId)
    yield `,\n${fieldsOf({ is_complete: true })}}\n`
  }
}

/** The administrators' list of records, of all accounts. */
import type { ADMIN_RECORD_SORT, AdminRecord } from '@homing/openapi'
import type { Knex } from 'knex'
import { type ColumnName, type ListForm, oneOf, readList } from '../../models/list.ts'
import { recordBody, type ShownRecord, shownRecords, type ZoneRecord } from '../../models/record.ts'
import { type ListQuery, parseListQuery } from '../../plugins/list-query.ts'
import { RECORD_FILTERS } from './list-records.ts'

type SortField = (typeof ADMIN_RECORD_SORT)[number]
type SortColumn = ColumnName<typeof ZoneRecord>

const LIST = {
  sort: {
    id: 'records.id',
    owner: 'records.owner',
    type: 'records.type',
    ttl: 'records.ttl',
    created_at: 'records.created_at',
  } satisfies Record<SortField, SortColumn>,
  filter: { ...RECORD_FILTERS, user_id: oneOf('records.user_id') },
  keys: ['records.id'],
  pageSize: 25,
  pageLimit: 100,
} as const satisfies ListForm<SortColumn>

type AdminRecordRow = ShownRecord & { readonly user_id: string; readonly username: string }

export interface AdminRecordPage {
  readonly records: AdminRecord[]
  readonly offset: number
  readonly total: number
}

/**
 * One page of the records of all accounts.
 *
 * @throws Refusal `validation-failed` for a query that cannot be read
 */
export async function listAllRecords(knex: Knex, asked: ListQuery): Promise<AdminRecordPage> {
  const request = parseListQuery(asked, LIST)
  // Records of the service and of imported zones have no account.
  const list = shownRecords(knex).innerJoinRelated('account').select('account.username')
  const { rows, total } = await readList<AdminRecordRow>(list, LIST, request)
  const records = rows.map((row) => {
    const { user_id, username, fqdn } = row
    return { ...recordBody(row), user_id, username, fqdn }
  })
  return { records, offset: request.offset, total }
}

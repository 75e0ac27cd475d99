/** The administrators' list of accounts. */
import type { ADMIN_USER_SORT, ADMIN_USER_STATUS, AdminUser } from '@homing/openapi'
import type { Knex } from 'knex'
import { type AnyQueryBuilder, type Raw, raw } from 'objection'
import { Refusal } from '../../rules/errors.ts'
import {
  byWord,
  type ColumnName,
  containing,
  filterBy,
  isTrue,
  type ListForm,
  oneOf,
  readList,
  sameText,
} from '../../models/list.ts'
import { columnsOf, type Row } from '../../models/table.ts'
import { User } from '../../models/user.ts'
import { type ListQuery, parseListQuery } from '../../plugins/list-query.ts'
import { userVersion, type VersionedUser } from './user-version.ts'

type SortField = (typeof ADMIN_USER_SORT)[number]
type Status = (typeof ADMIN_USER_STATUS)[number]
type UserColumn = ColumnName<typeof User>

const SEARCHED = ['username', 'email', 'given_name', 'surname'] as const

function matching(list: AnyQueryBuilder, text: string): void {
  const part = containing(text)
  list.where((either) => {
    for (const column of columnsOf(User, SEARCHED)) either.orWhere(column, 'ilike', part)
  })
}

/** The condition of each status, as the back office derives it from an account. */
const STATUS: Readonly<Record<Status, (list: AnyQueryBuilder) => void>> = {
  active: (list) => void list.modify('notBlocked'),
  suspended: (list) => void list.where('users.enabled', false),
  disabled: (list) =>
    void list.where('users.enabled', true).where('users.account_type', 'disabled'),
}

const LIST = {
  sort: {
    id: 'users.id',
    username: raw('lower(users.username)'),
    email: raw('lower(users.email)'),
    given_name: 'users.given_name',
    surname: 'users.surname',
    account_type: 'users.account_type',
    plan: 'users.account_type',
    enabled: 'users.enabled',
    domain_count: raw('domain_count'),
    created_at: 'users.created_at',
    last_login: 'users.last_login',
  } satisfies Record<SortField, UserColumn | Raw>,
  filter: {
    q: filterBy('text', matching),
    id: oneOf('users.id'),
    account_type: sameText('users.account_type'),
    enabled: isTrue('users.enabled'),
    status: byWord('status', STATUS),
  },
  keys: ['users.id'],
  pageSize: 25,
  pageLimit: 100,
} as const satisfies ListForm<UserColumn>

const SHOWN = [
  'id',
  'username',
  'email',
  'email_verified_at',
  'given_name',
  'surname',
  'account_type',
  'enabled',
  'has_second_factor',
  'created_at',
  'last_login',
  'last_login_ip',
  'last_login_cc',
  'account_create_cc',
  'monitoring_paused_at',
  'monitoring_pause_reason',
] as const

/** An account, with the columns that administrators see. */
export type UserRow = Pick<Row<typeof User>, (typeof SHOWN)[number]> &
  VersionedUser & {
    /** Without wildcards. */
    readonly domain_count: number
  }

const shownUsers = (knex: Knex) =>
  User.query(knex)
    .select(columnsOf(User, SHOWN))
    .modify('withDomainCount')
    .modify('withComplimentaryPlan')

/** Administrators see every account, so one that they do not see does not exist. */
export const noSuchAccount = () =>
  new Refusal('not-found', 'An account with this id does not exist.')

/** One account as administrators see it; undefined when it does not exist. */
export async function findUser(knex: Knex, userId: string): Promise<UserRow | undefined> {
  const [row] = await shownUsers(knex).where('users.id', userId).toKnexQuery<UserRow>()
  return row
}

/**
 * One account as administrators see it.
 *
 * @throws Refusal `not-found`
 */
export async function getUser(knex: Knex, userId: string): Promise<UserRow> {
  const user = await findUser(knex, userId)
  if (user) return user
  throw noSuchAccount()
}

export interface UserPage {
  readonly users: readonly UserRow[]
  readonly offset: number
  readonly total: number
}

/**
 * One page of accounts.
 *
 * @throws Refusal `validation-failed` for a query that cannot be read
 */
export async function listUsers(knex: Knex, query: ListQuery): Promise<UserPage> {
  const request = parseListQuery(query, LIST)
  const { rows, total } = await readList<UserRow>(shownUsers(knex), LIST, request)
  return { users: rows, offset: request.offset, total }
}

/** An account as JSON. */
export function adminUserBody(row: UserRow): AdminUser {
  return {
    id: row.id,
    username: row.username,
    email: row.email,
    email_verified: row.email_verified_at !== null,
    given_name: row.given_name,
    surname: row.surname,
    plan: row.account_type,
    account_type: row.account_type,
    enabled: row.enabled,
    domain_count: row.domain_count,
    // Clients check only whether a value is present; the secret never leaves the database.
    twofa_secret: row.has_second_factor ? 'set' : null,
    created_at: row.created_at.toISOString(),
    last_login: row.last_login?.toISOString() ?? null,
    last_login_ip: row.last_login_ip,
    last_login_cc: row.last_login_cc,
    account_create_cc: row.account_create_cc,
    monitoring_paused_at: row.monitoring_paused_at?.toISOString() ?? null,
    monitoring_pause_reason: row.monitoring_pause_reason,
    version: userVersion(row),
  }
}

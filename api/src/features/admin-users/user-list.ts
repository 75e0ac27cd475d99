/** The administrators' list of accounts. */
import { ADMIN_USER_SORT, type AdminUser } from '@homing/openapi'
import type { Knex } from 'knex'
import { Refusal } from '../../domain/errors.ts'
import {
  containing,
  type ListQuery,
  type ListRequest,
  parseListQuery,
} from '../../plugins/list-query.ts'
import { type Condition, select, selectPage, type Source } from '../../sql.ts'

const ACCOUNT_TYPE = 'u.account_type'

type SortField = (typeof ADMIN_USER_SORT)[number]

/** What a field is sorted by. */
const COLUMNS = {
  id: 'u.id',
  username: 'lower(u.username)',
  email: 'lower(u.email)',
  given_name: 'u.given_name',
  surname: 'u.surname',
  account_type: ACCOUNT_TYPE,
  plan: ACCOUNT_TYPE,
  enabled: 'u.enabled',
  domain_count: 'domain_count',
  created_at: 'u.created_at',
  last_login: 'u.last_login',
} as const satisfies Record<SortField, string>

const RULES = {
  sort: ADMIN_USER_SORT,
  filter: { q: 'text', id: 'ids', account_type: 'text', enabled: 'boolean' },
  pageSize: 25,
  pageLimit: 100,
} as const

export interface UserRow {
  readonly id: string
  readonly username: string
  readonly email: string
  readonly email_verified_at: Date | null
  readonly given_name: string | null
  readonly surname: string | null
  readonly account_type: AdminUser['account_type']
  readonly enabled: boolean
  readonly has_second_factor: boolean
  readonly domain_count: number
  readonly created_at: Date
  readonly last_login: Date | null
  readonly last_login_ip: string | null
  readonly last_login_cc: string | null
  readonly account_create_cc: string | null
}

/** Accounts with what administrators see of them; conditions name the table `u` (users). */
const USERS: Source = {
  columns: `
    u.id, u.username, u.email, u.email_verified_at, u.given_name, u.surname, u.account_type, u.enabled, u.has_second_factor,
    (select count(*)::int from domains d where d.user_id = u.id and not d.is_wildcard) as domain_count,
    u.created_at, u.last_login, host(u.last_login_ip) as last_login_ip, u.last_login_cc, u.account_create_cc`,
  from: 'users u',
}

/** Administrators see every account, so one that they do not see does not exist. */
export const noSuchAccount = () => new Refusal('not-found', 'There is no account with this id.')

/** One account as administrators see it. */
export async function findUser(knex: Knex, userId: string): Promise<UserRow | undefined> {
  const [row] = await select<UserRow>(knex, USERS, [['u.id = ?', userId]])
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

type Filter = ListRequest<typeof RULES.filter, SortField>['filter']

function conditionsOf(filter: Filter): Condition[] {
  const conditions: Condition[] = []
  if (filter.q !== undefined) {
    const part = containing(filter.q)
    const matches =
      'u.username ilike ? or u.email ilike ? or u.given_name ilike ? or u.surname ilike ?'
    conditions.push([matches, part, part, part, part])
  }
  if (filter.id !== undefined) conditions.push(['u.id = any (?::bigint[])', filter.id])
  if (filter.account_type !== undefined)
    conditions.push(['u.account_type = ?', filter.account_type])
  if (filter.enabled !== undefined) conditions.push(['u.enabled = ?', filter.enabled])
  return conditions
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
  const { sort, offset, limit, filter } = parseListQuery(query, RULES)
  const orderBy = `${COLUMNS[sort.field]} ${sort.order} nulls last, u.id`
  const page = { orderBy, offset, limit }
  const { rows, total } = await selectPage<UserRow>(knex, USERS, conditionsOf(filter), page)
  return { users: rows, offset, total }
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
    // Its presence is what clients look for; the secret never leaves the database.
    twofa_secret: row.has_second_factor ? 'set' : null,
    created_at: row.created_at.toISOString(),
    last_login: row.last_login?.toISOString() ?? null,
    last_login_ip: row.last_login_ip,
    last_login_cc: row.last_login_cc,
    account_create_cc: row.account_create_cc,
  }
}

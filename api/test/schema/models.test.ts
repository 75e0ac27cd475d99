/** The models match the database: each column with its type, each reference, and every table that features use. */
import type { Knex } from 'knex'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ApiKey } from '../../src/models/api-key.ts'
import { DeletedDomain } from '../../src/models/deleted-domain.ts'
import { Domain } from '../../src/models/domain.ts'
import { ExchangedToken } from '../../src/models/exchanged-token.ts'
import { FormerDomain } from '../../src/models/former-domain.ts'
import { IdempotencyKey } from '../../src/models/idempotency-key.ts'
import { KnownNetwork } from '../../src/models/known-network.ts'
import { BlockedTarget } from '../../src/models/blocked-target.ts'
import { LockedName } from '../../src/models/locked-name.ts'
import { LoginHistoryEntry } from '../../src/models/login-history-entry.ts'
import { LoginToken } from '../../src/models/login-token.ts'
import { MailLink } from '../../src/models/mail-link.ts'
import { MaintenanceWindow } from '../../src/models/maintenance-window.ts'
import { MonitorInterval } from '../../src/models/monitor-interval.ts'
import { Monitor } from '../../src/models/monitor.ts'
import { NameReservation } from '../../src/models/name-reservation.ts'
import { NoticeDismissal } from '../../src/models/notice-dismissal.ts'
import { PasskeyChallenge } from '../../src/models/passkey-challenge.ts'
import { Passkey } from '../../src/models/passkey.ts'
import { LedgerEntry } from '../../src/models/ledger-entry.ts'
import { PaymentEvent } from '../../src/models/payment-event.ts'
import { PlanGrant } from '../../src/models/plan-grant.ts'
import { Subscription } from '../../src/models/subscription.ts'
import { Plan } from '../../src/models/plan.ts'
import { RecoveryCode } from '../../src/models/recovery-code.ts'
import { Session } from '../../src/models/session.ts'
import type { Table } from '../../src/models/table.ts'
import { TaxRate } from '../../src/models/tax-rate.ts'
import { TotpSecret } from '../../src/models/totp-secret.ts'
import { TrustPolicy } from '../../src/models/trust-policy.ts'
import { UpdateCall } from '../../src/models/update-call.ts'
import { UpdateToken } from '../../src/models/update-token.ts'
import { UsedCaptcha } from '../../src/models/used-captcha.ts'
import { User } from '../../src/models/user.ts'
import { ZoneRecord } from '../../src/models/record.ts'
import { WebForward } from '../../src/models/web-forward.ts'
import { ZoneClaim } from '../../src/models/zone-claim.ts'
import { ZoneQueries } from '../../src/models/zone-queries.ts'
import { Zone } from '../../src/models/zone.ts'
import { query } from '../../src/database/sql.ts'
import { type FeedWorld, openFeedWorld } from '../support/feed-world.ts'

const MODELS: readonly (typeof Table)[] = [
  ApiKey,
  DeletedDomain,
  Domain,
  ExchangedToken,
  FormerDomain,
  IdempotencyKey,
  KnownNetwork,
  BlockedTarget,
  LockedName,
  LoginHistoryEntry,
  LoginToken,
  MailLink,
  MaintenanceWindow,
  Monitor,
  MonitorInterval,
  NameReservation,
  NoticeDismissal,
  PasskeyChallenge,
  Passkey,
  Plan,
  LedgerEntry,
  PaymentEvent,
  PlanGrant,
  Subscription,
  RecoveryCode,
  Session,
  TaxRate,
  TotpSecret,
  TrustPolicy,
  UpdateCall,
  UpdateToken,
  UsedCaptcha,
  User,
  WebForward,
  Zone,
  ZoneClaim,
  ZoneQueries,
  ZoneRecord,
]

/** Tables without a model, and the code that reads and writes them. */
const WITHOUT_MODEL: Readonly<Record<string, string>> = {
  account_billing: 'payments, by the statements that issue invoices',
  autonomous_systems: 'roll-ups of queries, by statements for many rows',
  billing_parties: 'payments, by the statements that issue invoices',
  checkouts: 'payments: read and written with subscriptions',
  domain_events: 'the feed, by the statements that change names; erased and exported as a history',
  domain_notices: 'the jobs that mail notices, by statements for all domains of an account',
  forward_addresses: 'the provisioning of FORWARD_ADDRESSES, and the view `dns_record`',
  forward_changes: 'the forward feed',
  forward_graces: 'the forward feed',
  forward_hit_batches: 'the function `add_forward_hits`, which forwarders call',
  forward_hits: 'the function `add_forward_hits`, and the sums that owners and administrators see',
  forward_names: 'the forward feed',
  forward_serial: 'the forward feed',
  invoice_accounts: 'payments, by the statements that issue invoices',
  invoice_numbers: 'the row of a year, locked for its next number',
  invoices: 'payments, by the statements that issue them',
  monitor_counts: 'results of checks, by statements for many monitors',
  monitor_days: 'the counts of past days',
  monitor_destinations: 'the limit of checks for an address',
  monitor_notifications: 'results of checks, and the job that sends what is due',
  monitor_results: 'results of checks',
  monitor_schedule: 'claims of due checks and their results, by statements for many monitors',
  monitor_workers: 'the workers that check',
  monitoring: 'the pause of all monitors, one row',
  payment_duties: 'claims of what is due at a payment provider',
  plan_prices: 'prices that are sold, read with subscriptions and checkouts',
  provider_prices: 'prices at payment providers, read with plan_prices',
  query_count_batches: 'dnsd',
  query_counts: 'dnsd and roll-ups of queries',
  query_facets: 'dnsd and roll-ups of queries',
  query_roll_up: 'roll-ups of queries, one row',
  queries_5m: 'roll-ups of queries, and the sums of DNS analytics',
  queries_1h: 'roll-ups of queries, and the sums of DNS analytics',
  queries_1d: 'roll-ups of queries, and the sums of DNS analytics',
  live_queries: 'dnsd, live streams and the expiry of live queries',
  live_watches: 'dnsd, through live_watch, live streams and the expiry of live queries',
  rate_limits: 'rate-limiter-flexible',
  update_call_rings: 'the log of update calls, which writes many rows at once',
  used_refunds: 'digests of the money-back guarantee',
  zone_changes: 'the feed',
  zone_events: 'the statements that change records; exported as a history',
  zone_serials: 'the feed',
}

interface DatabaseColumn {
  readonly table: string
  readonly name: string
  readonly type: string
  readonly isNullable: boolean
}

/** Columns of all tables except partitions and those of other libraries. */
const COLUMNS = `
  select c.relname as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
         not a.attnotnull as "isNullable"
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and c.relname not like 'schema_migrations%'`

const REFERENCES = `
  select c.conrelid::regclass || '.' || f.attname as one, c.confrelid::regclass || '.' || t.attname as other
  from pg_constraint c
  join pg_attribute f on f.attrelid = c.conrelid and f.attnum = c.conkey[1]
  join pg_attribute t on t.attrelid = c.confrelid and t.attnum = c.confkey[1]
  where c.contype = 'f'`

let world: FeedWorld
let knex: Knex
let columns: readonly DatabaseColumn[]

beforeAll(async () => {
  world = await openFeedWorld()
  ;({ knex } = world)
  columns = await query<DatabaseColumn>(knex, COLUMNS)
})
afterAll(() => world.end())

const asText = ({ name, type, isNullable }: Omit<DatabaseColumn, 'table'>) =>
  `${name} ${type}${isNullable ? '' : ' not null'}`

test.each(MODELS.map((model) => [model.tableName, model] as const))(
  'the model of %s has its columns, with their types',
  (tableName, model) => {
    const stated = Object.entries(model.columns).map(([name, column]) =>
      asText({ name, ...column }),
    )
    const present = columns.filter(({ table }) => table === tableName).map(asText)
    expect(stated.toSorted()).toEqual(present.toSorted())
  },
)

test('each relation follows a foreign key, in either direction', async () => {
  const rows = await query<{ one: string; other: string }>(knex, REFERENCES)
  const references = new Set(
    rows.flatMap(({ one, other }) => [`${one} ${other}`, `${other} ${one}`]),
  )
  const stated = MODELS.flatMap((model) =>
    Object.values(model.getRelations()).map(({ ownerProp, relatedProp, relatedModelClass }) => {
      const related = `${relatedModelClass.tableName}.${relatedProp.cols[0]}`
      return `${model.tableName}.${ownerProp.cols[0]} ${related}`
    }),
  )
  expect(stated.length).toBeGreaterThan(0)
  expect(stated.filter((reference) => !references.has(reference))).toEqual([])
})

test('a table has a model, or is listed with the code that uses it', () => {
  const known = [...MODELS.map(({ tableName }) => tableName), ...Object.keys(WITHOUT_MODEL)]
  expect(known.toSorted()).toEqual([...new Set(columns.map(({ table }) => table))].toSorted())
})

test('a query without a connection fails and says so', async () => {
  // @ts-expect-error Each query is given its executor.
  await expect(User.query().findById('1')).rejects.toThrow(/no database connection/)
})

test('errors of the database are those of pg', async () => {
  const failed = User.query(knex).insert({ username: 'x' })
  await expect(failed).rejects.toMatchObject({ code: '23502', column: 'email' })
})

/** A mock of the API's plans, domains and other rows, in memory. */
import type { components } from '@homing/openapi/client'
import { exampleOf, listed, mock, ok, problem } from './mock.ts'

type Schemas = components['schemas']
type User = Schemas['AdminUser']
type Plan = Schemas['AdminPlan']
type Domain = Schemas['AdminDomain']
type BlockedTarget = Schemas['BlockedTarget']
type TaxRate = Schemas['TaxRate']
type LockedName = Schemas['LockedName']
type WebForward = Schemas['AdminWebForward']
type Monitor = Schemas['AdminMonitor']
type OwnZone = Schemas['AdminOwnZone']
type DnsRecord = Schemas['AdminRecord']
type MonitoringStatus = Schemas['MonitoringStatus']
type Subscription = Schemas['AdminSubscription']

const NOW = '2026-05-12T08:30:00.000Z'

/** An account: the contract's example, with changes. */
export const user = (changes: Partial<User> = {}): User => ({ ...exampleOf('getUser'), ...changes })

/** A plan: the contract's example, with changes. */
export const plan = (changes: Partial<Plan> = {}): Plan => ({ ...exampleOf('getPlan'), ...changes })

/** A domain that DNS serves. */
export const domain = (changes: Partial<Domain> = {}): Domain => ({
  ...exampleOf('getAnyDomain'),
  is_active: true,
  withheld_by: [],
  ...changes,
})

/** The lock of a name that has a domain. */
export const lockedName = (changes: Partial<LockedName> = {}): LockedName => {
  const [shown] = exampleOf('listLockedNames')
  if (shown === undefined) throw new Error('the contract has no example of a locked name')
  return { ...shown, ...changes }
}

/** A blocked target: the contract's example, with changes. */
export const blockedTarget = (changes: Partial<BlockedTarget> = {}): BlockedTarget => ({
  ...exampleOf('createBlockedTarget'),
  ...changes,
})

/** A web forward that is in force. */
export const webForward = (changes: Partial<WebForward> = {}): WebForward => ({
  ...exampleOf('moderateWebForward'),
  is_disabled: false,
  disabled_reason: null,
  disabled_at: null,
  disabled_by: null,
  blocked_target_id: null,
  ...changes,
})

/** A record: the contract's example, with changes. */
export const record = (changes: Partial<DnsRecord> = {}): DnsRecord => {
  const [shown] = exampleOf('listAllRecords')
  if (shown === undefined) throw new Error('the contract has no example of a record')
  return { ...shown, ...changes }
}

/** A monitor: the contract's example, with changes. */
export const monitor = (changes: Partial<Monitor> = {}): Monitor => {
  const [shown] = exampleOf('listAllMonitors')
  if (shown === undefined) throw new Error('the contract has no example of a monitor')
  return { ...shown, ...changes }
}

/** An own zone: the contract's example, with changes. */
export const adminZone = (changes: Partial<OwnZone> = {}): OwnZone => {
  const [shown] = exampleOf('listAllOwnZones')
  if (shown === undefined) throw new Error('the contract has no example of an own zone')
  return { ...shown, ...changes }
}

/** The administrator who uses the back office. */
export const ROOT = user({
  id: '1',
  username: 'root',
  email: 'root@example.net',
  account_type: 'admin',
  plan: 'admin',
})

/** Mocks the session of an administrator. */
export function serveAdministrator(): void {
  mock.caller = 'administrator'
  mock.handle({
    getMe: () =>
      ok({
        ...exampleOf('getMe'),
        id: ROOT.id,
        username: ROOT.username,
        account_type: 'admin',
        plan: 'admin',
      }),
  })
}

/** Changes the row with this id. @returns the changed row; undefined if there is no such row */
export function change<R extends { readonly id: string }>(
  rows: R[],
  id: string,
  changes: Partial<R>,
): R | undefined {
  const at = rows.findIndex((row) => row.id === id)
  const row = rows[at]
  if (row === undefined) return undefined
  const changed = { ...row, ...changes }
  rows[at] = changed
  return changed
}

/** The response with a row, or that it does not exist. */
export const found = <R>(row: R | undefined) => (row === undefined ? problem('not-found') : ok(row))

/** Mocks the calls for these plans. @returns the plans in memory, which calls change */
export function servePlans(...rows: readonly Plan[]): Plan[] {
  const kept = [...rows]
  const of = (id: string) => kept.find((row) => row.id === id) ?? plan()
  mock.handle({
    listPlans: () => ok(kept, { 'content-range': `items 0-${kept.length - 1}/${kept.length}` }),
    getPlan: ({ params }) => ok(of(params.id)),
    updatePlan({ params, body, headers }) {
      const before = of(params.id)
      if (headers.get('if-match') !== `"${before.version}"`) return problem('version-mismatch')
      const changes = { ...body, version: before.version + 1 }
      return ok(change(kept, params.id, changes) ?? before)
    },
  })
  return kept
}

/** Mocks the calls for these domains. @returns the domains in memory, which calls change */
export function serveDomains(...rows: readonly Domain[]): Domain[] {
  const kept = [...rows]
  const withhold = (id: string, withheld_by: Domain['withheld_by']) =>
    found(change(kept, id, { withheld_by, is_active: withheld_by.length === 0 }))
  mock.handle({
    listAllDomains({ query }) {
      const { status, ...filter } = JSON.parse(query.filter ?? '{}') as { status?: string }
      const isWanted = ({ withheld_by }: Domain) =>
        status === undefined ||
        (status === 'active' ? withheld_by.length === 0 : withheld_by.includes(status as 'locked'))
      return listed(kept.filter(isWanted), { ...query, filter: JSON.stringify(filter) })
    },
    getAnyDomain: ({ params }) => found(kept.find(({ id }) => id === params.id)),
    lockDomain: ({ params }) => withhold(params.id, ['locked']),
    unlockDomain: ({ params }) => withhold(params.id, []),
  })
  return kept
}

/** Mocks the calls for these locks. @returns the locks in memory, which calls change */
export function serveLockedNames(...rows: readonly LockedName[]): LockedName[] {
  const kept = [...rows]
  mock.handle({
    listLockedNames({ query }) {
      const { has_domain, ...filter } = JSON.parse(query.filter ?? '{}') as { has_domain?: boolean }
      const isWanted = ({ domain_id }: LockedName) =>
        has_domain === undefined || (domain_id !== null) === has_domain
      return listed(kept.filter(isWanted), { ...query, filter: JSON.stringify(filter) })
    },
    deleteLockedName({ params }) {
      const at = kept.findIndex(({ id }) => id === params.id)
      if (at < 0) return problem('not-found')
      kept.splice(at, 1)
      return ok()
    },
  })
  return kept
}

/** Mocks the calls for these blocked targets. @returns the targets in memory, which calls change */
export function serveBlockedTargets(...rows: readonly BlockedTarget[]): BlockedTarget[] {
  const kept = [...rows]
  mock.handle({
    listBlockedTargets: ({ query }) => listed(kept, query),
    createBlockedTarget({ body: { target, scope, reason } }) {
      const { hostname, pathname } = new URL(target)
      const path = scope === 'path' ? pathname : ''
      const made = blockedTarget({ id: `${kept.length + 1}`, host: hostname, path, scope, reason })
      kept.push(made)
      return ok(made)
    },
    deleteBlockedTarget({ params }) {
      const at = kept.findIndex(({ id }) => id === params.id)
      if (at < 0) return problem('not-found')
      kept.splice(at, 1)
      return ok()
    },
  })
  return kept
}

/** Mocks the calls for these tax rates. @returns the rates in memory, which calls change */
export function serveTaxRates(...rows: readonly TaxRate[]): TaxRate[] {
  const kept = [...rows]
  const drop = (country: string) => {
    const at = kept.findIndex(({ id }) => id === country)
    return at >= 0 && kept.splice(at, 1).length > 0
  }
  mock.handle({
    listTaxRates: ({ query }) => listed(kept, query),
    setTaxRate({ params: { country }, body }) {
      drop(country)
      const rate = { id: country, country, ...body }
      kept.push(rate)
      return ok(rate)
    },
    deleteTaxRate: ({ params: { country } }) => (drop(country) ? ok() : problem('not-found')),
  })
  return kept
}

/** Mocks the list of records. */
export const serveRecords = (...rows: readonly DnsRecord[]): void =>
  mock.handle({ listAllRecords: ({ query }) => listed(rows, query) })

/** Mocks the calls for these web forwards. @returns the forwards in memory, which calls change */
export function serveWebForwards(...rows: readonly WebForward[]): WebForward[] {
  const kept = [...rows]
  mock.handle({
    listAllWebForwards({ query }) {
      const { status, ...filter } = JSON.parse(query.filter ?? '{}') as { status?: string }
      const isWanted = ({ is_active, is_disabled, fallback }: WebForward) =>
        ({
          active: is_active && !is_disabled,
          paused: !is_active,
          disabled: is_disabled,
          fallback: fallback !== null,
        })[status ?? ''] ?? true
      return listed(kept.filter(isWanted), { ...query, filter: JSON.stringify(filter) })
    },
    moderateWebForward({ params, body: { is_disabled, reason = null } }) {
      const disabled = { disabled_reason: reason, disabled_at: NOW, disabled_by: ROOT.username }
      const enabled = { disabled_reason: null, disabled_at: null, disabled_by: null }
      const changes = { is_disabled, ...(is_disabled ? disabled : enabled) }
      return found(change(kept, params.id, changes))
    },
  })
  return kept
}

/** Mocks the calls for these monitors and for the status of monitoring. @returns the status, which calls change */
export function serveMonitors(
  rows: readonly Monitor[],
  changes: Partial<MonitoringStatus> = {},
): MonitoringStatus {
  const status = { ...exampleOf('getMonitoringStatus'), ...changes }
  mock.handle({
    listAllMonitors: ({ query }) => listed(rows, query),
    getMonitoringStatus: () => ok(status),
    pauseMonitoring({ body: { is_paused, reason = null } }) {
      return ok(Object.assign(status, { is_paused, reason, paused_at: is_paused ? NOW : null }))
    },
  })
  return status
}

/** A subscription: the contract's example, with changes. */
export const subscription = (changes: Partial<Subscription> = {}): Subscription => ({
  ...exampleOf('refetchSubscription'),
  ...changes,
})

/** Mocks the calls for these subscriptions. @returns the subscriptions in memory, which calls change */
export function serveSubscriptions(...rows: readonly Subscription[]): Subscription[] {
  const kept = [...rows]
  mock.handle({
    listSubscriptions: ({ query }) => listed(kept, query),
    refetchSubscription: ({ params }) => found(change(kept, params.id, { refetched_at: NOW })),
    refundSubscription({ params, body: { ends_plan = true } }) {
      const row = kept.find(({ id }) => id === params.id)
      const ended = ends_plan ? ({ state: 'ended', ended_at: NOW } as const) : {}
      return found(
        change(kept, params.id, {
          refunded_cents: row?.amount_cents ?? 0,
          refundable_cents: 0,
          ...ended,
        }),
      )
    },
  })
  return kept
}

/** Mocks the calls for these own zones. */
export function serveZones(...rows: readonly OwnZone[]): void {
  mock.handle({ listAllOwnZones: ({ query }) => listed(rows, query) })
}

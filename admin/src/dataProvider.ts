/**
 * The data provider: ra-data-simple-rest, with these additions. Errors are the API's problem
 * documents. A PUT sends only the changed fields, and fails if somebody else changed the record in
 * the meantime. A page after the last one is empty. There are methods for administrators' actions.
 */
import type { paths } from '@homing/openapi/client'
import simpleRestProvider from 'ra-data-simple-rest'
import { type DataProvider, HttpError, type UpdateParams } from 'react-admin'
import { confirmingFetch } from './api/confirmation.ts'
import {
  type AdminDomain,
  type AdminLedgerTotal,
  type AdminPlanChange,
  type AdminPlanPreview,
  type AdminRefund,
  type AdminSubscription,
  type AdminUserChange,
  type AdminWebForward,
  api,
  type BlockedTarget,
  type MonitoringPause,
  type MonitoringStatus,
  type NewBlockedTarget,
  ORIGIN,
  type TaxRate,
  type TaxRateTerms,
  type UserPlanPreview,
  type WebForwardModeration,
} from './api/client.ts'
import { problemError, writeError } from './api/problem.ts'

const ROOT = '/api/admin'

/** The lists of the contract below `/api/admin`. A resource that the API lacks does not compile. */
export type ResourceName = {
  [Path in keyof paths]: Path extends `${typeof ROOT}/${infer Name}`
    ? Name extends `${string}/${string}`
      ? never
      : Name
    : never
}[keyof paths]

/** The fields that a PUT of each resource accepts. */
const EDITABLE: { readonly [Name in ResourceName]?: readonly string[] } = {
  users: [
    'account_type',
    'enabled',
    'email',
    'given_name',
    'surname',
  ] satisfies readonly (keyof AdminUserChange)[],
  plans: [
    'domain_limit',
    'ttl',
    'stealth_flag_limit',
    'monitor_interval',
    'record_limit',
    'abilities',
  ] satisfies readonly (keyof AdminPlanChange)[],
}

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: string
  readonly json: unknown
}

const errorOf = ({ method = 'GET' }: RequestInit) => (method === 'GET' ? problemError : writeError)

async function answerOf(url: string, options: RequestInit): Promise<Response> {
  try {
    const own = new URL(url, ORIGIN)
    return await confirmingFetch(new Request(own, { ...options, credentials: 'same-origin' }))
  } catch (error) {
    if (options.signal?.aborted) throw error
    throw errorOf(options)(0, undefined)
  }
}

/** @throws HttpError with the API's message */
async function httpClient(url: string, options: RequestInit = {}): Promise<Answer> {
  const headers = new Headers(options.headers)
  headers.set('accept', 'application/json')
  if (options.body !== undefined) headers.set('content-type', 'application/json')
  const response = await answerOf(url, { ...options, headers })
  const body = await response.text()
  const isJson = /[/+]json\b/.test(response.headers.get('content-type') ?? '')
  const json: unknown = isJson && body !== '' ? JSON.parse(body) : undefined
  if (!response.ok) throw errorOf(options)(response.status, json)
  return { status: response.status, headers: response.headers, body, json }
}

const rest = simpleRestProvider(ROOT, httpClient)

/** Whether a field is unchanged. Lists are compared by their items. */
function isSame(one: unknown, other: unknown): boolean {
  return Array.isArray(one) && Array.isArray(other)
    ? JSON.stringify(one) === JSON.stringify(other)
    : (one ?? null) === (other ?? null)
}

/** The editable fields that differ from the previous record. */
export function changedFields(
  resource: string,
  { data, previousData }: Pick<UpdateParams, 'data' | 'previousData'>,
): Record<string, unknown> {
  const editable = EDITABLE[resource as ResourceName] ?? []
  const known = (previousData ?? {}) as Record<string, unknown>
  const wanted = data as Record<string, unknown>
  const changed = editable.filter(
    (field) => field in wanted && !isSame(wanted[field], known[field]),
  )
  return Object.fromEntries(changed.map((field) => [field, wanted[field] ?? null]))
}

/** Lists without an operation for one record. The filter by id finds it. */
const ONLY_LISTED: readonly string[] = ['zones'] satisfies readonly ResourceName[]

const isBehindLastPage = (error: unknown) => error instanceof HttpError && error.status === 416

type PlanId = AdminPlanPreview['id']

interface Call<T> {
  readonly data?: T
  readonly error?: unknown
  readonly response: Response
}

/** The body of a read's response. @throws HttpError with the API's message */
async function bodyOf<T>(call: Promise<Call<T>>, toError = problemError): Promise<T> {
  const { data, error, response } = await call.catch(() => {
    throw toError(0, undefined)
  })
  if (data === undefined) throw toError(response.status, error)
  return data
}

/** The body of a write's response. @throws HttpError with the API's message */
const written = <T>(call: Promise<Call<T>>): Promise<T> => bodyOf(call, writeError)

/** Waits for a write whose response has no body. @throws HttpError with the API's message */
async function done(call: Promise<Omit<Call<never>, 'data'>>): Promise<void> {
  const { error, response } = await call.catch(() => {
    throw writeError(0, undefined)
  })
  if (!response.ok) throw writeError(response.status, error)
}

export interface AdminDataProvider extends DataProvider {
  /** Locks or unlocks a domain and the domains below it. */
  setLocked(id: string, locked: boolean): Promise<{ data: AdminDomain }>
  /** Clears the lock of a name, whether or not it has a domain. */
  clearLock(id: string): Promise<void>
  /** Blocks a target for the web forwards of all accounts. */
  blockTarget(wanted: NewBlockedTarget): Promise<BlockedTarget>
  /** Ends the block of a target. */
  unblockTarget(id: string): Promise<void>
  /** Disables a web forward with a reason for its owner, or enables it again. */
  moderateForward(id: string, moderation: WebForwardModeration): Promise<AdminWebForward>
  /** How monitoring runs: its states, and the workers of the last minute. */
  monitoringStatus(): Promise<MonitoringStatus>
  /** Pauses or resumes the monitors of all accounts. A pause has a reason for their owners. */
  pauseMonitoring(pause: MonitoringPause): Promise<MonitoringStatus>
  /** Pauses or resumes the monitors of an account. A pause has a reason for its owner. */
  pauseAccountMonitoring(userId: string, pause: MonitoringPause): Promise<MonitoringPause>
  /** Reads the state of a subscription at its provider. */
  refetchSubscription(id: string): Promise<AdminSubscription>
  /** Refunds the last payment of a subscription. */
  refundSubscription(id: string, refund: AdminRefund): Promise<AdminSubscription>
  /** The sums of the entries of the ledger that match a filter. */
  sumLedger(filter: object): Promise<AdminLedgerTotal[]>
  /** Adds or replaces the tax rate of a country. */
  setTaxRate(country: string, terms: TaxRateTerms): Promise<TaxRate>
  deleteTaxRate(country: string): Promise<void>
  /** The effects of a plan change. An empty change returns what still has to be done for the plan's domains. */
  previewPlan(id: PlanId, change: AdminPlanChange): Promise<AdminPlanPreview>
  /** The effects of a change of an account's plan or access. */
  previewUser(id: string, change: AdminUserChange): Promise<UserPlanPreview>
}

export const dataProvider: AdminDataProvider = {
  ...rest,

  async getList(resource, params) {
    try {
      return await rest.getList(resource, params)
    } catch (error) {
      if (!isBehindLastPage(error)) throw error
      // With the total, the list can go back to the last page.
      const first = { ...params, pagination: { page: 1, perPage: 1 } }
      const { total } = await rest.getList(resource, first)
      return { data: [], total: total ?? 0 }
    }
  },

  async getOne(resource, params) {
    if (!ONLY_LISTED.includes(resource)) return rest.getOne(resource, params)
    const { data } = await rest.getMany(resource, { ids: [params.id] })
    const [found] = data
    if (found === undefined) throw new HttpError('It does not exist, or not any more.', 404, {})
    return { data: found }
  },

  async update(resource, params) {
    const data = changedFields(resource, params)
    // A form passes the version that it started from. The record can have been read again since.
    const version: number | string | undefined = params.data.version ?? params.previousData?.version
    if (version === undefined) return rest.update(resource, { ...params, data })
    const { json } = await httpClient(`${ROOT}/${resource}/${encodeURIComponent(params.id)}`, {
      method: 'PUT',
      headers: new Headers({ 'if-match': `"${version}"` }),
      body: JSON.stringify(data),
    })
    return { data: json as never }
  },

  setLocked: async (id, locked) => {
    const path = { params: { path: { id } } }
    return {
      data: await written(
        locked
          ? api.POST('/api/admin/domains/{id}/lock', path)
          : api.POST('/api/admin/domains/{id}/unlock', path),
      ),
    }
  },

  clearLock: (id) => done(api.DELETE('/api/admin/locked-names/{id}', { params: { path: { id } } })),

  blockTarget: (body) => written(api.POST('/api/admin/blocked-targets', { body })),

  unblockTarget: (id) =>
    done(api.DELETE('/api/admin/blocked-targets/{id}', { params: { path: { id } } })),

  moderateForward: (id, body) =>
    written(api.PUT('/api/admin/web-forwards/{id}', { params: { path: { id } }, body })),

  monitoringStatus: () => bodyOf(api.GET('/api/admin/monitoring')),

  pauseMonitoring: (body) => written(api.PUT('/api/admin/monitoring', { body })),

  pauseAccountMonitoring: (id, body) =>
    written(api.PUT('/api/admin/users/{id}/monitoring', { params: { path: { id } }, body })),

  refetchSubscription: (id) =>
    written(api.POST('/api/admin/subscriptions/{id}/refetch', { params: { path: { id } } })),

  refundSubscription: (id, body) =>
    written(api.POST('/api/admin/subscriptions/{id}/refund', { params: { path: { id } }, body })),

  sumLedger: (filter) =>
    bodyOf(
      api.GET('/api/admin/ledger/totals', {
        params: { query: { filter: JSON.stringify(filter) } },
      }),
    ),

  setTaxRate: (country, body) =>
    written(api.PUT('/api/admin/tax-rates/{country}', { params: { path: { country } }, body })),

  deleteTaxRate: (country) =>
    done(api.DELETE('/api/admin/tax-rates/{country}', { params: { path: { country } } })),

  // Previews are steps of a write, although they change nothing: the form stays when they fail.
  previewPlan: (id, body) =>
    written(api.POST('/api/admin/plans/{id}/preview', { params: { path: { id } }, body })),

  previewUser: (id, { account_type: plan, enabled }) =>
    written(
      api.GET('/api/admin/users/{id}/plan-preview', {
        params: {
          path: { id },
          query: { ...(plan && { plan }), ...(enabled !== undefined && { enabled }) },
        },
      }),
    ),
}

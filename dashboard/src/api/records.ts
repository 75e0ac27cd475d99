/** Records other than the addresses of domains: below a domain, or in an own zone. */
import { type components, IDEMPOTENCY_KEY_HEADER } from '@homing/openapi/client'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from './client.ts'
import { answerOf } from './problem.ts'
import { KEPT_CURRENT } from './kept-current.ts'
import { RECORDS_KEY } from './record-key.ts'

type Schemas = components['schemas']

export type DnsRecord = Schemas['DnsRecord']
export type NewRecord = Schemas['NewRecord']
export type RecordChange = Schemas['RecordChange']
export type RecordUsage = Schemas['RecordUsage']
export type RecordOperation = Schemas['RecordBatch']['operations'][number]
export type RecordBatchResult = Schemas['RecordBatchResult']
export type ZoneFileImport = Schemas['ZoneFileImport']
export type ZoneFileResult = Schemas['ZoneFileResult']

/** Where the records are: at and below a domain, or in an own zone. */
export interface RecordHome {
  readonly kind: 'domain' | 'zone'
  /** The id of the domain, or of the own zone. */
  readonly id: string
}

export const RECORD_PAGE_SIZE = 50

export const RECORD_SORT_FIELDS = ['owner', 'type', 'ttl'] as const
export type RecordSortField = (typeof RECORD_SORT_FIELDS)[number]

export interface RecordListRequest {
  readonly search: string
  /** Empty for all types. */
  readonly type: string
  readonly sort: { readonly field: RecordSortField; readonly descending: boolean }
  /** Starts at 1. */
  readonly page: number
}

export interface RecordPage {
  readonly records: readonly DnsRecord[]
  /** Across all pages. */
  readonly total: number
}

interface ListQuery {
  readonly sort?: string
  readonly range?: string
  readonly filter?: string
}

async function readList({ kind, id }: RecordHome, query: ListQuery, signal?: AbortSignal) {
  const options = { params: { path: { id }, query }, ...(signal !== undefined && { signal }) }
  return answerOf(
    kind === 'domain'
      ? api.GET('/api/domains/{id}/records', options)
      : api.GET('/api/zones/{id}/records', options),
  )
}

const sortParameter = ({ field, descending }: RecordListRequest['sort']): string =>
  JSON.stringify([field, descending ? 'DESC' : 'ASC'])

function filterParameter({ search, type }: Pick<RecordListRequest, 'search' | 'type'>) {
  const filter = { ...(search !== '' && { q: search }), ...(type !== '' && { type }) }
  return Object.keys(filter).length === 0 ? {} : { filter: JSON.stringify(filter) }
}

async function readPage(home: RecordHome, request: RecordListRequest, signal: AbortSignal) {
  const first = (request.page - 1) * RECORD_PAGE_SIZE
  const query = {
    sort: sortParameter(request.sort),
    range: JSON.stringify([first, first + RECORD_PAGE_SIZE - 1]),
    ...filterParameter(request),
  }
  const { data, response } = await readList(home, query, signal)
  const [, total = data.length] = /\/(\d+)$/.exec(response.headers.get('content-range') ?? '') ?? []
  return { records: data, total: Number(total) } satisfies RecordPage
}

/** A domain's records follow the live stream, which has no events about zones. */
export const recordsQuery = (home: RecordHome, request: RecordListRequest) =>
  queryOptions({
    queryKey: [RECORDS_KEY, home.kind, home.id, request],
    queryFn: ({ signal }) => readPage(home, request, signal),
    placeholderData: keepPreviousData,
    ...(home.kind === 'zone' && KEPT_CURRENT),
  })

/** All records that match, on every page. @throws ApiProblem, NetworkFailure */
export async function readMatchingRecords(
  home: RecordHome,
  request: RecordListRequest,
): Promise<readonly DnsRecord[]> {
  const query = { sort: sortParameter(request.sort), ...filterParameter(request) }
  return (await readList(home, query)).data
}

/** The record as it is now; undefined if it does not exist. @throws ApiProblem, NetworkFailure */
export async function readRecord(home: RecordHome, id: string): Promise<DnsRecord | undefined> {
  const [record] = (await readList(home, { filter: JSON.stringify({ id }) })).data
  return record
}

/** The record of a type at an owner name: the full name. @throws ApiProblem, NetworkFailure */
export async function findRecord(
  home: RecordHome,
  owner: string,
  type: string,
): Promise<DnsRecord | undefined> {
  const [record] = (await readList(home, { filter: JSON.stringify({ owner, type }) })).data
  return record
}

/** The record that a dialog is about, as the user saw it when they opened the dialog. */
export const recordQuery = (home: RecordHome, id: string) =>
  queryOptions({
    queryKey: ['record', home.kind, home.id, id],
    queryFn: async () => (await readRecord(home, id)) ?? null,
    staleTime: 0,
    refetchOnWindowFocus: false,
  })

/** What the account uses, and what its plan includes. */
export const recordUsageQuery = queryOptions({
  queryKey: [RECORDS_KEY, 'usage'],
  queryFn: async ({ signal }) => (await answerOf(api.GET('/api/records/usage', { signal }))).data,
})

interface CreateOptions {
  /** Of a `RepeatableChange`. */
  readonly key?: string
  /** Checks the record and changes nothing. */
  readonly isDryRun?: boolean
  readonly signal?: AbortSignal
}

/** @throws ApiProblem, NetworkFailure */
export async function createRecord(
  { kind, id }: RecordHome,
  body: NewRecord,
  { key, isDryRun = false, signal }: CreateOptions = {},
): Promise<DnsRecord> {
  const options = {
    params: {
      path: { id },
      query: isDryRun ? { dry_run: true } : {},
      header: key === undefined ? {} : { [IDEMPOTENCY_KEY_HEADER]: key },
    },
    body,
    ...(signal !== undefined && { signal }),
  }
  const call =
    kind === 'domain'
      ? api.POST('/api/domains/{id}/records', options)
      : api.POST('/api/zones/{id}/records', options)
  return (await answerOf(call)).data
}

interface ChangeOptions {
  readonly isDryRun?: boolean
  readonly signal?: AbortSignal
}

/**
 * Changes a record if its version has not changed. A dry run checks the values for any version.
 *
 * @param seen the record that the user saw
 * @throws ApiProblem `version-mismatch` when another client changed the record; NetworkFailure
 */
export async function updateRecord(
  { kind, id }: RecordHome,
  seen: Pick<DnsRecord, 'id' | 'version'>,
  body: RecordChange,
  { isDryRun = false, signal }: ChangeOptions = {},
): Promise<DnsRecord> {
  const options = {
    params: { path: { id, record_id: seen.id }, query: isDryRun ? { dry_run: true } : {} },
    ...(!isDryRun && { headers: { 'If-Match': `"${seen.version}"` } }),
    body,
    ...(signal !== undefined && { signal }),
  }
  const call =
    kind === 'domain'
      ? api.PUT('/api/domains/{id}/records/{record_id}', options)
      : api.PUT('/api/zones/{id}/records/{record_id}', options)
  return (await answerOf(call)).data
}

/**
 * @param seen the record that the user saw
 * @throws ApiProblem `version-mismatch` when another client changed the record; NetworkFailure
 */
export async function deleteRecord({ kind, id }: RecordHome, seen: DnsRecord): Promise<void> {
  const options = {
    params: { path: { id, record_id: seen.id } },
    headers: { 'If-Match': `"${seen.version}"` },
  }
  await answerOf(
    kind === 'domain'
      ? api.DELETE('/api/domains/{id}/records/{record_id}', options)
      : api.DELETE('/api/zones/{id}/records/{record_id}', options),
  )
}

/** Applies all operations, or none. @throws ApiProblem, NetworkFailure */
export async function changeRecords(
  { kind, id }: RecordHome,
  operations: RecordOperation[],
): Promise<RecordBatchResult> {
  const options = { params: { path: { id } }, body: { operations } }
  const call =
    kind === 'domain'
      ? api.POST('/api/domains/{id}/records/bulk', options)
      : api.POST('/api/zones/{id}/records/bulk', options)
  return (await answerOf(call)).data
}

/** @throws ApiProblem, NetworkFailure */
export async function importRecords(
  { kind, id }: RecordHome,
  body: ZoneFileImport,
): Promise<ZoneFileResult> {
  const options = { params: { path: { id } }, body }
  const call =
    kind === 'domain'
      ? api.POST('/api/domains/{id}/records/import', options)
      : api.POST('/api/zones/{id}/records/import', options)
  return (await answerOf(call)).data
}

/** The zone file. @throws ApiProblem, NetworkFailure */
export async function exportRecords({ kind, id }: RecordHome): Promise<string> {
  const options = { params: { path: { id } }, parseAs: 'text' } as const
  const call =
    kind === 'domain'
      ? api.GET('/api/domains/{id}/records/export', options)
      : api.GET('/api/zones/{id}/records/export', options)
  return (await answerOf(call)).data
}

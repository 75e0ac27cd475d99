/** The calls for records, which domains and own zones have at different paths. */
import type { components } from '@homing/openapi/client'
import type { ApiClient } from './client.ts'
import { bodyOf, listOf, succeeded } from './api.ts'
import { sendOnce } from './once.ts'
import type { Place } from './record-places.ts'

type Schemas = components['schemas']
export type DnsRecord = Schemas['DnsRecord']

export interface RecordFilter {
  readonly id?: string
  readonly type?: string
  readonly owner?: string
  readonly q?: string
}

interface ChangeOptions {
  readonly isDryRun?: boolean
  /** Only if the record still has this version. */
  readonly version?: number | undefined
}

const matching = (version: number | undefined) =>
  version === undefined ? {} : { headers: { 'if-match': `"${version}"` } }

/** The records of a place, by owner. */
export async function listRecords(
  api: ApiClient,
  { kind, id }: Place,
  filter: RecordFilter = {},
): Promise<DnsRecord[]> {
  const query = { sort: '["owner","ASC"]', filter: JSON.stringify(filter) }
  const params = { path: { id }, query }
  const answer =
    kind === 'domain'
      ? await api.GET('/api/domains/{id}/records', { params })
      : await api.GET('/api/zones/{id}/records', { params })
  return listOf(answer, 'id', 'owner', 'type', 'values')
}

/** Creates a record, once also if the connection is lost. @throws CommandFailure */
export async function createRecord(
  api: ApiClient,
  { kind, id }: Place,
  body: Schemas['NewRecord'],
  { isDryRun = false }: ChangeOptions = {},
): Promise<DnsRecord> {
  const params = { path: { id }, query: { dry_run: isDryRun } }
  const answer = await sendOnce((headers) => {
    const call = { params, body, headers }
    return kind === 'domain'
      ? api.POST('/api/domains/{id}/records', call)
      : api.POST('/api/zones/{id}/records', call)
  })
  return bodyOf(answer, 'id', 'owner', 'values')
}

/** Changes a record. @throws CommandFailure */
export async function changeRecord(
  api: ApiClient,
  { kind, id }: Place,
  recordId: string,
  body: Schemas['RecordChange'],
  { isDryRun = false, version }: ChangeOptions = {},
): Promise<DnsRecord> {
  const params = { path: { id, record_id: recordId }, query: { dry_run: isDryRun } }
  const call = { params, body, ...matching(version) }
  const answer =
    kind === 'domain'
      ? await api.PUT('/api/domains/{id}/records/{record_id}', call)
      : await api.PUT('/api/zones/{id}/records/{record_id}', call)
  return bodyOf(answer, 'id', 'owner', 'values')
}

/** Deletes a record. @throws CommandFailure */
export async function deleteRecord(
  api: ApiClient,
  { kind, id }: Place,
  recordId: string,
  { isDryRun = false, version }: ChangeOptions = {},
): Promise<void> {
  const params = { path: { id, record_id: recordId }, query: { dry_run: isDryRun } }
  const call = { params, ...matching(version) }
  succeeded(
    kind === 'domain'
      ? await api.DELETE('/api/domains/{id}/records/{record_id}', call)
      : await api.DELETE('/api/zones/{id}/records/{record_id}', call),
  )
}

/** Imports a zone file, or examines it. @throws CommandFailure */
export async function importRecords(
  api: ApiClient,
  { kind, id }: Place,
  body: Schemas['ZoneFileImport'],
): Promise<Schemas['ZoneFileResult']> {
  const call = { params: { path: { id } }, body }
  const answer =
    kind === 'domain'
      ? await api.POST('/api/domains/{id}/records/import', call)
      : await api.POST('/api/zones/{id}/records/import', call)
  return bodyOf(answer, 'applied', 'problems', 'problem_count')
}

/** The path of the zone file of a place. */
export const exportPath = ({ kind, id }: Place): string =>
  `/api/${kind === 'domain' ? 'domains' : 'zones'}/${encodeURIComponent(id)}/records/export`

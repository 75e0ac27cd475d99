/** Creates, changes and deletes single records. */
import type { DnsRecord, NewRecord, RecordChange } from '@homing/openapi'
import { typeToText } from '@homing/dnsd/names'
import type { Actor } from '../../feed/address-change.ts'
import type { PlaceKey } from '../../models/record-place.ts'
import { type Principal, reachOf } from '../../caller/principal.ts'
import type { Services } from '../../compose.ts'
import { expectedVersion } from '../../plugins/if-match.ts'
import type { AddressPolicy } from '../../rules/addresses.ts'
import { parseRecordValues } from '../../rules/records-values.ts'
import { parseRecordOwner, parseRecordType } from '../../rules/records.ts'
import { changeRecords, type RecordOutcome } from './change-records.ts'
import { findPlace } from './find-place.ts'
import { type ReadValues, RecordLine, type WishedSet } from './record-line.ts'

/** A call about the records of a place. */
export interface RecordCall {
  readonly principal: Principal
  readonly key: PlaceKey
  readonly actor: Actor
  readonly isDryRun: boolean
}

/** @throws Refusal `record-not-allowed` */
export function readNewRecord(
  { owner: ownerText, type: typeText, ttl, values }: NewRecord,
  place: string,
  policy: AddressPolicy,
): WishedSet {
  const owner = parseRecordOwner(ownerText, place)
  const type = parseRecordType(typeText)
  const texts = parseRecordValues({ owner, type, values }, policy)
  return { owner, type: typeToText(type), ttl, values: texts }
}

/** Reads the values of a change. Undefined: they stay as they are. */
export const valuesReader = (
  values: readonly string[] | undefined,
  policy: AddressPolicy,
): ReadValues | undefined =>
  values &&
  (({ owner, type }) => parseRecordValues({ owner, type: parseRecordType(type), values }, policy))

/** The id of a record that a dry run would create. */
const DRY_RUN_ID = '1'

/** The record that a line wrote, or that a dry run would write. */
function savedRecord({ place, held }: RecordOutcome, line: RecordLine, now: Date): DnsRecord {
  const { before, after } = line
  const { owner = '', type = '', ttl = 0, values = [] } = after ?? {}
  const domain = held.domains.get(held.standing.domainOf(owner) ?? '')
  return {
    id: line.id ?? DRY_RUN_ID,
    domain_id: domain?.id ?? null,
    zone: place.zone,
    owner,
    type,
    ttl,
    values: [...values],
    is_served: place.isServed && (domain?.is_active ?? true),
    created_at: (before?.created_at ?? line.createdAt ?? now).toISOString(),
    version: (before?.version ?? 0) + (line.isDue ? 1 : 0),
  }
}

async function applyOne(
  services: Services,
  { principal, key, actor, isDryRun }: RecordCall,
  line: RecordLine,
): Promise<RecordOutcome> {
  const reach = reachOf(principal)
  const outcome = await changeRecords(services, { reach, key, lines: [line], actor, isDryRun })
  if (line.refusal !== undefined) throw line.refusal
  return outcome
}

/**
 * Creates a record.
 *
 * @throws Refusal `not-found`, `record-not-allowed`, `record-exists`, `record-limit`, `plan-required`, `domain-locked`,
 * `zone-not-active`, `key-scope`, `account-disabled`
 */
export async function createRecord(
  services: Services,
  call: RecordCall,
  input: NewRecord,
): Promise<DnsRecord> {
  const { fqdn } = await findPlace(services.knex, reachOf(call.principal), call.key)
  const line = new RecordLine('create')
  line.wish = { op: 'create', set: readNewRecord(input, fqdn, services.config.addressPolicy) }
  return savedRecord(await applyOne(services, call, line), line, services.now())
}

/** A call about one record. */
export interface OneRecord {
  readonly id: string
  /** The header If-Match; undefined without one. */
  readonly ifMatch: string | undefined
}

/**
 * Changes the TTL or the values of a record.
 *
 * @throws Refusal as `createRecord` without `record-exists`, and `version-mismatch`
 */
export async function updateRecord(
  services: Services,
  call: RecordCall,
  { id, ifMatch }: OneRecord,
  input: RecordChange,
): Promise<DnsRecord> {
  const { ttl } = input
  const values = valuesReader(input.values, services.config.addressPolicy)
  const expects = (version: number) => expectedVersion(ifMatch, version)
  const line = new RecordLine('change')
  line.wish = { op: 'change', id, ttl, values, expects }
  return savedRecord(await applyOne(services, call, line), line, services.now())
}

/**
 * Deletes a record.
 *
 * @throws Refusal `not-found`, `record-not-allowed`, `version-mismatch`, `domain-locked`, `zone-not-active`, `key-scope`,
 * `account-disabled`
 */
export async function deleteRecord(
  services: Services,
  call: RecordCall,
  { id, ifMatch }: OneRecord,
): Promise<void> {
  const line = new RecordLine('delete')
  line.wish = { op: 'delete', id, expects: (version) => expectedVersion(ifMatch, version) }
  await applyOne(services, call, line)
}

import { Readable } from 'node:stream'
import type { DnsRecord } from '@homing/openapi'
import { type Principal, reachOf } from '../../caller/principal.ts'
import type { RequestSource } from '../../caller/request-source.ts'
import type { Services } from '../../compose.ts'
import { recordsInUse } from '../../feed/record-terms.ts'
import type { PlaceKey } from '../../models/record-place.ts'
import type { Answer } from '../../plugins/call.ts'
import { handlersFor } from '../../plugins/contract.ts'
import { eventRange } from '../../plugins/event-page.ts'
import { contentRange, type ListQuery } from '../../plugins/list-query.ts'
import { actorOf } from '../../plugins/owner-actor.ts'
import { listAllRecords } from './all-records.ts'
import { changeRecordBatch } from './batch-records.ts'
import { exportRecords } from './export-records.ts'
import { findRecordDomain } from './find-record-domain.ts'
import { importRecords } from './import-records.ts'
import { listRecords } from './list-records.ts'
import { listZoneEvents } from './list-zone-events.ts'
import { createRecord, deleteRecord, type RecordCall, updateRecord } from './save-record.ts'
import { undoZoneEvent } from './undo-zone-event.ts'

interface Asked {
  readonly principal: Principal
  readonly source: RequestSource
  readonly query?: { readonly dry_run?: boolean }
}

const callOf = ({ principal, source, query }: Asked, key: PlaceKey): RecordCall => ({
  principal,
  key,
  actor: actorOf(principal, source),
  isDryRun: query?.dry_run ?? false,
})

const recordAnswer = (record: DnsRecord): Answer<DnsRecord> => ({
  body: record,
  headers: { etag: `"${record.version}"` },
})

async function listAnswer(
  {
    services,
    principal,
    query,
  }: {
    readonly services: Services
    readonly principal: Principal
    readonly query: ListQuery
  },
  key: PlaceKey,
) {
  const { records, offset, total } = await listRecords(services, reachOf(principal), key, query)
  return { body: records, headers: contentRange('records', offset, records.length, total) }
}

async function exportAnswer(
  { services, principal }: { readonly services: Services; readonly principal: Principal },
  key: PlaceKey,
) {
  const text = await exportRecords(services.knex, reachOf(principal), key)
  return {
    body: Readable.from([text], { objectMode: false }),
    file: { name: 'records.zone', contentType: 'text/plain' },
  }
}

/** The record that a call is about. */
const oneOf = ({ record_id: id }: { readonly record_id: string }, ifMatch: string | undefined) => ({
  id,
  ifMatch,
})

const domainOf = ({ id }: { readonly id: string }): PlaceKey => ({ domainId: id })
const zoneOf = ({ id }: { readonly id: string }): PlaceKey => ({ claimId: id })

export const recordHandlers = handlersFor('records', {
  listDomainRecords: async (call) => listAnswer(call, domainOf(call.params)),
  listZoneRecords: async (call) => listAnswer(call, zoneOf(call.params)),

  async createDomainRecord(call) {
    const { services, params, body } = call
    return recordAnswer(await createRecord(services, callOf(call, domainOf(params)), body))
  },
  async createZoneRecord(call) {
    const { services, params, body } = call
    return recordAnswer(await createRecord(services, callOf(call, zoneOf(params)), body))
  },

  async updateDomainRecord(call) {
    const { services, params, body, request } = call
    const record = oneOf(params, request.headers['if-match'])
    const change = callOf(call, domainOf(params))
    return recordAnswer(await updateRecord(services, change, record, body))
  },
  async updateZoneRecord(call) {
    const { services, params, body, request } = call
    const record = oneOf(params, request.headers['if-match'])
    const change = callOf(call, zoneOf(params))
    return recordAnswer(await updateRecord(services, change, record, body))
  },

  async deleteDomainRecord(call) {
    const { services, params, request } = call
    const record = oneOf(params, request.headers['if-match'])
    await deleteRecord(services, callOf(call, domainOf(params)), record)
    return { body: undefined }
  },
  async deleteZoneRecord(call) {
    const { services, params, request } = call
    const record = oneOf(params, request.headers['if-match'])
    await deleteRecord(services, callOf(call, zoneOf(params)), record)
    return { body: undefined }
  },

  async changeDomainRecords({ services, principal, source, params, body }) {
    const call = callOf({ principal, source }, domainOf(params))
    return { body: await changeRecordBatch(services, call, body) }
  },
  async changeZoneRecords({ services, principal, source, params, body }) {
    const call = callOf({ principal, source }, zoneOf(params))
    return { body: await changeRecordBatch(services, call, body) }
  },

  async importDomainRecords({ services, principal, source, params, body }) {
    const call = callOf({ principal, source }, domainOf(params))
    return { body: await importRecords(services, call, body) }
  },
  async importZoneRecords({ services, principal, source, params, body }) {
    const call = callOf({ principal, source }, zoneOf(params))
    return { body: await importRecords(services, call, body) }
  },

  exportDomainRecords: async (call) => exportAnswer(call, domainOf(call.params)),
  exportZoneRecords: async (call) => exportAnswer(call, zoneOf(call.params)),

  async getRecordDomain({ services, principal, params }) {
    return { body: await findRecordDomain(services.knex, reachOf(principal), params.fqdn) }
  },

  async getRecordUsage({ services: { knex }, principal: { account } }) {
    const { terms, used } = await recordsInUse(knex, account)
    return {
      body: {
        used,
        limit: terms.recordLimit,
        record_types: terms.recordTypes,
        minimum_ttl: terms.ttlSeconds,
      },
    }
  },

  async listAllRecords({ services, query }) {
    const { records, offset, total } = await listAllRecords(services.knex, query)
    return { body: records, headers: contentRange('records', offset, records.length, total) }
  },
})

export const zoneHistoryHandlers = handlersFor('zone-history', {
  async listZoneEvents({ services, principal, params, query }) {
    const page = await listZoneEvents(services, reachOf(principal), params.id, query)
    return { body: [...page.events], headers: eventRange(page) }
  },
  async undoZoneEvent({ services, principal, source, params }) {
    return { body: await undoZoneEvent(services, principal, params, actorOf(principal, source)) }
  },
})

/** Rows of records, below domains and in zones of accounts. */
import { CHANGES_DOMAINS } from '../inherited-rules.ts'
import type { Row, Rows } from '../row.ts'
import { domain, domainByName, filtered, nothing } from '../usual-calls.ts'

const RECORDS = {
  ...CHANGES_DOMAINS,
  lock: 'domain-locked',
  reservation: 'exempt: a record is at or below a domain that was registered',
} as const

const ZONE_RECORDS = {
  ...CHANGES_DOMAINS,
  lock: 'exempt: it names a zone, and `own-zone-records.test.ts` proves locked names in it',
  reservation: 'exempt: the zone belongs to the account alone',
} as const

const text = (owner: string) => ({ owner, type: 'TXT', values: ['a text'] })

const zone: Row['call'] = (its) => ({ params: { id: its.recordZoneId } })
const recordOf: Row['call'] = (its) => ({ params: { id: its.domainId, record_id: its.recordId } })
const zoneRecordOf: Row['call'] = (its) => ({
  params: { id: its.recordZoneId, record_id: its.zoneRecordId },
})

const batch = (id: string, nonce: string) => ({
  operations: [
    { op: 'create', ...text(`fresh${nonce}`) },
    { op: 'change', id, ttl: 7200 },
  ],
})
const file = (nonce: string) => ({ text: `fresh${nonce} 7200 IN TXT "a text"\n` })

/** A record of somebody, in a place of the caller. */
const inOwnPlace: Row['call'] = (its) => ({
  params: { id: its.bareId, record_id: its.recordId },
  body: {},
})

export const RECORD_ROWS = {
  listDomainRecords: {
    call: domain,
    probes: {
      'filter by id': {
        call: (its) => ({ ...domain(its, ''), ...filtered(() => ({ id: its.recordId }))(its, '') }),
      },
    },
  },
  createDomainRecord: {
    call: (its, nonce) => ({ params: { id: its.domainId }, body: text(`fresh${nonce}`) }),
    inherits: RECORDS,
  },
  updateDomainRecord: {
    call: (its, nonce) => ({ ...recordOf(its, nonce), body: { ttl: 7200 } }),
    probes: { 'a record in another place': { call: inOwnPlace } },
    inherits: RECORDS,
  },
  deleteDomainRecord: { call: recordOf, inherits: RECORDS },
  changeDomainRecords: {
    call: (its, nonce) => ({ params: { id: its.domainId }, body: batch(its.recordId, nonce) }),
    inherits: RECORDS,
  },
  importDomainRecords: {
    call: (its, nonce) => ({ params: { id: its.domainId }, body: file(nonce) }),
    inherits: RECORDS,
  },
  exportDomainRecords: { call: domain },
  listZoneRecords: { call: zone },
  createZoneRecord: {
    call: (its, nonce) => ({ params: { id: its.recordZoneId }, body: text(`fresh${nonce}`) }),
    inherits: ZONE_RECORDS,
  },
  updateZoneRecord: {
    call: (its, nonce) => ({ ...zoneRecordOf(its, nonce), body: { ttl: 7200 } }),
    inherits: ZONE_RECORDS,
  },
  deleteZoneRecord: { call: zoneRecordOf, inherits: ZONE_RECORDS },
  changeZoneRecords: {
    call: (its, nonce) => ({
      params: { id: its.recordZoneId },
      body: batch(its.zoneRecordId, nonce),
    }),
    inherits: ZONE_RECORDS,
  },
  importZoneRecords: {
    call: (its, nonce) => ({ params: { id: its.recordZoneId }, body: file(nonce) }),
    inherits: ZONE_RECORDS,
  },
  exportZoneRecords: { call: zone },
  listZoneEvents: { call: zone },
  undoZoneEvent: {
    call: (its) => ({ params: { id: its.recordZoneId, event_id: its.zoneEventId } }),
    inherits: ZONE_RECORDS,
  },
  getRecordDomain: { call: domainByName },
  getRecordUsage: { call: nothing },
  listAllRecords: { call: nothing },
} as const satisfies Partial<Rows>

/** Records other than the addresses of domains: at and below a domain, and in own zones. */
import { Type } from 'typebox'
import { listQuery } from '../list-query.ts'
import type { Slice } from '../operation.ts'
import { Id, ref } from '../schema.ts'
import {
  AdminRecord,
  NewRecord,
  RecordBatch,
  RecordChange,
  RecordDomain,
  RecordUsage,
  ZoneFileImport,
} from '../schemas/records.ts'
import {
  applied,
  batchExample,
  example,
  exported,
  fileExample,
  found,
  imported,
  listed,
  made,
  newMail,
  newRecord,
  zoneExample,
} from './record-answers.ts'
import { ADMIN_RECORD_SORT, RECORD_SORT } from '../vocabulary.ts'

const byId = Type.Object({ id: Id })
const byFqdn = Type.Object({
  fqdn: Type.String({ maxLength: 1024, examples: ['home.example.net'] }),
})
const byRecord = Type.Object({ id: Id, record_id: Id })
const dryRun = Type.Object({
  dry_run: Type.Optional(Type.Boolean({ description: 'True: check the call and change nothing.' })),
})

/** Room for a zone file of 10,000 RRsets. */
const FILE_LIMIT_BYTES = 8 * 1024 * 1024
/** Room for 500 operations, and for RDATA of 65,535 octets. */
const BATCH_LIMIT_BYTES = 1024 * 1024
const RECORD_LIMIT_BYTES = 256 * 1024

const RULES =
  'A and AAAA are the addresses of domains and are refused, except for the name servers of a delegation (glue). SOA, DNSSEC and meta types are refused. CNAME and NS are possible only below a domain or a zone apex, never at the name of a domain or wildcard. The owner name of a CNAME cannot have other records, and names below NS can have only addresses. The number of records and their types depend on the plan: `record-limit`, `plan-required`.'

const list = {
  description:
    'Records of one type at one owner name are one item. Without `range`, the list has all of them.',
  query: listQuery({
    sort: RECORD_SORT,
    filter: {
      q: 'a part of the owner name or of a value',
      id: 'one id or a list of ids',
      type: 'a record type',
      owner: 'an owner name: the full name',
    },
  }),
  problems: ['not-found', 'range-not-satisfiable'],
} as const

const creation = {
  description: `${RULES} With \`dry_run=true\`, the call checks everything, changes nothing, and answers with the id 1.`,
  query: dryRun,
  body: ref(NewRecord),
  bodyLimitBytes: RECORD_LIMIT_BYTES,
  problems: [
    'not-found',
    'record-not-allowed',
    'record-exists',
    'record-limit',
    'domain-locked',
    'zone-not-active',
  ],
} as const

const change = {
  description: `${RULES}
With \`If-Match\` (the \`ETag\` of the record), the call fails with \`version-mismatch\` if the record was changed in the meantime. Sending unchanged values is not an error and writes nothing.`,
  query: dryRun,
  body: ref(RecordChange),
  bodyLimitBytes: RECORD_LIMIT_BYTES,
  problems: [
    'not-found',
    'record-not-allowed',
    'record-limit',
    'version-mismatch',
    'domain-locked',
    'zone-not-active',
  ],
} as const

const deletion = {
  description:
    'The history of the domain or zone can undo it for 30 days. With `If-Match`, the call fails with `version-mismatch` if the record was changed in the meantime.',
  query: dryRun,
  success: { status: 204, description: 'The record is deleted.' },
  problems: [
    'not-found',
    'record-not-allowed',
    'version-mismatch',
    'domain-locked',
    'zone-not-active',
  ],
} as const

const batch = {
  description:
    'The operations follow the rules of the single calls, after the whole batch. All of them are applied, in one transaction, or nothing is changed: then `applied` is false and the verdicts say why. An API key needs the action of each operation. With `dry_run`, nothing is changed and the response has the same verdicts.',
  keyAction: ['create', 'update', 'delete'],
  body: ref(RecordBatch),
  bodyLimitBytes: BATCH_LIMIT_BYTES,
  problems: ['not-found', 'domain-locked', 'zone-not-active'],
} as const

const fileImport = {
  description:
    'Names are relative to the domain or zone. The SOA record, the NS records of the zone itself and addresses of domains are left out and reported. All other records are imported in one transaction, or none: `problems` names each wrong line. An API key needs the actions create and update, and with `replace` also delete.',
  keyAction: ['create', 'update', 'delete'],
  body: ref(ZoneFileImport),
  bodyLimitBytes: FILE_LIMIT_BYTES,
  problems: ['not-found', 'domain-locked', 'zone-not-active', 'record-limit'],
} as const

const fileExport = {
  description:
    'A zone file that BIND, Knot and NSD read. It contains the addresses of the domains and the records. The import leaves out what is not a record of yours, so that an exported file can be imported as it is.',
} as const

export const records = {
  listDomainRecords: {
    method: 'GET',
    url: '/api/domains/{id}/records',
    summary: 'List the records of a domain',
    access: 'caller',
    keyAction: 'read',
    params: byId,
    ...list,
    success: listed(example),
  },
  createDomainRecord: {
    method: 'POST',
    url: '/api/domains/{id}/records',
    summary: 'Create a record at or below a domain',
    access: 'caller',
    keyAction: 'create',
    idempotencyKey: 'replayed',
    params: byId,
    ...creation,
    bodyExample: newRecord,
    success: made(example),
  },
  updateDomainRecord: {
    method: 'PUT',
    url: '/api/domains/{id}/records/{record_id}',
    summary: 'Change a record of a domain',
    access: 'caller',
    keyAction: 'update',
    params: byRecord,
    ...change,
    bodyExample: { values: ['gfj9Xq...Rg85nM'] },
    success: found(example),
  },
  deleteDomainRecord: {
    method: 'DELETE',
    url: '/api/domains/{id}/records/{record_id}',
    summary: 'Delete a record of a domain',
    access: 'caller',
    keyAction: 'delete',
    params: byRecord,
    ...deletion,
  },
  changeDomainRecords: {
    method: 'POST',
    url: '/api/domains/{id}/records/bulk',
    summary: 'Create, change and delete up to 500 records of a domain at once',
    access: 'caller',
    idempotencyKey: 'replayed',
    params: byId,
    ...batch,
    bodyExample: batchExample,
    success: applied,
  },
  importDomainRecords: {
    method: 'POST',
    url: '/api/domains/{id}/records/import',
    summary: 'Import a zone file below a domain',
    access: 'caller',
    params: byId,
    ...fileImport,
    bodyExample: fileExample,
    success: imported,
  },
  exportDomainRecords: {
    method: 'GET',
    url: '/api/domains/{id}/records/export',
    summary: 'Export the records of a domain as a zone file',
    ...fileExport,
    access: 'caller',
    keyAction: 'read',
    params: byId,
    success: exported,
    problems: ['not-found'],
  },
  listZoneRecords: {
    method: 'GET',
    url: '/api/zones/{id}/records',
    summary: 'List the records of an own zone',
    access: 'caller',
    keyAction: 'read',
    params: byId,
    ...list,
    success: listed(zoneExample),
  },
  createZoneRecord: {
    method: 'POST',
    url: '/api/zones/{id}/records',
    summary: 'Create a record in an own zone',
    access: 'caller',
    keyAction: 'create',
    idempotencyKey: 'replayed',
    params: byId,
    ...creation,
    bodyExample: newMail,
    success: made(zoneExample),
  },
  updateZoneRecord: {
    method: 'PUT',
    url: '/api/zones/{id}/records/{record_id}',
    summary: 'Change a record of an own zone',
    access: 'caller',
    keyAction: 'update',
    params: byRecord,
    ...change,
    bodyExample: { values: ['10 mail.example.com.'] },
    success: found(zoneExample),
  },
  deleteZoneRecord: {
    method: 'DELETE',
    url: '/api/zones/{id}/records/{record_id}',
    summary: 'Delete a record of an own zone',
    access: 'caller',
    keyAction: 'delete',
    params: byRecord,
    ...deletion,
  },
  changeZoneRecords: {
    method: 'POST',
    url: '/api/zones/{id}/records/bulk',
    summary: 'Create, change and delete up to 500 records of an own zone at once',
    access: 'caller',
    idempotencyKey: 'replayed',
    params: byId,
    ...batch,
    bodyExample: batchExample,
    success: applied,
  },
  importZoneRecords: {
    method: 'POST',
    url: '/api/zones/{id}/records/import',
    summary: 'Import a zone file into an own zone',
    access: 'caller',
    params: byId,
    ...fileImport,
    bodyExample: fileExample,
    success: imported,
  },
  exportZoneRecords: {
    method: 'GET',
    url: '/api/zones/{id}/records/export',
    summary: 'Export an own zone as a zone file',
    ...fileExport,
    access: 'caller',
    keyAction: 'read',
    params: byId,
    success: exported,
    problems: ['not-found'],
  },
  getRecordDomain: {
    method: 'GET',
    url: '/api/records/domains/{fqdn}',
    summary: 'Get the id of a domain, for the calls for its records',
    description:
      'An API key whose scope has owner names below a domain, such as `_acme-challenge.home.example.net`, reaches records of the domain, but not the domain itself. It gets the id of the domain by this call. The response is 404 for a domain without a name in the scope, as for a domain that does not exist.',
    access: 'caller',
    keyAction: 'read',
    params: byFqdn,
    success: {
      status: 200,
      description: 'The domain.',
      schema: ref(RecordDomain),
      example: { id: '42', fqdn: 'home.example.net' },
    },
    problems: ['not-found'],
  },
  getRecordUsage: {
    method: 'GET',
    url: '/api/records/usage',
    summary: 'Count your records',
    access: 'caller',
    keyAction: 'read',
    success: {
      status: 200,
      description: 'What the account uses, and what its plan includes.',
      schema: ref(RecordUsage),
      example: { used: 12, limit: 1000, record_types: 'all', minimum_ttl: 60 },
    },
  },
  listAllRecords: {
    method: 'GET',
    url: '/api/admin/records',
    summary: 'List the records of all accounts',
    description: 'Without `range`, the list has 25 items; the maximum is 100.',
    access: 'administrator',
    permission: 'administration',
    query: listQuery({
      sort: ADMIN_RECORD_SORT,
      filter: {
        q: 'a part of the owner name or of a value',
        id: 'one id or a list of ids',
        type: 'a record type',
        user_id: 'the id of an account',
      },
    }),
    success: {
      status: 200,
      description: 'The records.',
      schema: Type.Array(ref(AdminRecord)),
      example: [{ ...example, user_id: '7', username: 'ada', fqdn: 'home.example.net' }],
      list: true,
    },
    problems: ['range-not-satisfiable'],
  },
} as const satisfies Slice

/** The answers of the operations of records, and examples of their bodies. */
import { Type } from 'typebox'
import { ref } from '../schema.ts'
import { DnsRecord, RecordBatchResult, ZoneFileResult } from '../schemas/records.ts'

export const example: DnsRecord = {
  id: '81',
  domain_id: '42',
  zone: 'example.net',
  owner: '_acme-challenge.home.example.net',
  type: 'TXT',
  ttl: 3600,
  values: ['"gfj9Xq...Rg85nM"'],
  is_served: true,
  created_at: '2026-05-12T08:30:00.000Z',
  version: 1,
}
export const zoneExample: DnsRecord = {
  ...example,
  domain_id: null,
  zone: 'example.com',
  owner: 'example.com',
  type: 'MX',
  values: ['10 mail.example.com.'],
}

export const found = (sample: DnsRecord) =>
  ({ status: 200, description: 'The record.', schema: ref(DnsRecord), example: sample }) as const
export const made = (sample: DnsRecord) =>
  ({
    status: 201,
    description: 'The record. DNS serves it at once.',
    schema: ref(DnsRecord),
    example: sample,
  }) as const
export const listed = (sample: DnsRecord) =>
  ({
    status: 200,
    description: 'The records.',
    schema: Type.Array(ref(DnsRecord)),
    example: [sample],
    list: true,
  }) as const
export const applied = {
  status: 200,
  description: 'Whether the batch was applied, with a verdict for each operation.',
  schema: ref(RecordBatchResult),
  example: {
    applied: true,
    verdicts: [{ index: 0, op: 'create', ok: true, id: '81', owner: example.owner, type: 'TXT' }],
  },
} as const
export const imported = {
  status: 200,
  description: 'What was imported, or would be.',
  schema: ref(ZoneFileResult),
  example: {
    applied: true,
    created: 12,
    changed: 1,
    deleted: 0,
    unchanged: 3,
    problems: [
      {
        line: 2,
        owner: 'example.com',
        type: 'SOA',
        detail: 'The SOA record of the zone is made by the service and is left out.',
        is_skipped: true,
      },
    ],
    problem_count: 1,
  },
} as const
export const exported = {
  status: 200,
  description: 'The zone file.',
  contentType: 'text/plain',
  download: 'records.zone',
  schema: Type.String(),
  example: '$ORIGIN home.example.net.\n@\t60\tIN\tA\t198.51.100.7\n',
} as const

export const newRecord = {
  owner: '_acme-challenge',
  type: 'TXT',
  ttl: 3600,
  values: ['gfj9Xq...Rg85nM'],
}
export const newMail = { owner: '@', type: 'MX', values: ['10 mail.example.com.'] }
export const batchExample = {
  operations: [
    { op: 'create', ...newRecord },
    { op: 'delete', id: '82' },
  ],
}
export const fileExample = {
  text: '_acme-challenge 3600 IN TXT "gfj9Xq...Rg85nM"\n',
  dry_run: true,
}

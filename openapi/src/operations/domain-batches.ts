import { Type } from 'typebox'
import type { Slice } from '../operation.ts'
import { ref } from '../schema.ts'
import { DomainBatch, DomainBatchResult } from '../schemas/domain-batches.ts'
import { ExportedDomain } from '../schemas/domain-export.ts'
import { DomainCheck } from '../schemas/domains.ts'

/** Room for 500 operations with long names and both addresses. */
const BATCH_LIMIT_BYTES = 512 * 1024

export const domainBatches = {
  checkNewDomain: {
    method: 'GET',
    url: '/api/domains/availability',
    summary: 'Check whether your account can register a domain',
    description:
      'The response has the code and the text with which the registration would be refused now. The domain is not reserved. An account can make 600 checks per hour, and so can a network.',
    access: 'caller',
    keyAction: 'read',
    query: Type.Object({
      fqdn: Type.String({
        minLength: 1,
        maxLength: 1024,
        description: 'The full name of the domain, or with `zone` its label.',
        examples: ['home.example.net'],
      }),
      zone: Type.Optional(
        Type.String({ maxLength: 1024, description: 'Default: the zone at the end of `fqdn`.' }),
      ),
    }),
    success: {
      status: 200,
      description: 'Whether the domain can be registered, and if not, why.',
      schema: ref(DomainCheck),
      example: {
        fqdn: 'home.example.net',
        zone: 'example.net',
        available: false,
        code: 'name-taken',
        detail: 'home.example.net is already registered. Choose another domain.',
      },
    },
  },
  changeDomains: {
    method: 'POST',
    url: '/api/domains/bulk',
    summary: 'Create, change and delete up to 500 domains at once',
    description:
      'The operations follow the rules of the single calls. Either all of them are applied, in one transaction, or nothing is changed: then the problem `batch-refused` has a verdict for each operation in `verdicts`. The limit of the plan applies to the account after the batch. An API key needs the action of each operation. With `dry_run`, nothing is changed and the response has the same verdicts. An account can send 300 batches per hour, and ask for 5,000 new domains in them.',
    access: 'caller',
    keyAction: ['create', 'update', 'delete'],
    idempotencyKey: 'replayed',
    bodyLimitBytes: BATCH_LIMIT_BYTES,
    body: ref(DomainBatch),
    bodyExample: {
      operations: [
        { op: 'create', fqdn: 'home.example.net', record_ip: '198.51.100.7' },
        { op: 'change', fqdn: 'office.example.net', record_ipv6: '2001:db8::7', version: 3 },
        { op: 'delete', id: '44' },
      ],
      dry_run: false,
    },
    success: {
      status: 200,
      description: 'Every operation was applied, or with `dry_run` would be.',
      schema: ref(DomainBatchResult),
      example: {
        applied: true,
        verdicts: [
          { index: 0, op: 'create', ok: true, id: '42', fqdn: 'home.example.net' },
          { index: 1, op: 'change', ok: true, id: '43', fqdn: 'office.example.net' },
          { index: 2, op: 'delete', ok: true, id: '44', fqdn: 'lab.example.net' },
        ],
      },
    },
    problems: ['batch-refused'],
  },
  exportDomains: {
    method: 'GET',
    url: '/api/domains/export',
    summary: 'Export your domains as a CSV or JSON file',
    description:
      'Every plan can export. Cells that spreadsheets could run as a formula begin with an apostrophe. `POST /api/domains/bulk` and `homing domains import` take such a file back.',
    access: 'caller',
    keyAction: 'read',
    query: Type.Object({
      format: Type.Optional(
        Type.Enum(['csv', 'json'], { description: 'The form of the file. Default: csv.' }),
      ),
    }),
    success: {
      status: 200,
      description: 'The domains without their wildcards, in the order of their registration.',
      schema: Type.Array(ref(ExportedDomain)),
      download: 'domains.json',
      example: [
        {
          domain: 'home.example.net',
          zone: 'example.net',
          ipv4: '198.51.100.7',
          ipv6: null,
          status: 'active',
          wildcard: false,
          paused: false,
          tags: 'home, nas',
          note: 'The router in the hall',
          ttl: 60,
          created_at: '2026-05-12T08:30:00.000Z',
          last_update_at: '2026-05-12T08:30:00.000Z',
        },
      ],
      alsoAs: {
        contentType: 'text/csv',
        example:
          'domain,zone,ipv4,ipv6,status,wildcard,paused,tags,note,ttl,created_at,last_update_at\r\nhome.example.net,example.net,198.51.100.7,,active,false,false,"home, nas",,60,2026-05-12T08:30:00.000Z,2026-05-12T08:30:00.000Z\r\n',
      },
    },
  },
} as const satisfies Slice

import { Type, type Static } from 'typebox'
import { PROBLEM_CODES, RECORD_BATCH_LIMIT, RECORD_BOUNDS } from '../vocabulary.ts'
import { Id, nullable, record, ref, Time } from '../schema.ts'

const owner = Type.String({
  minLength: 1,
  maxLength: 1024,
  description:
    'The owner name: the full name, a name relative to the domain or zone, or `@` for the domain or zone itself. Underscores are allowed.',
  examples: ['_443._tcp.www'],
})
const type = Type.String({
  minLength: 1,
  maxLength: 16,
  description:
    'The record type: TXT, CNAME, MX, CAA, SRV, NS, SSHFP, TLSA, HTTPS, SVCB, PTR (own zones), `TYPE` and a number (RFC 3597), or A and AAAA for the address of a name server below a delegation.',
  examples: ['TXT'],
})
const ttl = Type.Integer({
  ...RECORD_BOUNDS.ttl,
  description:
    'The TTL in seconds, at least that of the plan and at most a week. Default: 3600, or that of the plan if it is longer.',
})
const values = Type.Array(
  Type.String({ minLength: 1, maxLength: RECORD_BOUNDS.value, examples: ['10 mail.example.com.'] }),
  {
    minItems: 1,
    maxItems: RECORD_BOUNDS.values,
    description:
      'The values in the form of a zone file (RFC 1035 §5.1). Names are complete with or without a final dot. A value of a TXT record without quotes is one text.',
  },
)

/** What the owner of a record decides; the history keeps it. */
const settings = {
  owner: Type.String({ examples: ['_acme-challenge.home.example.net'] }),
  type: Type.String({ examples: ['TXT'] }),
  ttl: Type.Integer({ description: 'The TTL in seconds.' }),
  values: Type.Array(Type.String(), { description: 'The values, as a zone file writes them.' }),
}

export const RecordSettings = record(
  'RecordSettings',
  settings,
  'A record, as the history keeps it.',
)
export type RecordSettings = Static<typeof RecordSettings>

const recordFields = {
  id: Id,
  domain_id: nullable({
    ...Id,
    description: 'The domain at or above the owner. Null: the record belongs to an own zone.',
  }),
  zone: Type.String({ description: 'The zone that answers.', examples: ['example.net'] }),
  ...settings,
  is_served: Type.Boolean({
    description: 'Whether DNS serves the record. False: its domain or its zone is withheld.',
  }),
  created_at: Time,
  version: Type.Integer({ description: 'The ETag of the record. Every change increases it.' }),
}

export const DnsRecord = record(
  'DnsRecord',
  recordFields,
  'All records of one type at one owner name (an RRset).',
)
export type DnsRecord = Static<typeof DnsRecord>

export const NewRecord = record('NewRecord', { owner, type, ttl: Type.Optional(ttl), values })
export type NewRecord = Static<typeof NewRecord>

export const RecordChange = record(
  'RecordChange',
  { ttl: Type.Optional(ttl), values: Type.Optional(values) },
  'Absent fields stay as they are. `values` replaces all values. Owner and type cannot change.',
)
export type RecordChange = Static<typeof RecordChange>

export const RecordDomain = record(
  'RecordDomain',
  {
    id: { ...Id, description: 'The id that the calls for records of a domain need.' },
    fqdn: Type.String({ examples: ['home.example.net'] }),
  },
  'A domain with records that the caller reaches.',
)
export type RecordDomain = Static<typeof RecordDomain>

export const RecordUsage = record(
  'RecordUsage',
  {
    used: Type.Integer({
      description: 'What the account uses: TXT values, or RRsets, by `record_types`.',
    }),
    limit: Type.Integer({ description: 'What the plan includes.' }),
    record_types: Type.Enum(['txt', 'all'], {
      description:
        '`txt`: the plan includes TXT records, and counts their values. `all`: it includes every type, and counts RRsets.',
    }),
    minimum_ttl: Type.Integer({ description: 'The smallest TTL in seconds.' }),
  },
  'How many records the account has, and what its plan includes.',
)
export type RecordUsage = Static<typeof RecordUsage>

const version = Type.Optional(
  Type.Integer({ description: 'Changes the record only if this is still its version.' }),
)
const isOp = <const Op extends string>(op: Op) => Type.Literal(op)

export const RecordBatchCreate = record(
  'RecordBatchCreate',
  { op: isOp('create'), owner, type, ttl: Type.Optional(ttl), values },
  'Creates a record.',
)
export type RecordBatchCreate = Static<typeof RecordBatchCreate>
export const RecordBatchChange = record(
  'RecordBatchChange',
  { op: isOp('change'), id: Id, version, ttl: Type.Optional(ttl), values: Type.Optional(values) },
  'Changes a record.',
)
export type RecordBatchChange = Static<typeof RecordBatchChange>
export const RecordBatchDelete = record(
  'RecordBatchDelete',
  { op: isOp('delete'), id: Id, version },
  'Deletes a record.',
)
export type RecordBatchDelete = Static<typeof RecordBatchDelete>
export type RecordBatchOperation = RecordBatchCreate | RecordBatchChange | RecordBatchDelete

const operation = Type.Unsafe<RecordBatchOperation>({
  type: 'object',
  description: 'create, change or delete, by `op`.',
  discriminator: { propertyName: 'op' },
  required: ['op'],
  oneOf: [ref(RecordBatchCreate), ref(RecordBatchChange), ref(RecordBatchDelete)],
})

const dryRun = Type.Optional(
  Type.Boolean({ description: 'True: check everything and change nothing.' }),
)

export const RecordBatch = record('RecordBatch', {
  operations: Type.Array(operation, {
    minItems: 1,
    maxItems: RECORD_BATCH_LIMIT,
    description: `The operations, at most ${RECORD_BATCH_LIMIT}. An owner name with a type can occur once.`,
  }),
  dry_run: dryRun,
})
export type RecordBatch = Static<typeof RecordBatch>

export const RecordVerdict = record(
  'RecordVerdict',
  {
    index: Type.Integer({ description: 'The position in `operations`, from 0.' }),
    op: Type.Enum(['create', 'change', 'delete']),
    ok: Type.Boolean({ description: 'Whether the rules allow the operation.' }),
    id: nullable(Type.String({ description: 'The id of the record. Null: it is not created.' })),
    owner: nullable(Type.String()),
    type: nullable(Type.String()),
    code: Type.Optional(
      Type.Enum(PROBLEM_CODES, { description: 'The code of the problem of a single call.' }),
    ),
    detail: Type.Optional(Type.String({ description: 'What is wrong, for people.' })),
    field: Type.Optional(Type.String({ description: 'The field of the operation that is wrong.' })),
  },
  'What the rules say about an operation of a batch of records.',
)
export type RecordVerdict = Static<typeof RecordVerdict>

export const RecordBatchResult = record(
  'RecordBatchResult',
  {
    applied: Type.Boolean({ description: 'False: nothing was changed.' }),
    verdicts: Type.Array(ref(RecordVerdict)),
  },
  'The result of a batch of records. If a verdict is not `ok`, nothing was changed.',
)
export type RecordBatchResult = Static<typeof RecordBatchResult>

export const ZoneFileImport = record('ZoneFileImport', {
  text: Type.String({
    minLength: 1,
    description: 'A zone file (RFC 1035 §5) with LF or CRLF line ends.',
    examples: ['@ 3600 IN MX 10 mail.example.com.\n'],
  }),
  replace: Type.Optional(
    Type.Boolean({
      description:
        'True: records that the file does not have are deleted. Default: false, they stay. In both cases the records of the file replace those of the same owner and type.',
    }),
  ),
  dry_run: dryRun,
})
export type ZoneFileImport = Static<typeof ZoneFileImport>

export const ZoneFileProblem = record(
  'ZoneFileProblem',
  {
    line: Type.Integer({ description: 'The line of the file, from 1.' }),
    owner: nullable(Type.String()),
    type: nullable(Type.String()),
    detail: Type.String({ description: 'What is wrong, for people.' }),
    is_skipped: Type.Boolean({
      description:
        'True: the line is left out and the import goes on, as for the SOA record. False: nothing is imported.',
    }),
  },
  'A line of a zone file that cannot be imported.',
)
export type ZoneFileProblem = Static<typeof ZoneFileProblem>

export const ZoneFileResult = record(
  'ZoneFileResult',
  {
    applied: Type.Boolean({ description: 'False after a dry run and after an error.' }),
    created: Type.Integer(),
    changed: Type.Integer(),
    deleted: Type.Integer(),
    unchanged: Type.Integer(),
    problems: Type.Array(ref(ZoneFileProblem), { description: 'The first 100 problems, by line.' }),
    problem_count: Type.Integer({
      description: 'The number of problems. A file with 10,000 wrong lines is not read to its end.',
    }),
  },
  'What the import of a zone file changed, or would change.',
)
export type ZoneFileResult = Static<typeof ZoneFileResult>

export const AdminRecord = record(
  'AdminRecord',
  {
    ...recordFields,
    user_id: Id,
    username: Type.String(),
    fqdn: nullable(
      Type.String({ description: 'The domain. Null: the record belongs to an own zone.' }),
    ),
  },
  'A record of any account, for administrators.',
)
export type AdminRecord = Static<typeof AdminRecord>

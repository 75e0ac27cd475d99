/** Many changes of domains in one call. */
import { Type, type Static } from 'typebox'
import { Id, nullable, record, ref } from '../schema.ts'
import { BATCH_LIMIT, DOMAIN_TEXT_LIMITS, PROBLEM_CODES } from '../vocabulary.ts'
import { text } from './domain-text.ts'
import { DomainChange, NewDomain } from './domains.ts'
import { OWNER_TEXTS } from './owner-texts.ts'

/** The largest value of the column in PostgreSQL. */
const VERSION_LIMIT = 2_147_483_647

const OPS = ['create', 'change', 'delete'] as const

/** The domain that a change or a deletion is about, and the version that it must have. */
const subject = {
  id: Type.Optional(Id),
  fqdn: Type.Optional(text('The domain, in place of its id.', 'home.example.net')),
  version: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: VERSION_LIMIT,
      description: 'The version that the domain must have, as `If-Match` does for a single call.',
    }),
  ),
}

export const BatchCreate = record(
  'BatchCreate',
  { op: Type.Literal('create'), ...NewDomain.properties },
  'Registers a domain, as `POST /api/domains`.',
)
export type BatchCreate = Static<typeof BatchCreate>

const { record_ip, record_ipv4, record_ipv6, paused } = DomainChange.properties

const tags = (description: string) =>
  Type.Optional(
    Type.Array(OWNER_TEXTS.tags.items, {
      maxItems: DOMAIN_TEXT_LIMITS.tags,
      description,
      examples: [['office']],
    }),
  )

export const BatchChange = record(
  'BatchChange',
  {
    op: Type.Literal('change'),
    ...subject,
    record_ip,
    record_ipv4,
    record_ipv6,
    paused,
    add_tags: tags('Tags that the domain gets, after those that it has.'),
    remove_tags: tags(
      'Tags that are removed from the domain, in upper or lower case. A tag that it does not have is not an error.',
    ),
    monitor: Type.Optional(
      Type.Boolean({
        description: 'Turns the monitor on or off, as `POST /api/uptime/domain/{id}/monitor`.',
      }),
    ),
  },
  'Changes the addresses and the tags of a domain, pauses or resumes it, as `PUT /api/domains/{id}`, and turns its monitor on or off. Give `id` or `fqdn`.',
)
export type BatchChange = Static<typeof BatchChange>

export const BatchDelete = record(
  'BatchDelete',
  { op: Type.Literal('delete'), ...subject },
  'Deletes a domain, as `DELETE /api/domains/{id}`. Give `id` or `fqdn`.',
)
export type BatchDelete = Static<typeof BatchDelete>

export type BatchOperation = BatchCreate | BatchChange | BatchDelete

const operation = Type.Unsafe<BatchOperation>({
  type: 'object',
  description: 'create, change or delete, by `op`.',
  // Finds the form by its `op`, so that an error names the wrong field of that form.
  discriminator: { propertyName: 'op' },
  required: ['op'],
  oneOf: [ref(BatchCreate), ref(BatchChange), ref(BatchDelete)],
})

export const DomainBatch = record('DomainBatch', {
  operations: Type.Array(operation, {
    minItems: 1,
    maxItems: BATCH_LIMIT,
    description: `The operations, at most ${BATCH_LIMIT}. A domain can occur once.`,
  }),
  dry_run: Type.Optional(
    Type.Boolean({ description: 'True: check the operations and change nothing.' }),
  ),
})
export type DomainBatch = Static<typeof DomainBatch>

export const BatchVerdict = record(
  'BatchVerdict',
  {
    index: Type.Integer({ description: 'The position in `operations`, from 0.' }),
    op: Type.Enum(OPS),
    ok: Type.Boolean({ description: 'Whether the rules allow the operation.' }),
    id: nullable(
      Type.String({ description: 'The id of the domain. Null: it is unknown or not created.' }),
    ),
    fqdn: nullable(Type.String({ description: 'The full name. Null: it is unknown.' })),
    code: Type.Optional(
      Type.Enum(PROBLEM_CODES, { description: 'The code of the problem of a single call.' }),
    ),
    detail: Type.Optional(Type.String({ description: 'What is wrong, for people.' })),
    field: Type.Optional(Type.String({ description: 'The field of the operation that is wrong.' })),
  },
  'What the rules say about an operation of a batch.',
)
export type BatchVerdict = Static<typeof BatchVerdict>

export const DomainBatchResult = record(
  'DomainBatchResult',
  {
    applied: Type.Boolean({ description: 'False after a dry run.' }),
    verdicts: Type.Array(ref(BatchVerdict)),
  },
  'The result of a batch of which every operation is allowed.',
)
export type DomainBatchResult = Static<typeof DomainBatchResult>

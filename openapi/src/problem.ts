/**
 * The problem document (RFC 9457) of every failed call. Its codes are in `vocabulary.ts`.
 * Clients that do not know problem documents find the same text in `message`.
 */
import { Type, type Static } from 'typebox'
import { BatchVerdict } from './schemas/domain-batches.ts'
import { Id, record, ref } from './schema.ts'
import { PROBLEM_CODES } from './vocabulary.ts'

export const FieldError = record('FieldError', {
  field: Type.String({ description: 'Name of the field, header or parameter.' }),
  message: Type.String({ description: 'What is wrong and what is expected.' }),
})

export const Problem = record(
  'Problem',
  {
    type: Type.String({ description: 'A URI for this kind of problem.' }),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String({ description: 'An explanation for people.' }),
    code: Type.Enum(PROBLEM_CODES),
    message: Type.String({ description: 'The same text as `detail`.' }),
    errors: Type.Optional(
      Type.Array(Type.Unsafe<Static<typeof FieldError>>({ $ref: 'FieldError#' })),
    ),
    requestId: Type.String(),
    verdicts: Type.Optional(
      Type.Array(ref(BatchVerdict), {
        description: 'With `batch-refused`: one verdict for each operation of the batch.',
      }),
    ),
    id: Type.Optional({
      ...Id,
      description: 'With `secret-not-repeated`: the id of what the first call created.',
    }),
  },
  'RFC 9457 problem document.',
)
export type Problem = Static<typeof Problem>

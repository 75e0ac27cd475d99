/** What the import of a zone file changes, as this program shows it. */
import type { components } from '@homing/openapi/client'
import type { Fact, Listing } from './output.ts'

export type ZoneFileResult = components['schemas']['ZoneFileResult']
type Problem = components['schemas']['ZoneFileProblem']

export const IMPORT_FIELDS = [
  'applied',
  'created',
  'changed',
  'deleted',
  'unchanged',
  'problems',
  'problem_count',
] as const satisfies readonly (keyof ZoneFileResult)[]

const nameOf = ({ owner, type }: Problem): string => [owner, type].filter((part) => part).join(' ')

export const problemListing: Listing<Problem> = {
  columns: [
    { title: 'LINE', of: ({ line }) => String(line) },
    { title: 'RECORD', of: nameOf },
    { title: 'REASON', of: ({ detail }) => detail, fit: 'wrap' },
  ],
  fields: ({ line, owner, type, detail, is_skipped }) => [
    line,
    is_skipped ? 'left out' : 'error',
    owner,
    type,
    detail,
  ],
}

export const countFacts = ({ created, changed, deleted, unchanged }: ZoneFileResult): Fact[] => [
  ['created', created],
  ['changed', changed],
  ['deleted', deleted],
  ['unchanged', unchanged],
]

/** Checks a record by a dry run when typing pauses: the service says what it thinks, and what DNS would answer. */
import { useQuery } from '@tanstack/react-query'
import { ApiProblem } from '../../api/problem.ts'
import { createRecord, type DnsRecord, updateRecord } from '../../api/records.ts'
import { useSettled } from '../../components/use-settled.ts'
import { changeOf, missingIn, newRecordOf, type RecordDraft } from './record-draft.ts'
import type { RecordPlace } from './record-place.ts'

/** The pause in typing after which the draft is checked. */
const PAUSE_MS = 300

interface RecordCheck {
  /** Why the service would refuse the draft; undefined while it is unknown. */
  readonly problem?: ApiProblem
  /** The record as it would be; undefined while it is unknown. */
  readonly result?: DnsRecord
}

/** Only these refuse the record itself. Others, such as too many calls, say nothing about it. */
const isRefusal = (error: unknown): error is ApiProblem =>
  error instanceof ApiProblem && [403, 409, 422].includes(error.status)

/** @param former the record that is edited */
export function useRecordCheck(
  place: RecordPlace,
  draft: RecordDraft,
  former?: DnsRecord,
): RecordCheck {
  const settled = useSettled(draft, PAUSE_MS)
  const isWhole = missingIn(settled) === undefined
  const body = former === undefined ? newRecordOf(settled) : changeOf(settled, former)
  const { data, error } = useQuery({
    queryKey: ['record-check', place.kind, place.id, former?.id, body],
    queryFn: ({ signal }) =>
      former === undefined
        ? createRecord(place, newRecordOf(settled), { isDryRun: true, signal })
        : updateRecord(place, former, body, { isDryRun: true, signal }),
    enabled: isWhole && Object.keys(body).length > 0,
    retry: false,
    gcTime: 0,
  })
  // What was found about another draft says nothing about this one.
  if (settled !== draft || !isWhole) return {}
  if (isRefusal(error)) return { problem: error }
  return error === null && data !== undefined ? { result: data } : {}
}

/** Deletes records. The history can undo it, so nothing asks before. */
import { counted } from '@homing/theme/formats'
import { notify } from '@homing/theme/parts/Notices.tsx'
import { useWrite } from '@homing/theme/parts/use-write.ts'
import { useQueryClient } from '@tanstack/react-query'
import { ApiProblem, deletionOf, textOf } from '../../api/problem.ts'
import { deleteRecord, type DnsRecord } from '../../api/records.ts'
import { recordName, type RecordPlace } from './record-place.ts'
import { reloadRecords } from './reload-records.ts'
import { inBatches } from './undo-records.ts'
import { useRecordNotices } from './use-record-notices.ts'

interface Deletion {
  readonly remove: (records: readonly DnsRecord[]) => void
  /** The records that are being deleted. */
  readonly removing: readonly DnsRecord[]
}

/** @param onDeleted gets the deleted records */
export function useDeletion(
  place: RecordPlace,
  onDeleted: (records: readonly DnsRecord[]) => void,
): Deletion {
  const queries = useQueryClient()
  const notices = useRecordNotices(place)
  function tellFailure(error: Error, record: DnsRecord): void {
    void reloadRecords(queries)
    const name = recordName(record, place.apex)
    const isStale = error instanceof ApiProblem && error.code === 'version-mismatch'
    const why = isStale
      ? 'Another client has changed it. Look at its new values, and delete it again.'
      : textOf(error, 'Please try again.')
    notify({ kind: 'failure', text: `${name} was not deleted. ${why}` })
  }
  const one = useWrite({
    mutationFn: (record: DnsRecord) => deletionOf(deleteRecord(place, record)),
    onSuccess(_, record) {
      notices.deleted([record])
      onDeleted([record])
    },
    onError: tellFailure,
  })
  const several = useWrite({
    mutationFn: (records: readonly DnsRecord[]) =>
      inBatches(
        place,
        records.map(({ id, version }) => ({ op: 'delete', id, version })),
      ),
    onSuccess({ done, reason }, records) {
      const deleted = records.slice(0, done)
      if (done > 0) notices.deleted(deleted)
      else void reloadRecords(queries)
      onDeleted(deleted)
      if (reason === undefined) return
      const left = counted(records.length - done, 'record was', 'records were')
      notify({ kind: 'failure', text: `${left} not deleted. ${reason}` })
    },
  })
  const removing = several.isPending ? several.variables : []
  return {
    remove(records) {
      const [only] = records
      if (records.length === 1 && only !== undefined) one.mutate(only)
      else several.mutate(records)
    },
    removing: one.isPending ? [...removing, one.variables] : removing,
  }
}

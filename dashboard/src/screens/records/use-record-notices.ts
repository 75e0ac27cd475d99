/** After records were saved or deleted: a notice with Undo, and the lists are read again. */
import { counted } from '@homing/theme/formats'
import { notify } from '@homing/theme/parts/Notices.tsx'
import { useQueryClient } from '@tanstack/react-query'
import type { DnsRecord } from '../../api/records.ts'
import { recordName, type RecordPlace } from './record-place.ts'
import { reloadRecords } from './reload-records.ts'
import { type BatchOutcome, changeBack, restoreRecords } from './undo-records.ts'

interface RecordNotices {
  readonly created: (record: DnsRecord) => void
  readonly changed: (before: DnsRecord, after: DnsRecord) => void
  readonly deleted: (records: readonly DnsRecord[]) => void
}

/** What an undo did. @param text if everything was done */
function tellUndone({ done, reason }: BatchOutcome, text: string): void {
  if (reason === undefined) return notify({ kind: 'success', text })
  const part = done === 0 ? 'Nothing was restored.' : `${counted(done, 'record')} restored.`
  return notify({ kind: 'failure', text: `${part} ${reason}` })
}

export function useRecordNotices(place: RecordPlace): RecordNotices {
  const queries = useQueryClient()
  function tell(text: string, undo: () => Promise<void>): void {
    void reloadRecords(queries)
    const run = async () => {
      await undo()
      void reloadRecords(queries)
    }
    notify({ kind: 'success', text, action: { label: 'Undo', run: () => void run() } })
  }
  return {
    created(record) {
      void reloadRecords(queries)
      notify({ kind: 'success', text: `${recordName(record, place.apex)} was added.` })
    },
    changed(before, after) {
      const name = recordName(after, place.apex)
      tell(`${name} was changed.`, async () =>
        tellUndone(
          await changeBack(place, before, after),
          `${name} has its previous values again.`,
        ),
      )
    },
    deleted(records) {
      const [only] = records.length === 1 ? records : []
      const what = only ? recordName(only, place.apex) : counted(records.length, 'record')
      const verb = only ? 'was' : 'were'
      tell(`${what} ${verb} deleted.`, async () =>
        tellUndone(await restoreRecords(place, records), `${what} ${verb} restored.`),
      )
    },
  }
}

/** The dialogs about records. The URL says which is open, and about which record or preset. */
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import {
  type DnsRecord,
  recordQuery,
  type RecordUsage,
  recordUsageQuery,
} from '../../api/records.ts'
import { LoadBoundary } from '../../components/LoadBoundary.tsx'
import { preloadable } from '../../components/preloadable.ts'
import { type DialogInUrl, useSubject } from '../../dialog-url.ts'
import { PRESETS } from './presets.ts'
import type { RecordStart } from './record-draft.ts'
import type { RecordPlace } from './record-place.ts'

const add = preloadable(() => import('./AddRecordDialog.tsx'))
const edit = preloadable(() => import('./EditRecordDialog.tsx'))
const importing = preloadable(() => import('./ImportRecordsDialog.tsx'))

export const RECORD_DIALOGS = ['add-record', 'edit-record', 'import-records'] as const
export type RecordDialogName = (typeof RECORD_DIALOGS)[number]

const PLAIN_START: RecordStart = { owner: '', type: 'TXT' }

interface RecordDialogsProps {
  readonly place: RecordPlace
  readonly dialog: DialogInUrl<RecordDialogName>
  /** Whether a record can be added. */
  readonly canAdd: boolean
}

interface EditProps extends Omit<RecordDialogsProps, 'canAdd'> {
  readonly usage: RecordUsage
  /** Values that the user wanted to add, by the record. */
  readonly added: Added | undefined
}

interface Added {
  readonly record: DnsRecord
  readonly values: readonly string[]
}

/** The dialog of the record that the URL names. If the record does not exist, the dialog leaves the URL. */
function Edit({ place, usage, dialog, added }: EditProps) {
  const { data, isFetching } = useQuery(recordQuery(place, dialog.id ?? ''))
  const list = data === undefined ? undefined : data === null ? [] : [data]
  const record = useSubject(dialog, { data: list, isFetching })
  if (record === undefined) return null
  const isOfAdded = added !== undefined && added.record.id === record.id
  return (
    <edit.Part
      key={record.id}
      place={place}
      usage={usage}
      record={record}
      onClose={dialog.close}
      {...(isOfAdded && { added: added.values })}
    />
  )
}

function OpenDialog({ place, dialog, canAdd }: RecordDialogsProps) {
  const { data: usage } = useQuery(recordUsageQuery)
  const [added, setAdded] = useState<Added>()
  if (dialog.name === undefined || usage === undefined || !place.canEdit) return null
  if (dialog.name === 'import-records') {
    return <importing.Part place={place} onClose={dialog.close} />
  }
  if (dialog.name === 'edit-record') {
    return <Edit place={place} usage={usage} dialog={dialog} added={added} />
  }
  if (!canAdd) return null
  const start = PRESETS.find(({ id }) => id === dialog.id) ?? PLAIN_START
  return (
    <add.Part
      key={dialog.id}
      place={place}
      usage={usage}
      start={start}
      onClose={dialog.close}
      onExisting={(record, values) => {
        setAdded({ record, values })
        dialog.show('edit-record', record.id)
      }}
    />
  )
}

export function RecordDialogs(props: RecordDialogsProps) {
  return (
    <LoadBoundary showsIn="notice" onFailure={props.dialog.close}>
      <Suspense fallback={null}>
        <OpenDialog {...props} />
      </Suspense>
    </LoadBoundary>
  )
}

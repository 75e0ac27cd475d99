/** Saves the counts of each domain as a file. */
import { Failure } from '@homing/theme/parts/Failure.tsx'
import { Modal } from '@homing/theme/parts/Modal.tsx'
import { Select } from '@homing/theme/parts/Select.tsx'
import { useWrite } from '@homing/theme/parts/use-write.ts'
import { useState } from 'react'
import {
  exportedQueries,
  type ExportFormat,
  QUERY_DIMENSIONS,
  type QueryDimension,
} from '../../api/dns-queries.ts'
import { saveFile } from '../../components/save-file.ts'
import { DIMENSION_NAMES } from './query-words.ts'
import { type Period, PERIOD_IDS, PERIODS, spanOf, type View } from './view.ts'

interface ExportDialogProps {
  readonly view: View
  readonly onClose: () => void
}

export default function ExportDialog({ view, onClose }: ExportDialogProps) {
  const [period, setPeriod] = useState<Period>(view.period)
  const [dimension, setDimension] = useState<QueryDimension>(view.filter?.dimension ?? 'type')
  const [format, setFormat] = useState<ExportFormat>('csv')
  const { domainId } = view
  // Another period than the page shows is the present one.
  const back = period === view.period ? view.back : 0
  const { mutate, isPending, error } = useWrite({
    mutationFn: () =>
      exportedQueries({ span: spanOf({ period, back }), domainId, dimension }, format),
    onSuccess(file) {
      saveFile(file, `dns-queries.${format}`)
      onClose()
    },
  })
  return (
    <Modal
      title="Export Data"
      submit={{ label: 'Export', busyLabel: 'Exporting...' }}
      isBusy={isPending}
      onClose={onClose}
      onSubmit={mutate}
    >
      {error && <Failure error={error} />}
      <p>
        {domainId === undefined
          ? 'The file has the counts of each of your domains.'
          : 'The file has the counts of the domain that the page shows.'}
      </p>
      <Select
        label="Period"
        value={period}
        choices={PERIOD_IDS.map((id) => [id, PERIODS[id].name] as const)}
        onChange={setPeriod}
      />
      <Select
        label="Count by"
        value={dimension}
        choices={QUERY_DIMENSIONS.map((id) => [id, DIMENSION_NAMES[id]] as const)}
        onChange={setDimension}
      />
      <Select
        label="Format"
        value={format}
        choices={[
          ['csv', 'CSV, for spreadsheets'],
          ['json', 'JSON'],
        ]}
        onChange={setFormat}
      />
    </Modal>
  )
}

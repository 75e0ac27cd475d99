import { count } from '@homing/theme/formats'
import { Message } from '@homing/theme/parts/Message.tsx'
import CheckCircleOutlined from '@mui/icons-material/CheckCircleOutlined'
import WifiOffOutlined from '@mui/icons-material/WifiOffOutlined'
import type { ReactNode } from 'react'
import type { MonitoringStatus } from '../../api/client.ts'
import { Ago } from '../../layout/Ago.tsx'
import { Mark } from '../../layout/Mark.tsx'

type Worker = MonitoringStatus['workers'][number]

/** Whether the network of the worker seems to be down. */
function NetworkMark({ isBlind }: { isBlind: boolean }) {
  if (!isBlind) {
    return (
      <Mark tone="ok" icon={CheckCircleOutlined}>
        Works
      </Mark>
    )
  }
  return (
    <>
      <Mark tone="error" icon={WifiOffOutlined}>
        Seems down
      </Mark>
      <span className="second-line">Failed checks count as unknown.</span>
    </>
  )
}

interface Column {
  readonly label: string
  readonly isNumber?: boolean
  readonly cell: (worker: Worker) => ReactNode
}

const COLUMNS: readonly Column[] = [
  {
    label: 'Worker',
    cell: ({ name }) => <span className="monospace breakable">{name}</span>,
  },
  { label: 'Lag', isNumber: true, cell: ({ lag_ms }) => `${count(lag_ms)} ms` },
  {
    label: 'Checks per minute',
    isNumber: true,
    cell: ({ checks_per_minute }) => count(checks_per_minute),
  },
  { label: 'Its network', cell: ({ is_blind }) => <NetworkMark isBlind={is_blind} /> },
  { label: 'Seen', cell: ({ seen_at }) => <Ago time={seen_at} never="" /> },
]

/** The workers that check monitors. The lag is the 99th percentile of the last minute. */
export function WorkerTable({ workers }: { workers: readonly Worker[] }) {
  if (workers.length === 0) {
    return (
      <Message tone="warn">
        No worker was seen in the last minute, so nothing is checked. Start a worker process.
      </Message>
    )
  }
  return (
    <div className="records-frame">
      <table role="table" className="records">
        <caption className="visually-hidden">Workers</caption>
        <thead role="rowgroup">
          <tr role="row">
            {COLUMNS.map(({ label, isNumber }) => (
              <th key={label} role="columnheader" scope="col" data-number={isNumber}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {workers.map((worker) => (
            <tr key={worker.name} role="row">
              {COLUMNS.map(({ label, isNumber, cell }) => (
                <td key={label} role="cell" data-label={label} data-number={isNumber}>
                  {cell(worker)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

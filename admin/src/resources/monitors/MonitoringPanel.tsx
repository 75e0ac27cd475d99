/** How monitoring runs: states, overdue checks and workers. It refreshes by itself. */
import { Message } from '@homing/theme/parts/Message.tsx'
import { count, counted, enumeration, timeText } from '@homing/theme/formats'
import Paper from '@mui/material/Paper'
import { useDataProvider } from 'react-admin'
import type { MonitoringStatus } from '../../api/client.ts'
import type { AdminDataProvider } from '../../dataProvider.ts'
import { Ago } from '../../layout/Ago.tsx'
import { type Fact, Facts } from '../../layout/Facts.tsx'
import { Trouble } from '../../layout/Trouble.tsx'
import { PauseButton } from './PauseButton.tsx'
import { useMonitoringStatus } from './monitoring-status.ts'
import { WorkerTable } from './WorkerTable.tsx'

function monitorsText(states: MonitoringStatus['states']): string {
  const parts = Object.entries(states).map(([state, monitors]) => `${count(monitors)} ${state}`)
  return parts.length === 0 ? 'none yet' : enumeration(parts)
}

function Overdue({ status: { overdue, oldest_due_at } }: { status: MonitoringStatus }) {
  if (overdue === 0) return 'no checks'
  return (
    <strong>
      {counted(overdue, 'check')} by more than 30 seconds, the oldest was due{' '}
      <Ago time={oldest_due_at} never="–" />
    </strong>
  )
}

const factsOf = (status: MonitoringStatus): readonly Fact[] => [
  ['Monitors', monitorsText(status.states)],
  ['Overdue', <Overdue key="overdue" status={status} />],
]

function Pause({ status }: { status: MonitoringStatus }) {
  const { is_paused, reason, paused_at } = status
  if (!is_paused) return null
  return (
    <Message tone="warn">
      All monitors are paused{paused_at === null ? '' : ` since ${timeText(paused_at)}`}: {reason}
    </Message>
  )
}

export function MonitoringPanel() {
  const provider = useDataProvider<AdminDataProvider>()
  const { data, error, refetch } = useMonitoringStatus()
  return (
    <Paper className="panel status-panel" component="section" aria-label="Status of monitoring">
      {/* Figures that could not be refreshed would look like present ones. */}
      {error !== null && <Trouble error={error} onRetry={() => void refetch()} />}
      {error === null && data !== undefined && (
        <>
          <Pause status={data} />
          <Facts facts={factsOf(data)} />
          <WorkerTable workers={data.workers} />
          <PauseButton
            subject="all monitors"
            isPaused={data.is_paused}
            resuming="All monitors run again, except those of paused accounts. Their checks begin within an interval."
            save={(pause) => provider.pauseMonitoring(pause)}
            onSaved={() => void refetch()}
          />
        </>
      )}
    </Paper>
  )
}

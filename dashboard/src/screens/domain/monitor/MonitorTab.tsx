/** The monitor of the domain: its state, history, incidents, checks, mails and maintenance, and its settings. */
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import type { Domain } from '../../../api/domains.ts'
import { type Monitor, monitorQuery } from '../../../api/monitors.ts'
import { Loaded } from '../../../components/Loaded.tsx'
import { LoadBoundary } from '../../../components/LoadBoundary.tsx'
import { preloadable } from '../../../components/preloadable.ts'
import type { DialogInUrl } from '../../../dialog-url.ts'
import { usePageActions } from '../../../keyboard/page-actions.ts'
import { switchBlock } from '../../monitor/monitor-words.ts'
import { useMonitorSwitch } from '../../monitor/use-monitor-switch.ts'
import type { DomainDialogName } from '../DomainDialogs.tsx'
import { HeartbeatCard } from './HeartbeatCard.tsx'
import { HistoryCard } from './HistoryCard.tsx'
import { IncidentsCard } from './IncidentsCard.tsx'
import { MailsCard } from './MailsCard.tsx'
import { MaintenanceCard } from './MaintenanceCard.tsx'
import { MonitorCard } from './MonitorCard.tsx'
import { MonitorUpsell } from './MonitorUpsell.tsx'
import { ResultsCard } from './ResultsCard.tsx'
import './monitor-tab.css'

const settings = preloadable(() => import('./SettingsDialog.tsx'))
const addWindow = preloadable(() => import('./AddMaintenanceDialog.tsx'))
const deleteWindow = preloadable(() => import('./DeleteMaintenanceDialog.tsx'))
const formula = preloadable(() => import('../../monitor/FormulaDialog.tsx'))

interface MonitorTabProps {
  readonly domain: Domain
  readonly dialog: DialogInUrl<DomainDialogName>
}

interface ContentProps extends MonitorTabProps {
  readonly monitor: Monitor
}

interface OpenDialogProps extends ContentProps {
  readonly canChange: boolean
}

function OpenDialog({ dialog: { name, id, close }, monitor, canChange }: OpenDialogProps) {
  if (name === 'uptime') return <formula.Part onClose={close} />
  if (!canChange) return null
  if (name === 'monitor-settings') return <settings.Part monitor={monitor} onClose={close} />
  if (name === 'add-maintenance') {
    return <addWindow.Part domainId={monitor.domain_id} onClose={close} />
  }
  if (name === 'delete-maintenance' && id !== undefined) {
    return <deleteWindow.Part domainId={monitor.domain_id} windowId={id} onClose={close} />
  }
  return null
}

/** The actions of the tab for the command palette. */
function useActions({ dialog, monitor, canChange }: OpenDialogProps, turn: () => void) {
  const { is_enabled } = monitor
  const change = [
    { label: 'Monitor Settings', icon: 'settings', run: () => dialog.show('monitor-settings') },
    {
      label: 'Add Maintenance',
      icon: 'add',
      shortcut: 'create',
      run: () => dialog.show('add-maintenance'),
    },
  ] as const
  const turnTo = is_enabled ? 'Turn Monitor Off' : 'Turn Monitor On'
  usePageActions([
    ...(canChange || is_enabled ? [{ label: turnTo, icon: 'pause', run: turn } as const] : []),
    ...(canChange ? change : []),
    { label: 'How uptime is calculated', icon: 'info', run: () => dialog.show('uptime') },
  ])
}

function Content(props: ContentProps) {
  const { domain, dialog, monitor } = props
  const { is_enabled, uptime_90d, min_interval_seconds, kind, heartbeat_source } = monitor
  const isInPlan = min_interval_seconds !== null
  const canChange = switchBlock(domain, isInPlan) === undefined
  const turn = useMonitorSwitch()
  useActions({ ...props, canChange }, () => turn(domain, !is_enabled))
  const hasHistory = is_enabled || uptime_90d !== null
  const { id } = domain
  return (
    <>
      {!isInPlan && <MonitorUpsell />}
      {(isInPlan || hasHistory) && (
        <MonitorCard
          domain={domain}
          monitor={monitor}
          onSettings={canChange ? () => dialog.show('monitor-settings') : undefined}
          onFormula={() => dialog.show('uptime')}
          onSwitch={(enable) => turn(domain, enable)}
        />
      )}
      {canChange && kind === 'heartbeat' && heartbeat_source === 'url' && (
        <HeartbeatCard monitor={monitor} />
      )}
      {hasHistory && (
        <>
          <HistoryCard domainId={id} />
          <div className="domain-cards">
            <IncidentsCard domainId={id} />
            <ResultsCard domainId={id} />
          </div>
        </>
      )}
      {(isInPlan || hasHistory) && (
        <div className="domain-cards">
          <MaintenanceCard domainId={id} canChange={canChange} onShow={dialog.show} />
          <MailsCard monitor={monitor} canSend={isInPlan} />
        </div>
      )}
      <LoadBoundary key={dialog.name} showsIn="notice" onFailure={dialog.close}>
        <Suspense fallback={null}>
          <OpenDialog {...props} canChange={canChange} />
        </Suspense>
      </LoadBoundary>
    </>
  )
}

export default function MonitorTab({ domain, dialog }: MonitorTabProps) {
  const query = useQuery(monitorQuery(domain.id))
  return (
    <Loaded query={query} failure="Failed to load data">
      {(monitor) => <Content domain={domain} dialog={dialog} monitor={monitor} />}
    </Loaded>
  )
}

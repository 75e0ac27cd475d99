import { Icon } from '@homing/theme/parts/Icon.tsx'
import type { Domain } from '../../../api/domains.ts'
import { domainHash } from '../../../routes.ts'
import { STATE_LOOKS, switchBlock, watchedText } from '../../monitor/monitor-words.ts'
import { MonitorSwitch } from '../../monitor/MonitorSwitch.tsx'
import './monitor-cell.css'

interface MonitorCellProps {
  readonly domain: Domain
  /** Whether the plan includes monitors. */
  readonly isInPlan: boolean
  readonly onMonitor: (domain: Domain, enable: boolean) => void
}

/** What the monitor watches, which leads to it, and its state. */
function State({ domain }: Pick<MonitorCellProps, 'domain'>) {
  const { fqdn, monitor_enabled, monitor_state } = domain
  const { word, icon, tone } = STATE_LOOKS[monitor_state ?? 'off']
  if (!monitor_enabled) return <span className="muted">Off</span>
  return (
    <>
      <span className={`status status-${tone}`}>
        <Icon name={icon} size={16} />
        {word}
      </span>
      <a className="monitor-watched" href={domainHash(fqdn, { tab: 'monitor' })}>
        {watchedText(domain)}
      </a>
    </>
  )
}

/** A monitor that was turned on can be turned off on every plan. */
export function MonitorCell({ domain, isInPlan, onMonitor }: MonitorCellProps) {
  const { id, fqdn, monitor_enabled, is_wildcard } = domain
  const block = switchBlock(domain, isInPlan || monitor_enabled)
  const textId = `monitor-${id}`
  return (
    <div>
      {!is_wildcard && (
        <MonitorSwitch
          fqdn={fqdn}
          isOn={monitor_enabled}
          isDisabled={block !== undefined}
          describedBy={textId}
          onSwitch={(enable) => onMonitor(domain, enable)}
        />
      )}
      <span id={textId} className="monitor-text">
        {(block === undefined || monitor_enabled) && <State domain={domain} />}
        {block !== undefined && <span className="monitor-block">{block}</span>}
      </span>
    </div>
  )
}

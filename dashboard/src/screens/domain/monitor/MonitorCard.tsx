/** The state of the monitor, what it checks, its percentages, and the switch. */
import { ageText, dayText, percentText, timeText } from '@homing/theme/formats'
import { Icon } from '@homing/theme/parts/Icon.tsx'
import { useNow } from '@homing/theme/parts/use-now.ts'
import type { Domain } from '../../../api/domains.ts'
import type { Monitor } from '../../../api/monitors.ts'
import { STATE_LOOKS, switchBlock } from '../../monitor/monitor-words.ts'
import { MonitorSwitch } from '../../monitor/MonitorSwitch.tsx'
import { checkText, stateText } from './monitor-sentences.ts'

const TICK_MS = 10_000

function StateBadge({ state }: Pick<Monitor, 'state'>) {
  const { word, icon, tone } = STATE_LOOKS[state]
  return (
    <span className={`monitor-state monitor-state-${tone}`}>
      <Icon name={icon} size={16} />
      {word}
    </span>
  )
}

const SPANS = [
  ['24 hours', 'uptime_24h'],
  ['7 days', 'uptime_7d'],
  ['30 days', 'uptime_30d'],
  ['90 days', 'uptime_90d'],
] as const

function Percentages({ monitor }: { readonly monitor: Monitor }) {
  return (
    <dl className="uptime-figures" aria-label="Uptime">
      {SPANS.map(([title, field]) => {
        const uptime = monitor[field]
        return (
          <div key={field}>
            <dt>{title}</dt>
            <dd className={uptime === null ? 'muted' : 'figure'}>
              {uptime === null ? 'No data' : percentText(uptime)}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}

function Facts({ monitor, nowMs }: { readonly monitor: Monitor; readonly nowMs: number }) {
  const { last_check_at, last_latency_ms, certificate_expires_at, last_heartbeat_at } = monitor
  return (
    <dl className="section-facts monitor-facts">
      {last_check_at !== null && (
        <div>
          <dt>Last check</dt>
          <dd>
            <time dateTime={last_check_at} title={timeText(last_check_at)}>
              {ageText(last_check_at, nowMs)}
            </time>
            {last_latency_ms !== null && `, answered in ${last_latency_ms} ms`}
          </dd>
        </div>
      )}
      {last_heartbeat_at !== null && (
        <div>
          <dt>Last heartbeat</dt>
          <dd>
            <time dateTime={last_heartbeat_at} title={timeText(last_heartbeat_at)}>
              {ageText(last_heartbeat_at, nowMs)}
            </time>
          </dd>
        </div>
      )}
      {certificate_expires_at !== null && (
        <div>
          <dt>Certificate expires</dt>
          <dd>{dayText(certificate_expires_at)}</dd>
        </div>
      )}
    </dl>
  )
}

interface MonitorCardProps {
  readonly domain: Domain
  readonly monitor: Monitor
  /** Undefined if the settings cannot be changed. */
  readonly onSettings: (() => void) | undefined
  readonly onFormula: () => void
  readonly onSwitch: (enable: boolean) => void
}

const TEXT_ID = 'monitor-state'

export function MonitorCard(props: MonitorCardProps) {
  const { domain, monitor, onSettings, onFormula, onSwitch } = props
  const { state, is_enabled, min_interval_seconds, uptime_90d } = monitor
  const nowMs = useNow(TICK_MS)
  const block = switchBlock(domain, is_enabled || min_interval_seconds !== null)
  const checks = checkText(monitor)
  return (
    <section className="card section-card" aria-labelledby="monitor-title">
      <div className="domain-card-head">
        <h2 id="monitor-title">Monitor</h2>
        <span className="monitor-head">
          <StateBadge state={state} />
          <MonitorSwitch
            fqdn={domain.fqdn}
            isOn={is_enabled}
            isDisabled={block !== undefined}
            describedBy={TEXT_ID}
            onSwitch={onSwitch}
          />
        </span>
      </div>
      <div id={TEXT_ID} className="monitor-sentences">
        <p>{stateText(monitor, nowMs)}</p>
        {checks !== undefined && state !== 'off' && state !== 'stopped' && (
          <p className="muted">{checks}</p>
        )}
        {block !== undefined && <p className="muted">{block}. The monitor cannot be changed.</p>}
      </div>
      {(is_enabled || uptime_90d !== null) && (
        <>
          <Facts monitor={monitor} nowMs={nowMs} />
          <Percentages monitor={monitor} />
        </>
      )}
      <div className="section-actions">
        {onSettings && (
          <button type="button" className="line-button" onClick={onSettings}>
            <Icon name="settings" size={16} />
            {state === 'undecided' ? 'Choose What to Check' : 'Monitor Settings'}
          </button>
        )}
        <button type="button" className="text-button" onClick={onFormula}>
          How uptime is calculated
        </button>
      </div>
    </section>
  )
}

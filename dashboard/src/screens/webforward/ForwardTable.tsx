/** The web forwards as a table of native elements, and as cards on phones. */
import { ColumnTitles } from '@homing/theme/parts/ColumnTitles.tsx'
import { ageText, count, timeText } from '@homing/theme/formats'
import { Icon } from '@homing/theme/parts/Icon.tsx'
import { useNow } from '@homing/theme/parts/use-now.ts'
import type { Domain } from '../../api/domains.ts'
import type { WebForward } from '../../api/web-forwards.ts'
import { DomainName } from '../../components/DomainName.tsx'
import { domainHash } from '../../routes.ts'
import {
  FINDING_NAMES,
  type ForwardState,
  remarkOf,
  STATE_NAMES,
  stateOf,
  TYPE_NAMES,
} from './forward-words.ts'

const MINUTE_MS = 60_000
const COLUMNS = ['Forward', 'Type', 'Code', 'Hits, 7 days', 'Last check', 'Status'] as const

export type ForwardTask = 'edit' | 'delete'

const BADGES: Readonly<Record<ForwardState, string>> = {
  active: 'badge badge-on',
  paused: 'badge',
  disabled: 'badge badge-failed',
}

export function StateBadge({ forward }: { readonly forward: WebForward }) {
  const state = stateOf(forward)
  return <span className={BADGES[state]}>{STATE_NAMES[state]}</span>
}

/** When the target was checked last, and what was found. */
export function LastCheck({ forward, nowMs }: { forward: WebForward; nowMs: number }) {
  const { last_checked_at: at, check_result: result } = forward
  if (at === null) return <span className="muted">Not yet</span>
  return (
    <span>
      {result !== null && `${FINDING_NAMES[result.finding]}, `}
      <time dateTime={at} title={timeText(at)}>
        {ageText(at, nowMs)}
      </time>
    </span>
  )
}

/** The status of the redirect. A page with a frame redirects nobody. */
export function Code({ forward }: { readonly forward: WebForward }) {
  const { forwarding_type, fallback, status_code } = forward
  if (forwarding_type === 'redirect' || fallback !== null) return status_code
  return <span className="muted">Not used</span>
}

interface Tasks {
  readonly tasks: readonly ForwardTask[]
  readonly onTask: (task: ForwardTask, forward: WebForward) => void
}

interface RowProps extends Tasks {
  readonly forward: WebForward
  readonly domain: Domain | undefined
  readonly nowMs: number
}

const LABELS = { edit: 'Edit', delete: 'Delete' } as const

/** The owner cannot change what an administrator disabled. The row says so. */
function Buttons({ forward, tasks, onTask }: Pick<RowProps, 'forward' | 'tasks' | 'onTask'>) {
  if (stateOf(forward) === 'disabled') return null
  return tasks.map((task) => (
    <button
      key={task}
      type="button"
      className={task === 'delete' ? 'line-button line-button-danger' : 'line-button'}
      aria-label={`${LABELS[task]} the forward of ${forward.fqdn}`}
      onClick={() => onTask(task, forward)}
    >
      {LABELS[task]}
    </button>
  ))
}

function Source({ forward, domain }: Pick<RowProps, 'forward' | 'domain'>) {
  const { fqdn, target_url } = forward
  const remark = remarkOf(forward, domain)
  return (
    <th role="rowheader" scope="row" className="forward-names">
      <a className="forward-source" href={domainHash(fqdn, { tab: 'forward' })}>
        <DomainName fqdn={fqdn} />
      </a>
      <span className="forward-target">
        <Icon name="forward" size={14} />
        <span className="visually-hidden">leads to</span>
        <a href={target_url} target="_blank" rel="noreferrer">
          {target_url}
        </a>
      </span>
      {remark !== undefined && <span className="forward-remark">{remark}</span>}
    </th>
  )
}

function Row({ forward, domain, nowMs, tasks, onTask }: RowProps) {
  return (
    <tr role="row">
      <Source forward={forward} domain={domain} />
      <td role="cell" data-label="Type">
        {TYPE_NAMES[forward.forwarding_type]}
      </td>
      <td role="cell" data-label="Code">
        <Code forward={forward} />
      </td>
      <td role="cell" data-label="Hits, 7 days">
        {count(forward.hits_7d)}
      </td>
      <td role="cell" data-label="Last check">
        <LastCheck forward={forward} nowMs={nowMs} />
      </td>
      <td role="cell" data-label="Status">
        <StateBadge forward={forward} />
      </td>
      <td role="cell" className="forward-buttons">
        <Buttons forward={forward} tasks={tasks} onTask={onTask} />
      </td>
    </tr>
  )
}

interface ForwardTableProps extends Tasks {
  readonly forwards: readonly WebForward[]
  readonly domains: readonly Domain[]
}

export function ForwardTable({ forwards, domains, ...tasks }: ForwardTableProps) {
  const nowMs = useNow(MINUTE_MS)
  const byId = new Map(domains.map((domain) => [domain.id, domain]))
  return (
    <table role="table" className="forwards" aria-label="Web forwards">
      <ColumnTitles titles={COLUMNS} hasActions />
      <tbody role="rowgroup">
        {forwards.map((forward) => (
          <Row
            key={forward.id}
            forward={forward}
            domain={byId.get(forward.domain_id)}
            nowMs={nowMs}
            {...tasks}
          />
        ))}
      </tbody>
    </table>
  )
}

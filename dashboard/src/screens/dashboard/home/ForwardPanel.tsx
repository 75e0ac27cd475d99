/** What the account forwards, and the way to it, for plans with web forwarding. */
import { count } from '@homing/theme/formats'
import { Failure } from '@homing/theme/parts/Failure.tsx'
import { Icon } from '@homing/theme/parts/Icon.tsx'
import { useQuery } from '@tanstack/react-query'
import type { Me } from '../../../api/account.ts'
import { forwardsQuery, forwardUsageQuery } from '../../../api/web-forwards.ts'
import { hashOf } from '../../../routes.ts'

interface FigureProps {
  readonly title: string
  /** Undefined until it is read. */
  readonly figure: string | undefined
  readonly note: string
}

function Figure({ title, figure, note }: FigureProps) {
  return (
    <div>
      <dt className="stat-title">{title}</dt>
      <dd>
        {figure === undefined ? (
          <span className="skeleton skeleton-figure" />
        ) : (
          <>
            <span className="figure">{figure}</span> <span className="stat-note">{note}</span>
          </>
        )}
      </dd>
    </div>
  )
}

function Figures() {
  const forwards = useQuery(forwardsQuery)
  const usage = useQuery(forwardUsageQuery)
  const failed = [forwards, usage].find(({ data, error }) => data === undefined && error !== null)
  if (failed?.error) return <Failure error={failed.error} onRetry={() => void failed.refetch()} />
  const active = forwards.data?.filter(
    ({ is_active, disabled_reason }) => is_active && disabled_reason === null,
  )
  return (
    <dl className="forward-figures">
      <Figure
        title="Active Forwards"
        figure={active && count(active.length)}
        note={`of ${count(forwards.data?.length ?? 0)}`}
      />
      <Figure
        title="Stealth Flags"
        figure={usage.data && count(usage.data.stealth_flags_used)}
        note={`of ${count(usage.data?.max_stealth_flags ?? 0)} used`}
      />
    </dl>
  )
}

export function ForwardPanel({ me }: { readonly me: Me | undefined }) {
  if (me?.limits.abilities.includes('web_forward') !== true) return null
  return (
    <section className="card forward-panel" aria-labelledby="forward-panel-title">
      <div className="forward-panel-head">
        <h2 id="forward-panel-title">Web Forwarding</h2>
        <a href={hashOf('webforward')}>
          Manage web forwards
          <Icon name="forward" size={16} />
        </a>
      </div>
      <Figures />
    </section>
  )
}

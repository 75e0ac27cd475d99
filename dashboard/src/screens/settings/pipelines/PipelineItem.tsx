import { ageText, timeText } from '@homing/theme/formats'
import type { TrustPolicy } from '../../../api/trust-policies.ts'
import { Icon } from '../../../components/Icon.tsx'
import { scopeSentences } from '../api-keys/scope-text.ts'

export type PipelineTask = 'workflow' | 'delete'

interface PipelineItemProps {
  readonly policy: TrustPolicy
  readonly nowMs: number
  readonly onTask: (task: PipelineTask, policy: TrustPolicy) => void
}

/** Which runs are trusted: `ada/home, branch main`. */
function runsOf({ repository, repository_id: id, subject, branch, environment }: TrustPolicy) {
  return [
    repository ?? (id === null ? subject : `repository ${id}`),
    ...(branch === null ? [] : [`branch ${branch}`]),
    ...(environment === null ? [] : [`environment ${environment}`]),
  ].join(', ')
}

function LastUse({ policy, nowMs }: Pick<PipelineItemProps, 'policy' | 'nowMs'>) {
  const { last_used_at: at, last_used_ip: ip, last_subject: subject } = policy
  if (at === null) return 'Never used'
  return (
    <>
      Last used{' '}
      <time dateTime={at} title={timeText(at)}>
        {ageText(at, nowMs)}
      </time>
      {ip !== null && ` from ${ip}`}
      {subject !== null && ` by ${subject}`}
    </>
  )
}

/** One trusted pipeline. */
export function PipelineItem({ policy, nowMs, onTask }: PipelineItemProps) {
  const { name, issuer, scope } = policy
  return (
    <li className="credential">
      <div className="credential-head">
        <h3>{name}</h3>
        <span className="monospace muted">{runsOf(policy)}</span>
      </div>
      <p>{scopeSentences(scope).join(' ')}</p>
      <p className="credential-facts">
        <span>
          <LastUse policy={policy} nowMs={nowMs} />
        </span>
        <span>{new URL(issuer).host}</span>
      </p>
      <div className="credential-actions">
        <button
          type="button"
          className="small-button"
          aria-label={`Show workflow of ${name}`}
          onClick={() => onTask('workflow', policy)}
        >
          <Icon name="show" size={16} />
          Show Workflow
        </button>
        <button
          type="button"
          className="small-button small-button-danger"
          aria-label={`Delete ${name}`}
          onClick={() => onTask('delete', policy)}
        >
          <Icon name="remove" size={16} />
          Delete
        </button>
      </div>
    </li>
  )
}

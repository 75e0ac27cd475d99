import type { TrustPolicy } from '../../../api/trust-policies.ts'
import { Icon } from '@homing/theme/parts/Icon.tsx'
import { LastUse } from '../api-keys/LastUse.tsx'
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
          <LastUse
            at={policy.last_used_at}
            ip={policy.last_used_ip}
            by={policy.last_subject}
            nowMs={nowMs}
          />
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

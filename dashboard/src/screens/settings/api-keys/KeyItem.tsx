import { dayText, timeText } from '@homing/theme/formats'
import type { ApiKey } from '../../../api/api-keys.ts'
import { Icon, type IconName } from '@homing/theme/parts/Icon.tsx'
import { LastUse } from './LastUse.tsx'
import { endingOf, isForgotten, scopeSentences } from './scope-text.ts'

export type KeyTask = 'edit' | 'rotate' | 'test' | 'delete'

interface KeyItemProps {
  readonly apiKey: ApiKey
  readonly nowMs: number
  readonly onTask: (task: KeyTask, apiKey: ApiKey) => void
}

const TASKS: readonly (readonly [KeyTask, string, IconName])[] = [
  ['edit', 'Edit', 'edit'],
  ['rotate', 'Rotate', 'rotate'],
  ['test', 'Test', 'check'],
  ['delete', 'Delete', 'remove'],
]

/** The last use of a secret: the present one, or the former one. */
type Use = Pick<ApiKey, 'last_used_at' | 'last_used_ip' | 'last_client'>

const lastUseOf = ({ last_used_at: at, last_used_ip: ip, last_client: by }: Use) => ({ at, ip, by })

function Former({ apiKey, nowMs }: Pick<KeyItemProps, 'apiKey' | 'nowMs'>) {
  const { former_secret: former } = apiKey
  if (former === null) return null
  return (
    <p className="credential-note">
      The former secret <code className="monospace">{former.prefix}…</code> works until{' '}
      {timeText(former.expires_at)}. <LastUse {...lastUseOf(former)} nowMs={nowMs} />.
    </p>
  )
}

/** When the key got its secret. */
const secretSince = ({ created_at: created, rotated_at: rotated }: ApiKey): string =>
  rotated === null ? `Created ${dayText(created)}` : `Rotated ${dayText(rotated)}`

/** One key: what it is called, what it can do, whether it is used, and when it ends. */
export function KeyItem({ apiKey, nowMs, onTask }: KeyItemProps) {
  const { name, prefix, scope } = apiKey
  const ending = endingOf(apiKey, nowMs)
  return (
    <li className="credential">
      <div className="credential-head">
        <h3>{name}</h3>
        <code className="monospace muted">{prefix}…</code>
      </div>
      <p>{scopeSentences(scope).join(' ')}</p>
      <p className="credential-facts">
        <span>
          <LastUse {...lastUseOf(apiKey)} nowMs={nowMs} />
        </span>
        <span>{secretSince(apiKey)}</span>
        <span className={`credential-ending credential-ending-${ending.tone}`}>{ending.text}</span>
      </p>
      <Former apiKey={apiKey} nowMs={nowMs} />
      {isForgotten(apiKey, nowMs) && (
        <p className="credential-note">
          This key was not used for 90 days. Delete it if nothing needs it.
        </p>
      )}
      <div className="credential-actions">
        {TASKS.filter(([task]) => task !== 'rotate' || !apiKey.is_expired).map(
          ([task, label, icon]) => (
            <button
              key={task}
              type="button"
              className={task === 'delete' ? 'small-button small-button-danger' : 'small-button'}
              aria-label={`${label} ${name}`}
              onClick={() => onTask(task, apiKey)}
            >
              <Icon name={icon} size={16} />
              {label}
            </button>
          ),
        )}
      </div>
    </li>
  )
}

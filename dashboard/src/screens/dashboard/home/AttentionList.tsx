/**
 * What needs an action about domains and keys: the notices of these kinds, each with its action. The banner of this
 * screen leaves them out (`isListed`).
 */
import { useQuery } from '@tanstack/react-query'
import { type AccountNotice, isListed, noticesQuery } from '../../../api/notices.ts'
import { announce } from '@homing/theme/parts/Announcer.tsx'
import { Icon } from '@homing/theme/parts/Icon.tsx'
import { noticeHref, SEVERITIES } from '../../frame/notice-words.ts'
import { useDismissal } from '../../frame/use-dismissal.ts'

interface LineProps {
  readonly notice: AccountNotice
  readonly isBusy: boolean
  readonly onDismiss: () => void
}

function Line({ notice, isBusy, onDismiss }: LineProps) {
  const { severity, title, text, action, dismissable } = notice
  const { icon, label } = SEVERITIES[severity]
  return (
    <li className={`attention attention-${severity}`}>
      <Icon name={icon} />
      <p>
        <span className="visually-hidden">{label}: </span>
        <strong>{title}</strong> <span>{text}</span>
      </p>
      <a className="attention-action" href={noticeHref(notice)}>
        {action.label}
      </a>
      {dismissable ? (
        <button
          type="button"
          className="icon-button"
          aria-label={`Dismiss: ${title}`}
          aria-disabled={isBusy}
          onClick={onDismiss}
        >
          <Icon name="close" />
        </button>
      ) : (
        <span />
      )}
    </li>
  )
}

/** The button that had the focus disappears with its line. */
function afterDismissal(left: readonly AccountNotice[]): void {
  const count = left.filter(isListed).length
  announce(count === 0 ? 'Dismissed. Nothing else needs attention.' : `Dismissed. ${count} left.`)
  const next = document.querySelector<HTMLElement>(
    count === 0 ? '#domains-title' : '#attention-title',
  )
  next?.focus()
}

export function AttentionList() {
  const { data: notices = [] } = useQuery(noticesQuery)
  const { mutate, isPending } = useDismissal(afterDismissal)
  const listed = notices.filter(isListed)
  if (listed.length === 0) return null
  return (
    <section className="card attention-card" aria-labelledby="attention-title">
      <h2 id="attention-title" tabIndex={-1}>
        Needs attention
      </h2>
      <ul>
        {listed.map((notice) => (
          <Line
            key={notice.id}
            notice={notice}
            isBusy={isPending}
            onDismiss={() => mutate(notice.id)}
          />
        ))}
      </ul>
    </section>
  )
}

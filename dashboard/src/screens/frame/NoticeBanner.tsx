/**
 * The one place for messages about the account, on every screen of signed-in users. It shows the most important notice,
 * and leads to the others. Which notices there are, and which were dismissed, the service decides.
 */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type AccountNotice, dismissNotice, noticesQuery } from '../../api/notices.ts'
import { isUserStored } from '../../api/session.ts'
import { announce } from '@homing/theme/parts/Announcer.tsx'
import { Icon, type IconName } from '@homing/theme/parts/Icon.tsx'
import { notify } from '@homing/theme/parts/Notices.tsx'
import { useWrite } from '@homing/theme/parts/use-write.ts'
import { useBannerSpace } from './use-banner-space.ts'
import './banner.css'

const SEVERITIES: Readonly<Record<AccountNotice['severity'], { icon: IconName; label: string }>> = {
  error: { icon: 'failure', label: 'Problem' },
  warning: { icon: 'warning', label: 'Attention' },
  info: { icon: 'info', label: 'Note' },
}

/** Every change that the user makes can settle a notice, or cause one. Logout also changes something, and ends the session. */
function useFreshNotices(): void {
  const queries = useQueryClient()
  useEffect(
    () =>
      queries.getMutationCache().subscribe(({ type, mutation }) => {
        if (type !== 'updated' || mutation.state.status !== 'success' || !isUserStored()) return
        void queries.invalidateQueries({ queryKey: noticesQuery.queryKey })
      }),
    [queries],
  )
}

/** Dismisses a notice. @param onDismissed gets the notices that are left */
function useDismissal(onDismissed: (left: readonly AccountNotice[]) => void) {
  const queries = useQueryClient()
  return useWrite({
    mutationFn: dismissNotice,
    onSuccess(_, id) {
      const left = (queries.getQueryData(noticesQuery.queryKey) ?? []).filter(
        (notice) => notice.id !== id,
      )
      queries.setQueryData(noticesQuery.queryKey, left)
      onDismissed(left)
    },
    onError: (error) =>
      notify({ kind: 'failure', text: `The notice was not dismissed. ${error.message}` }),
  })
}

/** Says what is shown next. Without another notice, the button that had the focus is gone. */
function afterDismissal([next]: readonly AccountNotice[]): void {
  announce(next === undefined ? 'Notice dismissed.' : `Notice dismissed. Next: ${next.title}`)
  if (next === undefined) document.querySelector('main')?.focus()
}

interface BannerProps {
  readonly notice: AccountNotice
  readonly isBusy: boolean
  readonly onDismiss: () => void
  /** The way to the other notices, if there are any. */
  readonly pager: { readonly place: number; readonly total: number; readonly onNext: () => void }
}

function Banner({ notice, isBusy, onDismiss, pager }: BannerProps) {
  const { severity, title, text, action, dismissable } = notice
  const { icon, label } = SEVERITIES[severity]
  return (
    <div className={`banner banner-${severity}`}>
      <div className="banner-inner">
        <Icon name={icon} />
        <div role={severity === 'error' ? 'alert' : 'status'} className="banner-text">
          <span className="banner-label">{label}</span> <strong>{title}</strong> <span>{text}</span>
        </div>
        <a className="banner-action" href={action.url.replace(/^\/#/, '#')}>
          {action.label}
        </a>
        {pager.total > 1 && (
          <span className="banner-pager">
            <span>
              {pager.place} of {pager.total}
            </span>
            <button
              type="button"
              className="text-button"
              aria-label="Next notice"
              onClick={pager.onNext}
            >
              Next
            </button>
          </span>
        )}
        {dismissable && (
          <button
            type="button"
            className="icon-button"
            aria-label="Dismiss this notice"
            aria-disabled={isBusy}
            onClick={onDismiss}
          >
            <Icon name="close" />
          </button>
        )}
      </div>
    </div>
  )
}

export function NoticeBanner() {
  const { data: notices, isPending, error } = useQuery(noticesQuery)
  const [shownId, setShown] = useState<string>()
  const isKnown = !isPending || error !== null
  const slot = useBannerSpace(isKnown)
  useFreshNotices()
  const dismissal = useDismissal(afterDismissal)
  const all = notices ?? []
  const place = Math.max(
    0,
    all.findIndex(({ id }) => id === shownId),
  )
  const notice = all[place]
  return (
    <section ref={slot} aria-label="Notices" hidden={isKnown && notice === undefined}>
      {notice !== undefined && (
        <Banner
          notice={notice}
          isBusy={dismissal.isPending}
          onDismiss={() => dismissal.mutate(notice.id)}
          pager={{
            place: place + 1,
            total: all.length,
            onNext: () => setShown(all[(place + 1) % all.length]?.id),
          }}
        />
      )}
    </section>
  )
}

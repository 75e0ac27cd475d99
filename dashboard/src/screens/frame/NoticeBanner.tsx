/**
 * The place for messages about the account, on every screen of signed-in users. It shows the most important notice, and
 * leads to the others. Which notices there are, and which were dismissed, the service decides. The dashboard lists the
 * notices about domains and keys above its table, so there the banner leaves them out: nothing is said twice.
 */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type AccountNotice, isListed, noticesQuery } from '../../api/notices.ts'
import { currentUser, isUserStored } from '../../api/session.ts'
import { announce } from '@homing/theme/parts/Announcer.tsx'
import { Icon } from '@homing/theme/parts/Icon.tsx'
import { placeOf, useHash } from '../../routes.ts'
import { noticeHref, SEVERITIES } from './notice-words.ts'
import { useDismissal } from './use-dismissal.ts'
import { useKeptSpace } from './use-kept-space.ts'
import './banner.css'

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
        <a className="banner-action" href={noticeHref(notice)}>
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

/** The height of a notice of one line, in pixels. */
const LINE_HEIGHT = 49

/** Before the first banner in this browser: accounts on the free plan have a notice. */
const firstHeight = () => (currentUser()?.plan === 'free' ? LINE_HEIGHT : 0)

/** The notices that the banner shows on the current screen. */
function useBannerNotices() {
  const query = useQuery(noticesQuery)
  const screen = placeOf(useHash())?.screen
  const isCheckout = screen === 'payment'
  const isShown = (notice: AccountNotice) =>
    notice.kind !== 'first-steps' &&
    !(screen === 'dashboard' && isListed(notice)) &&
    // Who is about to buy a plan needs no advertisement for it.
    !(isCheckout && notice.kind === 'free-plan')
  return { ...query, data: query.data?.filter(isShown), isShown, isCheckout }
}

export function NoticeBanner() {
  const { data: notices, isPending, error, isShown, isCheckout } = useBannerNotices()
  const [shownId, setShown] = useState<string>()
  const isKnown = !isPending || error !== null
  const slot = useKeptSpace({
    key: isCheckout ? 'checkout_banner_height' : 'banner_height',
    isKnown,
    firstHeight: isCheckout ? 0 : firstHeight(),
  })
  useFreshNotices()
  const dismissal = useDismissal((left) => afterDismissal(left.filter(isShown)))
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

/** The user's dashboard: figures, what needs attention, the domains, and the dialogs that change them. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { memo, useCallback, useMemo } from 'react'
import { meQuery, zonesQuery } from '../../api/account.ts'
import type { DomainListRequest } from '../../api/domain-list.ts'
import { type Domain, domainQuery, domainsQuery } from '../../api/domains.ts'
import { useLiveDomains } from '../../api/live/use-live.ts'
import { useSession, wasCheckedRecently } from '../../api/session.ts'
import { Failure } from '@homing/theme/parts/Failure.tsx'
import { SiteFooter } from '../../components/SiteFooter.tsx'
import { ScreenTitle } from '../../components/ScreenTitle.tsx'
import { type DialogInUrl, dialogParameters, useDialogInUrl } from '../../dialog-url.ts'
import { usePageActions } from '../../keyboard/page-actions.ts'
import { go, hashOf, type ScreenProps } from '../../routes.ts'
import { AppHeader } from '../frame/AppHeader.tsx'
import {
  DashboardDialogs,
  DIALOGS,
  useDialogsWhenIdle,
  useWishedDomain,
} from './DashboardDialogs.tsx'
import { DomainsPanel } from './DomainsPanel.tsx'
import { listParameters, readListState } from './list-state.ts'
import { ForwardPanel } from './home/ForwardPanel.tsx'
import { HomeNotices } from './home/HomeNotices.tsx'
import { QueriesPart } from './home/QueriesPart.tsx'
import { queriesPeriodParameters } from './home/queries-period.ts'
import { StatCards } from './home/StatCards.tsx'
import { Upsells } from './home/Upsells.tsx'
import { VanityCard } from './home/VanityCard.tsx'
import { useLimitReason } from './limit-reason.ts'
import type { RowDialog } from './table/row-menu-items.ts'
import './dashboard.css'
import './home/home.css'

const listQuery = (list: DomainListRequest) => new URLSearchParams(listParameters(list)).toString()

/** The list state from the URL: the same object as long as it does not change. */
function useListState(query: string): DomainListRequest {
  const state = listQuery(readListState(query))
  return useMemo(() => readListState(state), [state])
}

/** Search and sort replace the history entry, so that Back leaves the screen; pages add one. */
function useChangeList(list: DomainListRequest): (list: DomainListRequest) => void {
  const queries = useQueryClient()
  return useCallback(
    (next: DomainListRequest) => {
      // The call leaves before the screen is rendered for it.
      void queries.prefetchQuery(domainsQuery(readListState(listQuery(next))))
      const { hash } = location
      const parameters = {
        ...listParameters(next),
        ...queriesPeriodParameters(hash),
        ...dialogParameters(hash),
      }
      go(hashOf('dashboard', parameters), { replace: next.page === list.page })
    },
    [list.page, queries],
  )
}

/** Opens the dialog of a row, which shows the domain as the row does. */
function useOpenRow(show: (name: RowDialog, id: string) => void) {
  const queries = useQueryClient()
  return useCallback(
    (action: RowDialog, domain: Domain) => {
      queries.setQueryData(domainQuery(domain.id).queryKey, domain)
      show(action, domain.id)
    },
    [queries, show],
  )
}

/**
 * A row that the pointer is over must not move, nor one in which the user types or whose menu is open. After a tap, phones
 * take a row for hovered until the next tap.
 */
const areRowsHeld = () =>
  document.querySelector('.inline-edit, .row-menu') !== null ||
  (document.querySelector('.domains tbody:hover') !== null && matchMedia('(hover: hover)').matches)

/** What does not depend on the list, and is not rendered with it at each key in its search. */
const Header = memo(AppHeader)
const Footer = memo(SiteFooter)

type Show = DialogInUrl<(typeof DIALOGS)[number]>['show']

interface PageProps {
  readonly list: DomainListRequest
  readonly show: Show
}

const Above = memo(function Above({ show }: Pick<PageProps, 'show'>) {
  const { data: me, error, refetch } = useQuery(meQuery)
  const showFormula = useCallback(() => show('uptime'), [show])
  return (
    <>
      {error && me === undefined ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : (
        <StatCards me={me} onFormula={showFormula} />
      )}
      <HomeNotices />
    </>
  )
})

const Below = memo(function Below() {
  const { data: me } = useQuery(meQuery)
  return (
    <>
      <p className="muted">
        <a className="deleted-link" href={hashOf('deleted-domains')}>
          Deleted domains
        </a>{' '}
        can be restored for 30 days.
      </p>
      <QueriesPart me={me} />
      <ForwardPanel me={me} />
      <VanityCard me={me} />
      <Upsells me={me} />
    </>
  )
})

/** The screen without its dialogs, one of which opens without rendering the rest again. */
const Page = memo(function Page({ list, show }: PageProps) {
  const session = useQuery(zonesQuery)
  const { data: me } = useQuery(meQuery)
  const setList = useChangeList(list)
  const openRow = useOpenRow(show)
  const reason = useLimitReason()
  const add = useCallback(() => show('add'), [show])
  usePageActions([
    { label: 'Add Domain', icon: 'add', shortcut: 'create', disabledReason: reason, run: add },
  ])
  useDialogsWhenIdle(me !== undefined)
  useWishedDomain(show)
  const live = useLiveDomains(areRowsHeld)
  const isUnknown = session.error !== null && session.data === undefined && !wasCheckedRecently()
  return (
    <>
      <Header screen="dashboard" />
      <main tabIndex={-1} className="page">
        <ScreenTitle title="Dashboard" />
        {isUnknown ? (
          <Failure error={session.error} onRetry={() => void session.refetch()} />
        ) : (
          <>
            <Above show={show} />
            <DomainsPanel
              list={list}
              onList={setList}
              limitReason={reason}
              live={live}
              onAdd={add}
              onImport={() => show('import')}
              onDialog={openRow}
            />
            <Below />
          </>
        )}
      </main>
      <Footer />
    </>
  )
})

/** @param props.place its query is the list state */
export function DashboardScreen({ place: { query } }: ScreenProps) {
  const { user } = useSession()
  const list = useListState(query)
  const dialog = useDialogInUrl(DIALOGS)
  if (user === undefined) return null
  return (
    <>
      <Page list={list} show={dialog.show} />
      <DashboardDialogs dialog={dialog} />
    </>
  )
}

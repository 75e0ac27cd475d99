/** The user's dashboard: the plan, the domains, and the dialogs that change them. */
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useEffect, useMemo, useState } from 'react'
import { meQuery, type Me, zonesQuery } from '../../api/account.ts'
import type { DomainListRequest } from '../../api/domain-list.ts'
import type { Domain } from '../../api/domains.ts'
import { useLiveDomains } from '../../api/live/use-live.ts'
import { useSession, wasCheckedRecently } from '../../api/session.ts'
import { forgetWish, wishedDomain } from '../../api/wish.ts'
import { Failure } from '../../components/Failure.tsx'
import { SiteFooter } from '../../components/SiteFooter.tsx'
import { ScreenTitle } from '../../components/ScreenTitle.tsx'
import { go, hashOf, type ScreenProps } from '../../routes.ts'
import { AppHeader } from '../frame/AppHeader.tsx'
import type { RowAction } from './DomainRow.tsx'
import { DomainsPanel } from './DomainsPanel.tsx'
import { listParameters, readListState } from './list-state.ts'
import { StatCards } from './StatCards.tsx'
import './dashboard.css'

const loadDialogs = {
  add: () => import('./AddDomainDialog.tsx'),
  update: () => import('./UpdateAddressDialog.tsx'),
  howTo: () => import('./how-to-update/HowToUpdateDialog.tsx'),
  delete: () => import('./DeleteDomainDialog.tsx'),
}
const AddDomainDialog = lazy(loadDialogs.add)
const UpdateAddressDialog = lazy(loadDialogs.update)
const HowToUpdateDialog = lazy(loadDialogs.howTo)
const DeleteDomainDialog = lazy(loadDialogs.delete)

/** Loads the dialogs after the first render, so that they open without a delay later. */
function useDialogsWhenIdle(isReady: boolean): void {
  useEffect(() => {
    if (!isReady) return undefined
    const load = () => void Promise.all(Object.values(loadDialogs).map((each) => each()))
    const timer = setTimeout(load, IDLE_MS)
    return () => clearTimeout(timer)
  }, [isReady])
}

/** The delay between the first render of the table and the download of the dialogs. */
const IDLE_MS = 1_000

type OpenDialog =
  | { readonly kind: 'add'; readonly wish?: string | undefined }
  | { readonly kind: RowAction; readonly domain: Domain }
  | undefined

/** A user who looked up a domain before they signed up goes on with it. */
function firstDialog(): OpenDialog {
  const wish = wishedDomain()
  return wish === undefined ? undefined : { kind: 'add', wish }
}

/** Why the user cannot add a domain; undefined if they can. */
function limitReason(me: Me | undefined): string | undefined {
  if (me === undefined) return undefined
  const { domain_count: count, domain_limit: limit } = me.limits
  if (count < limit) return undefined
  return `Your plan allows ${limit} domains and you have ${count}. Delete one to add another.`
}

/** The list state from the URL. Search and sort replace the history entry, so that Back leaves the screen; pages add one. */
function useListState(query: string): [DomainListRequest, (list: DomainListRequest) => void] {
  const list = useMemo(() => readListState(query), [query])
  const change = useCallback(
    (next: DomainListRequest) => {
      go(hashOf('dashboard', listParameters(next)), { replace: next.page === list.page })
    },
    [list.page],
  )
  return [list, change]
}

interface DialogsProps {
  readonly open: OpenDialog
  readonly onClose: () => void
}

function Dialogs({ open, onClose }: DialogsProps) {
  if (open === undefined) return null
  if (open.kind === 'add') {
    const close = () => {
      forgetWish()
      onClose()
    }
    return <AddDomainDialog wish={open.wish} onClose={close} />
  }
  const { kind, domain } = open
  if (kind === 'how-to') return <HowToUpdateDialog domain={domain} onClose={onClose} />
  if (kind === 'update') return <UpdateAddressDialog domain={domain} onClose={onClose} />
  return (
    <DeleteDomainDialog
      domain={domain}
      onClose={onClose}
      onDeleted={() => {
        onClose()
        // The button that opened the dialog disappears with its row.
        requestAnimationFrame(() => document.getElementById('domains-title')?.focus())
      }}
    />
  )
}

/** A row that the pointer is over must not move. After a tap, phones take a row for hovered until the next tap. */
const areRowsHeld = () =>
  document.querySelector('.domains tbody:hover') !== null && matchMedia('(hover: hover)').matches

/** @param props.place its query is the list state */
export function DashboardScreen({ place: { query } }: ScreenProps) {
  const { user } = useSession()
  const session = useQuery(zonesQuery)
  const { data: me, error: meError, refetch } = useQuery(meQuery)
  const [list, setList] = useListState(query)
  const [open, setOpen] = useState(firstDialog)
  const openRow = useCallback((kind: RowAction, domain: Domain) => setOpen({ kind, domain }), [])
  useDialogsWhenIdle(me !== undefined)
  // Once the service has accepted the session.
  const live = useLiveDomains(me && user?.id, areRowsHeld)
  if (user === undefined) return null
  const isUnknown = session.error !== null && session.data === undefined && !wasCheckedRecently()
  return (
    <>
      <AppHeader
        screen="dashboard"
        username={user.username}
        accountType={me?.account_type ?? user.account_type}
      />
      <main tabIndex={-1} className="page">
        <ScreenTitle title="Dashboard" />
        {isUnknown ? (
          <Failure error={session.error} onRetry={() => void session.refetch()} />
        ) : (
          <>
            {meError && me === undefined ? (
              <Failure error={meError} onRetry={() => void refetch()} />
            ) : (
              <StatCards me={me} />
            )}
            <DomainsPanel
              list={list}
              onList={setList}
              limitReason={limitReason(me)}
              live={live}
              onAdd={() => setOpen({ kind: 'add' })}
              onAction={openRow}
            />
          </>
        )}
      </main>
      <SiteFooter />
      <Suspense fallback={null}>
        <Dialogs open={open} onClose={() => setOpen(undefined)} />
      </Suspense>
    </>
  )
}

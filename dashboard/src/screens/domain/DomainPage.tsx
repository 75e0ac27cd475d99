import { Icon } from '@homing/theme/parts/Icon.tsx'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useId } from 'react'
import type { LiveState } from '../../api/live/shared-stream.ts'
import { type Domain, namedDomainQuery } from '../../api/domains.ts'
import { ApiProblem } from '../../api/problem.ts'
import { DomainName } from '../../components/DomainName.tsx'
import { LoadBoundary } from '../../components/LoadBoundary.tsx'
import { preloadable } from '../../components/preloadable.ts'
import { ScreenTitle } from '../../components/ScreenTitle.tsx'
import { useOnline } from '../../components/use-online.ts'
import { type DialogInUrl, useDialogInUrl } from '../../dialog-url.ts'
import { usePageActions } from '../../keyboard/page-actions.ts'
import { domainHash, go } from '../../routes.ts'
import { lockOf } from '../frame/lock-words.ts'
import { LiveStatus } from '../dashboard/LiveStatus.tsx'
import { Loaded } from '../../components/Loaded.tsx'
import { CallsTab } from './calls/CallsTab.tsx'
import { DOMAIN_DIALOGS, type DomainDialogName, DomainDialogs } from './DomainDialogs.tsx'
import { ForwardTab } from './forward/ForwardTab.tsx'
import { HistoryTab } from './history/HistoryTab.tsx'
import { OverviewTab } from './overview/OverviewTab.tsx'
import { type Tab, TABS } from './tabs.ts'
import { SectionSkeleton } from '../../components/SectionSkeleton.tsx'
import { UnknownDomain } from './UnknownDomain.tsx'

/** Loaded when they are opened. The first and the last are each as large as the other tabs together. */
const monitor = preloadable(() => import('./monitor/MonitorTab.tsx'))
const propagation = preloadable(() => import('./propagation/PropagationTab.tsx'))
const records = preloadable(() => import('./records/RecordsTab.tsx'))

interface PartProps {
  readonly domain: Domain
  readonly tab: Tab
}

/**
 * What a wildcard has of its own: it answers for no update client, uses the forward of its base, and has no monitor. Its records
 * are those of its base, and the tab says so.
 */
const WILDCARD_TABS: readonly Tab[] = ['overview', 'history', 'records', 'propagation']

const tabsOf = ({ is_wildcard }: Domain) =>
  TABS.filter(([tab]) => !is_wildcard || WILDCARD_TABS.includes(tab))

const tabHash = ({ fqdn }: Domain, tab: Tab): string =>
  domainHash(fqdn, tab === 'overview' ? {} : { tab })

function TabLinks({ domain, tab }: PartProps) {
  const tabs = tabsOf(domain)
  const others = tabs.filter(([id]) => id !== tab)
  usePageActions(
    others.map(([id, title]) => ({
      label: `Show ${title}`,
      icon: 'document',
      run: () => go(tabHash(domain, id)),
    })),
  )
  return (
    <nav aria-label="Parts of the domain" className="domain-tabs">
      {tabs.map(([id, title]) => (
        <a
          key={id}
          className="domain-tab"
          href={tabHash(domain, id)}
          aria-current={id === tab ? 'page' : undefined}
        >
          {title}
        </a>
      ))}
    </nav>
  )
}

const ACTIONS = [
  { name: 'how-to', label: 'How to Update', icon: 'router' },
  { name: 'update', label: 'Update', icon: 'edit' },
  { name: 'wildcard', label: 'Add Wildcard', icon: 'add' },
  { name: 'delete', label: 'Delete', icon: 'remove' },
] as const

type ActionName = (typeof ACTIONS)[number]['name']

interface ActionsProps {
  readonly domain: Domain
  readonly show: DialogInUrl<DomainDialogName>['show']
}

/** A wildcard has the addresses of its base domain, so it can only be deleted. A domain has one wildcard. */
const isOffered = (name: ActionName, { is_wildcard, wildcard_enabled }: Domain): boolean =>
  is_wildcard ? name === 'delete' : name !== 'wildcard' || !wildcard_enabled

function Actions({ domain, show }: ActionsProps) {
  const reasonId = useId()
  const locked = lockOf(domain)
  const actions = ACTIONS.filter(({ name }) => isOffered(name, domain)).map((action) => ({
    ...action,
    disabledReason: action.name === 'how-to' ? undefined : locked,
    run: () => show(action.name),
  }))
  usePageActions(
    actions.map(({ label, icon, disabledReason, run }) => ({ label, icon, disabledReason, run })),
  )
  return (
    <div className="domain-actions">
      {actions.map(({ name, label, icon, disabledReason, run }) => (
        <button
          key={name}
          type="button"
          className={name === 'delete' ? 'line-button line-button-danger' : 'line-button'}
          disabled={disabledReason !== undefined}
          aria-describedby={disabledReason === undefined ? undefined : reasonId}
          onClick={run}
        >
          <Icon name={icon} size={16} />
          {label}
        </button>
      ))}
      {locked !== undefined && (
        <p id={reasonId} className="field-help domain-locked">
          {locked}
        </p>
      )}
    </div>
  )
}

function Parts({ domain, tab }: PartProps) {
  const dialog = useDialogInUrl(DOMAIN_DIALOGS)
  const showHowTo = () => dialog.show('how-to')
  const shown = tabsOf(domain).some(([id]) => id === tab) ? tab : 'overview'
  return (
    <>
      <Actions domain={domain} show={dialog.show} />
      <TabLinks domain={domain} tab={shown} />
      {/* Stays mounted: another tab does not lose what the user typed here. */}
      <div hidden={shown !== 'overview'}>
        <OverviewTab domain={domain} onHowTo={showHowTo} />
      </div>
      {shown === 'history' && <HistoryTab domain={domain} />}
      {shown === 'calls' && <CallsTab domain={domain} onHowTo={showHowTo} />}
      {shown === 'forward' && <ForwardTab domain={domain} dialog={dialog} />}
      {shown === 'records' && (
        <LoadBoundary>
          <Suspense fallback={<SectionSkeleton />}>
            <records.Part domain={domain} />
          </Suspense>
        </LoadBoundary>
      )}
      {shown === 'propagation' && (
        <LoadBoundary>
          <Suspense fallback={<SectionSkeleton />}>
            <propagation.Part domain={domain} />
          </Suspense>
        </LoadBoundary>
      )}
      {shown === 'monitor' && (
        <LoadBoundary>
          <Suspense fallback={<SectionSkeleton />}>
            <monitor.Part domain={domain} dialog={dialog} />
          </Suspense>
        </LoadBoundary>
      )}
      <DomainDialogs domain={domain} dialog={dialog} />
    </>
  )
}

const isMissing = (error: Error | null): boolean =>
  error instanceof ApiProblem && error.status === 404

interface DomainPageProps {
  readonly name: string
  readonly tab: Tab
  readonly live: LiveState
}

export function DomainPage({ name, tab, live }: DomainPageProps) {
  const query = useQuery(namedDomainQuery(name))
  const { data, error, dataUpdatedAt, fetchStatus } = query
  const isUnknown = isMissing(error)
  const isOnline = useOnline() && fetchStatus !== 'paused'
  const isCurrent = data !== undefined && error === null && isOnline
  return (
    <>
      <div className="domain-head">
        <ScreenTitle title={name}>
          <DomainName fqdn={data?.fqdn ?? name} />
        </ScreenTitle>
        {isCurrent && <LiveStatus live={live} readAt={dataUpdatedAt} />}
      </div>
      {isUnknown ? (
        <UnknownDomain name={name} />
      ) : (
        <Loaded query={query}>{(domain) => <Parts domain={domain} tab={tab} />}</Loaded>
      )}
    </>
  )
}

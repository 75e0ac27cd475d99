/**
 * DNS analytics: how often the domains are queried, when, from where and for what. The URL says what is shown: `#analytics?period=7d`.
 * The folder does not have `analytics` in its name, because ad blockers refuse scripts with it.
 */
import { Icon } from '@homing/theme/parts/Icon.tsx'
import { Failure } from '@homing/theme/parts/Failure.tsx'
import { Message } from '@homing/theme/parts/Message.tsx'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, Suspense } from 'react'
import { type Me, meQuery } from '../../api/account.ts'
import { queriedDomainsQuery, querySeriesQuery } from '../../api/dns-queries.ts'
import { plansQuery } from '../../api/plans.ts'
import { useSession } from '../../api/session.ts'
import { LoadBoundary } from '../../components/LoadBoundary.tsx'
import { preloadable } from '../../components/preloadable.ts'
import { ScreenTitle } from '../../components/ScreenTitle.tsx'
import { SectionSkeleton } from '../../components/SectionSkeleton.tsx'
import { SiteFooter } from '../../components/SiteFooter.tsx'
import { useDialogInUrl } from '../../dialog-url.ts'
import { usePageActions } from '../../keyboard/page-actions.ts'
import { go, type ScreenProps } from '../../routes.ts'
import { AppHeader } from '../frame/AppHeader.tsx'
import { BackToDashboard } from '../frame/BackToDashboard.tsx'
import { plansWith } from '../frame/plan-words.ts'
import { Attribution } from './Attribution.tsx'
import { Breakdown, SHOWN_DIMENSIONS } from './Breakdown.tsx'
import { chartSeries } from './chart-series.ts'
import { Controls, FilterChips, Shift, showView } from './Controls.tsx'
import { Domains } from './Domains.tsx'
import { LoadedSeries } from './LoadedSeries.tsx'
import { QueriesUpsell } from './QueriesUpsell.tsx'
import { QueryChart } from './QueryChart.tsx'
import { rangeText } from './query-words.ts'
import { RefreshButton } from './RefreshButton.tsx'
import { SummaryTiles } from './SummaryTiles.tsx'
import { comparisonText, queriesText } from './trend-words.ts'
import { PERIODS, readView, spanOf, type View, viewHash } from './view.ts'
import '../../components/section.css'
import '../dashboard/home/home.css'
import './queries-panel.css'
import './queries.css'

const live = preloadable(() => import('./live/LiveCard.tsx'))
const exporting = preloadable(() => import('./ExportDialog.tsx'))

const DIALOGS = ['export'] as const

interface ViewProps {
  readonly view: View
}

function ChartCard({ view }: ViewProps) {
  const { period, domainId, filter } = view
  const dimension = filter?.dimension ?? SHOWN_DIMENSIONS[0]
  // The card of the dimension reads the same.
  const query = useQuery(querySeriesQuery({ span: spanOf(view), domainId, dimension }))
  const title = `Queries over ${PERIODS[period].name}`
  return (
    <section className="card section-card" aria-labelledby="queries-over-time">
      <div className="query-panel-head">
        <h2 id="queries-over-time">{title}</h2>
        <Shift view={view} />
      </div>
      <FilterChips view={view} series={query.data} />
      <LoadedSeries query={query}>
        {(data) => {
          const series = chartSeries(data, view)
          return (
            <>
              <p className="muted">{rangeText(data)}</p>
              <p>
                <strong>{queriesText(series.total)}.</strong> {comparisonText(series)}
              </p>
              <QueryChart label={title} series={series} />
            </>
          )
        }}
      </LoadedSeries>
    </section>
  )
}

/** What lifts the limit of the plan. */
function NoExport() {
  const { data: plans } = useQuery(plansQuery)
  return <p className="muted">Exports are included in {plansWith('data_export', plans)}.</p>
}

interface ActionsProps extends ViewProps {
  readonly canExport: boolean
  readonly onExport: () => void
}

function Actions({ view, canExport, onExport }: ActionsProps) {
  const showLive = () => go(viewHash({ ...view, isLive: true }))
  usePageActions([
    { label: 'View Real-time Queries', icon: 'show', run: showLive },
    ...(canExport ? [{ label: 'Export Data', icon: 'down', run: onExport } as const] : []),
  ])
  return (
    <div className="query-actions">
      <RefreshButton />
      {canExport && (
        <button type="button" className="line-button" onClick={onExport}>
          <Icon name="down" size={16} />
          Export Data
        </button>
      )}
      {!view.isLive && (
        <a className="line-button" href={viewHash({ ...view, isLive: true })}>
          <Icon name="show" size={16} />
          View Real-time Queries
        </a>
      )}
      {!canExport && <NoExport />}
    </div>
  )
}

function LivePart({ view }: ViewProps) {
  if (!view.isLive) return null
  function close(): void {
    go(viewHash({ ...view, isLive: false }), { replace: true })
    // The button that had the focus disappears.
    document.querySelector<HTMLElement>('h1')?.focus()
  }
  return (
    <LoadBoundary>
      <Suspense fallback={<SectionSkeleton />}>
        <live.Part domainId={view.domainId} onClose={close} />
      </Suspense>
    </LoadBoundary>
  )
}

function Figures({ view }: ViewProps) {
  return (
    <>
      <ChartCard view={view} />
      <div className="query-cards">
        <Domains view={view} />
        {SHOWN_DIMENSIONS.map((dimension) => (
          <Breakdown key={dimension} view={view} dimension={dimension} />
        ))}
      </div>
      <Attribution />
    </>
  )
}

/** The URL names a domain that was deleted, or that another user owns. */
function UnknownDomain({ view }: ViewProps) {
  return (
    <Message tone="warn">
      <p>
        You have no domain with the id {view.domainId}.{' '}
        <a href={viewHash({ ...view, domainId: undefined })}>Show all domains</a>
      </p>
    </Message>
  )
}

/** For plans with DNS analytics. */
function Content({ view, me }: ViewProps & { readonly me: Me }) {
  const dialog = useDialogInUrl(DIALOGS)
  const { data: domains } = useQuery(queriedDomainsQuery)
  const canExport = me.limits.abilities.includes('data_export')
  const { domainId } = view
  const isKnown = domainId === undefined || domains?.some(({ id }) => id === domainId) !== false
  return (
    <>
      <Actions view={view} canExport={canExport} onExport={() => dialog.show('export')} />
      <LivePart view={view} />
      <SummaryTiles />
      <Controls view={view} />
      {isKnown ? <Figures view={view} /> : <UnknownDomain view={view} />}
      {canExport && isKnown && dialog.name === 'export' && (
        <LoadBoundary showsIn="notice" onFailure={dialog.close}>
          <Suspense fallback={null}>
            <exporting.Part view={view} onClose={dialog.close} />
          </Suspense>
        </LoadBoundary>
      )}
    </>
  )
}

function Body({ view }: ViewProps) {
  const { data: me, error, refetch } = useQuery(meQuery)
  if (me === undefined) {
    if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />
    return <SectionSkeleton />
  }
  if (me.limits.abilities.includes('analytics')) return <Content view={view} me={me} />
  return (
    <>
      <SummaryTiles />
      <QueriesUpsell />
    </>
  )
}

/** Escape removes the filters, unless it closes something else. */
function clearOnEscape(event: KeyboardEvent, view: View): void {
  const isFiltered = view.filter !== undefined || view.domainId !== undefined
  if (event.key !== 'Escape' || event.defaultPrevented || !isFiltered) return
  if (event.target instanceof HTMLSelectElement) return
  showView({ ...view, filter: undefined, domainId: undefined })
}

/** @param props.place its query is the view */
export default function QueriesScreen({ place: { query } }: ScreenProps) {
  const { user } = useSession()
  if (user === undefined) return null
  const view = readView(query)
  return (
    <>
      <AppHeader screen="analytics" />
      {/* Keys of every control in it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <main tabIndex={-1} className="page" onKeyDown={(event) => clearOnEscape(event, view)}>
        <p>
          <BackToDashboard />
        </p>
        <ScreenTitle title="DNS Analytics" />
        <Body view={view} />
      </main>
      <SiteFooter />
    </>
  )
}

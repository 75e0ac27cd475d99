/** The dashboard's panel DNS Analytics, for plans that include it. */
import { Icon } from '@homing/theme/parts/Icon.tsx'
import { useQuery } from '@tanstack/react-query'
import { type DnsSummary, dnsSummaryQuery } from '../../api/dns-queries.ts'
import { DomainName } from '../../components/DomainName.tsx'
import { Loaded } from '../../components/Loaded.tsx'
import { Place } from '../../components/Place.tsx'
import { hashOf } from '../../routes.ts'
import { Attribution } from './Attribution.tsx'
import { type BarItem, BarList } from './BarList.tsx'
import { RefreshButton } from './RefreshButton.tsx'
import { CountedUntil } from './CountedUntil.tsx'
import { networkName } from './query-words.ts'
import { viewHash } from './view.ts'
import '../../components/section.css'
import './queries-panel.css'

interface TopListProps {
  readonly id: string
  readonly title: string
  readonly note: string
  readonly items: readonly BarItem[]
}

function TopList({ id, title, note, items }: TopListProps) {
  return (
    <div className="query-top">
      <h3 id={id}>
        {title} <span className="muted">{note}</span>
      </h3>
      {items.length === 0 ? (
        <p className="muted">No queries.</p>
      ) : (
        <BarList labelledBy={id} items={items} />
      )}
    </div>
  )
}

const domainItems = ({ queries_by_domain }: DnsSummary): readonly BarItem[] =>
  queries_by_domain.map(({ domain_id, fqdn, queries }) => ({
    key: domain_id,
    name: <DomainName fqdn={fqdn} />,
    queries,
    href: viewHash({ period: '30d', domainId: domain_id }),
  }))

const countryItems = ({ top_countries }: DnsSummary): readonly BarItem[] =>
  top_countries.map(({ country_code, queries }) => ({
    key: country_code,
    name: <Place country={country_code} />,
    queries,
    href: viewHash({ filter: { dimension: 'country', value: country_code } }),
  }))

const networkItems = ({ top_asns }: DnsSummary): readonly BarItem[] =>
  top_asns.map(({ asn, as_org, queries }) => ({
    key: String(asn),
    name: networkName(asn, as_org),
    queries,
    href: viewHash({ filter: { dimension: 'network', value: String(asn) } }),
  }))

function TopLists({ summary }: { readonly summary: DnsSummary }) {
  const { total_queries_30d, counted_until } = summary
  if (counted_until === null || total_queries_30d === 0) {
    return (
      <p>
        There are no DNS queries for your domains yet. They appear here within a minute of the first
        one.
      </p>
    )
  }
  return (
    <>
      <div className="query-tops">
        <TopList
          id="queries-by-domain"
          title="Queries by domain"
          note="30 days"
          items={domainItems(summary)}
        />
        <TopList
          id="top-countries"
          title="Top countries"
          note="7 days"
          items={countryItems(summary)}
        />
        <TopList
          id="top-networks"
          title="Top networks"
          note="7 days"
          items={networkItems(summary)}
        />
      </div>
      <CountedUntil summary={summary} />
      <Attribution />
    </>
  )
}

function Actions({ canExport }: { readonly canExport: boolean }) {
  return (
    <div className="query-actions">
      <RefreshButton />
      {canExport && (
        <a className="line-button" href={hashOf('analytics', { dialog: 'export' })}>
          <Icon name="down" size={16} />
          Export Data
        </a>
      )}
      <a className="line-button" href={viewHash({ isLive: true })}>
        <Icon name="show" size={16} />
        View Real-time Queries
      </a>
    </div>
  )
}

/** @param props.canExport whether the plan includes the export */
export default function QueriesPanel({ canExport }: { readonly canExport: boolean }) {
  const query = useQuery(dnsSummaryQuery)
  return (
    <section className="card section-card" aria-labelledby="queries-panel-title">
      <div className="query-panel-head">
        <h2 id="queries-panel-title">DNS Analytics</h2>
        <Actions canExport={canExport} />
      </div>
      <Loaded query={query}>{(summary) => <TopLists summary={summary} />}</Loaded>
      <p>
        <a className="section-link" href={viewHash({})}>
          All figures and charts
        </a>
      </p>
    </section>
  )
}

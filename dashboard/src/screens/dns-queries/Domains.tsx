/** The domains with the most queries, as a filter of the page. */
import { useQuery } from '@tanstack/react-query'
import { dnsSummaryQuery } from '../../api/dns-queries.ts'
import { DomainName } from '../../components/DomainName.tsx'
import { Loaded } from '../../components/Loaded.tsx'
import { BarList } from './BarList.tsx'
import { FigureTable } from './FigureTable.tsx'
import { type View, viewHash } from './view.ts'

const TITLE = 'Queries by domain'

export function Domains({ view }: { readonly view: View }) {
  const query = useQuery(dnsSummaryQuery)
  return (
    <section className="card section-card" aria-labelledby="queries-by-domain">
      <h2 id="queries-by-domain">
        {TITLE} <span className="muted">30 days</span>
      </h2>
      <Loaded query={query}>
        {({ queries_by_domain: rows }) =>
          rows.length === 0 ? (
            <p className="muted">No queries.</p>
          ) : (
            <>
              <BarList
                labelledBy="queries-by-domain"
                items={rows.map(({ domain_id, fqdn, queries }) => {
                  const isChosen = domain_id === view.domainId
                  const domainId = isChosen ? undefined : domain_id
                  return {
                    key: domain_id,
                    name: <DomainName fqdn={fqdn} />,
                    queries,
                    href: viewHash({ ...view, domainId }),
                    isChosen,
                  }
                })}
              />
              <FigureTable
                label={TITLE}
                fileName="dns-queries-by-domain"
                columns={[{ title: 'Domain' }, { title: 'Queries' }]}
                rows={rows.map(({ fqdn, queries }) => [fqdn, queries])}
              />
            </>
          )
        }
      </Loaded>
    </section>
  )
}

/** The domains that the user deleted and can restore. The page is part of the URL: `#deleted-domains?page=2`. */
import { count, counted } from '@homing/theme/formats'
import { useNow } from '@homing/theme/parts/use-now.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { deletedDomainsQuery } from '../../api/deleted-domains.ts'
import { PAGE_SIZE } from '../../api/domains.ts'
import { useLiveDomains } from '../../api/live/use-live.ts'
import { ApiProblem } from '../../api/problem.ts'
import { useSession } from '../../api/session.ts'
import { ScreenTitle } from '../../components/ScreenTitle.tsx'
import { SiteFooter } from '../../components/SiteFooter.tsx'
import { go, hashOf, type ScreenProps } from '../../routes.ts'
import { AppHeader } from '../frame/AppHeader.tsx'
import { BackToDashboard } from '../frame/BackToDashboard.tsx'
import { Loaded } from '../../components/Loaded.tsx'
import { DeletedDomain } from './DeletedDomain.tsx'
import '../../components/section.css'
import '../domain/domain.css'

const MINUTE_MS = 60_000

/** A row that the pointer is over must not move. */
const areRowsHeld = () => document.querySelector('.deleted-domains li:hover') !== null

function pageIn(query: string): number {
  const page = Number(new URLSearchParams(query).get('page'))
  return Number.isSafeInteger(page) && page > 0 ? page : 1
}

const pageHash = (page: number): string =>
  hashOf('deleted-domains', page === 1 ? {} : { page: String(page) })

function Pages({ page, shown, total }: Readonly<Record<'page' | 'shown' | 'total', number>>) {
  if (total <= PAGE_SIZE) return null
  const first = (page - 1) * PAGE_SIZE + 1
  return (
    <nav className="domain-pages" aria-label="Pages of deleted domains">
      <span className="muted">
        {count(first)}–{count(first + shown - 1)} of {counted(total, 'domain')}
      </span>
      {page > 1 && (
        <a className="line-button" href={pageHash(page - 1)}>
          Previous
        </a>
      )}
      {page * PAGE_SIZE < total && (
        <a className="line-button" href={pageHash(page + 1)}>
          Next
        </a>
      )}
    </nav>
  )
}

function DeletedList({ page }: { readonly page: number }) {
  const query = useQuery(deletedDomainsQuery(page))
  const nowMs = useNow(MINUTE_MS)
  // The domains of the last page were restored.
  const isBehindLast = query.error instanceof ApiProblem && query.error.status === 416
  useEffect(() => {
    if (isBehindLast && page !== 1) go(pageHash(1), { replace: true })
  }, [isBehindLast, page])
  return (
    <Loaded query={query}>
      {({ domains, total }) =>
        domains.length === 0 ? (
          <div className="card section-card">
            <p>You deleted no domain within the last 30 days.</p>
          </div>
        ) : (
          <div className="card section-card">
            <ul className="section-rows deleted-domains" aria-label="Deleted domains">
              {domains.map((domain) => (
                <DeletedDomain key={domain.id} domain={domain} nowMs={nowMs} />
              ))}
            </ul>
            <Pages page={page} shown={domains.length} total={total} />
          </div>
        )
      }
    </Loaded>
  )
}

/** @param props.place its query is the page */
export default function DeletedDomainsScreen({ place: { query } }: ScreenProps) {
  const { user } = useSession()
  useLiveDomains(areRowsHeld)
  if (user === undefined) return null
  return (
    <>
      <AppHeader screen="deleted-domains" />
      <main tabIndex={-1} className="page domain-page">
        <p>
          <BackToDashboard />
        </p>
        <ScreenTitle title="Deleted Domains" />
        <p>
          A deleted domain can be restored for 30 days, with its addresses, records, history, note,
          tags, wildcard, update token, web forward and monitor.
        </p>
        <DeletedList page={pageIn(query)} />
      </main>
      <SiteFooter />
    </>
  )
}

/** In place of the page of a domain that the account does not have: it was deleted, or never registered. */
import { ageText, dayText, enumeration } from '@homing/theme/formats'
import { useNow } from '@homing/theme/parts/use-now.ts'
import { useQuery } from '@tanstack/react-query'
import { deletedNamedQuery, type RestorableDomain } from '../../api/deleted-domains.ts'
import { hashOf } from '../../routes.ts'
import { RestoreButton } from '../deleted-domains/RestoreButton.tsx'
import { Loaded } from '../../components/Loaded.tsx'

const MINUTE_MS = 60_000

/** What the domain has again, besides its update token. */
const contentsOf = ({ has_wildcard, has_web_forward, has_monitor }: RestorableDomain) => [
  'addresses',
  'records',
  'history',
  'note',
  'tags',
  ...(has_wildcard ? ['wildcard'] : []),
  ...(has_web_forward ? ['web forward'] : []),
  ...(has_monitor ? ['monitor'] : []),
]

function Deleted({ domain }: { readonly domain: RestorableDomain }) {
  const nowMs = useNow(MINUTE_MS)
  return (
    <div className="card section-card">
      <h2>This domain was deleted</h2>
      <p>
        You deleted it {ageText(domain.deleted_at, nowMs)}. It can be restored until{' '}
        {dayText(domain.restorable_until)}, with its {enumeration(contentsOf(domain))}
        {domain.has_update_token && '. Its update token works again'}.
      </p>
      <RestoreButton domain={domain} />
    </div>
  )
}

function Missing({ name }: { readonly name: string }) {
  return (
    <div className="card section-card">
      <h2>This domain is not in your account</h2>
      <p>
        You have no domain <span className="monospace">{name}</span>. Check its spelling, or look at{' '}
        <a className="section-link" href={hashOf('dashboard')}>
          your domains
        </a>{' '}
        and at your{' '}
        <a className="section-link" href={hashOf('deleted-domains')}>
          deleted domains
        </a>
        .
      </p>
    </div>
  )
}

export function UnknownDomain({ name }: { readonly name: string }) {
  const query = useQuery(deletedNamedQuery(name))
  return (
    <Loaded query={query}>
      {(deleted) => (deleted === null ? <Missing name={name} /> : <Deleted domain={deleted} />)}
    </Loaded>
  )
}

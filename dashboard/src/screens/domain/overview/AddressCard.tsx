import { ageText, spanText, timeText } from '@homing/theme/formats'
import { CopyButton } from '@homing/theme/parts/CopyButton.tsx'
import { Message } from '@homing/theme/parts/Message.tsx'
import { useNow } from '@homing/theme/parts/use-now.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { type DomainEvent, eventsQuery } from '../../../api/domain-history.ts'
import type { Domain } from '../../../api/domains.ts'
import { domainHash } from '../../../routes.ts'
import { publishedText } from '../../frame/published-text.ts'
import { sourceOf } from '../history/event-words.ts'

const MINUTE_MS = 60_000

const FAMILIES = [
  ['record_ipv4', 'IPv4 address'],
  ['record_ipv6', 'IPv6 address'],
] as const

type Family = (typeof FAMILIES)[number][0]

const GIVING: readonly DomainEvent['kind'][] = ['created', 'wildcard_created', 'address']

/** The event that gave a domain its address of a family; undefined if it is older than the events. */
const originOf = (family: Family, events: readonly DomainEvent[]): DomainEvent | undefined =>
  events.find(
    ({ kind, old, new: next }) =>
      GIVING.includes(kind) && (old[family] ?? null) !== (next[family] ?? null),
  )

interface AgeProps {
  readonly at: string
  readonly by: string | undefined
  readonly nowMs: number
}

function Age({ at, by, nowMs }: AgeProps) {
  return (
    <>
      <time dateTime={at} title={timeText(at)}>
        {ageText(at, nowMs)}
      </time>
      {by !== undefined && <>, {by}</>}
    </>
  )
}

interface AddressProps {
  readonly domain: Domain
  readonly family: Family
  readonly label: string
  readonly origin: DomainEvent | undefined
  readonly nowMs: number
}

function Address({ domain, family, label, origin, nowMs }: AddressProps) {
  const text = useRef<HTMLSpanElement>(null)
  const address = domain[family]
  return (
    <div>
      <dt>{label}</dt>
      {address === null ? (
        <dd className="muted">Not set</dd>
      ) : (
        <dd className="domain-address">
          <span ref={text} className="monospace">
            {address}
          </span>
          <CopyButton text={address} what={label} shownIn={() => text.current} />
        </dd>
      )}
      {origin !== undefined && (
        <dd className="field-help">
          {address === null ? 'Removed' : 'Set'}{' '}
          <Age at={origin.at} by={sourceOf(origin)} nowMs={nowMs} />
        </dd>
      )}
    </div>
  )
}

/** A forwarded domain keeps its addresses, and DNS publishes others. */
function Published({ domain }: Pick<AddressProps, 'domain'>) {
  const { is_forwarded, is_wildcard, fqdn } = domain
  if (!is_forwarded) return null
  const base = is_wildcard ? fqdn.slice(2) : fqdn
  return (
    <Message tone="info">
      <p>
        {base} <a href={domainHash(base, { tab: 'forward' })}>is forwarded</a>:{' '}
        {publishedText(domain)}, not the addresses below.
      </p>
      <p>
        They are stored. Updates change them, and DNS publishes them again when the forward ends.
      </p>
    </Message>
  )
}

/** The event of the last update; undefined if it is older than the events. */
const lastUpdate = ({ last_update_at }: Domain, events: readonly DomainEvent[]) =>
  events.find(({ at, kind }) => GIVING.includes(kind) && at === last_update_at)

/** The addresses of both families: how old they are, and which client sent them. */
export function AddressCard({ domain }: { readonly domain: Domain }) {
  const nowMs = useNow(MINUTE_MS)
  // The addresses are shown without their origins if the history cannot be read. Its tab says why.
  const { data } = useInfiniteQuery(eventsQuery(domain.id))
  const events = data?.pages.flatMap((page) => page.events) ?? []
  const last = lastUpdate(domain, events)
  const { last_update_at, ttl } = domain
  return (
    <section className="card section-card" aria-labelledby="addresses-title">
      <h2 id="addresses-title">Addresses</h2>
      <Published domain={domain} />
      <dl className="section-facts">
        {FAMILIES.map(([family, label]) => (
          <Address
            key={family}
            domain={domain}
            family={family}
            label={label}
            origin={originOf(family, events)}
            nowMs={nowMs}
          />
        ))}
        <div>
          <dt>Last update</dt>
          {last_update_at === null ? (
            <dd className="muted">Never</dd>
          ) : (
            <dd>
              <Age at={last_update_at} by={last && sourceOf(last)} nowMs={nowMs} />
            </dd>
          )}
        </div>
        <div>
          <dt>TTL</dt>
          <dd>{spanText(ttl)}</dd>
          <dd className="field-help">
            Resolvers ask again after this time, so a change is visible everywhere by then.
          </dd>
        </div>
      </dl>
    </section>
  )
}

/**
 * Keeps the lists of domains, and the page of one, current by the live stream. While the stream is interrupted, it reads the lists every 10 seconds.
 * A domain on the page changes in its row. Rows are added, removed and sorted only while the pointer is not over them.
 */
import type { QueryClient } from '@tanstack/react-query'
import { type Domain, type DomainPage, showDomain } from '../domains.ts'
import { MONITORS_KEY } from '../monitors.ts'
import { RECORDS_KEY } from '../record-key.ts'
import { FORWARDS_KEY } from '../web-forwards.ts'
import { LiveMonitors } from './live-monitors.ts'
import type { SharedStream } from './shared-stream.ts'
import type { LiveEvent } from './stream-source.ts'

const POLL_EVERY_MS = 10_000
/** Several changes often come together. */
const GATHER_MS = 500
/** Shortest time between two reads because of events: domains on other pages can change all the time. */
const READ_EVERY_MS = 3_000
/** How often it is checked whether the pointer has left the rows. */
const HELD_MS = 500

/** What a change of domains that this class cannot apply itself can concern. Only what is on the screen is read. */
const RELOADED = [
  'domains',
  'me',
  'named-domain',
  'domain-events',
  'update-calls',
  'deleted-domains',
  FORWARDS_KEY,
  MONITORS_KEY,
  RECORDS_KEY,
  'own-zones',
  'zone-events',
] as const

export interface LiveDomainsOptions {
  readonly queries: QueryClient
  /** Undefined in browsers without event streams. */
  readonly stream: SharedStream | undefined
  /** Whether the rows must stay where they are. */
  readonly isHeld: () => boolean
}

/** The page with a newer state of one of its domains; the same page if nothing is newer. */
function withDomain(page: DomainPage, domain: Domain): DomainPage {
  const known = page.domains.find(({ id }) => id === domain.id)
  if (known === undefined || known.version > domain.version) return page
  const isSame = (Object.keys(domain) as (keyof Domain)[]).every(
    (key) => known[key] === domain[key],
  )
  if (isSame) return page
  return { ...page, domains: page.domains.map((each) => (each === known ? domain : each)) }
}

export class LiveDomains {
  readonly #options: LiveDomainsOptions
  readonly #stops: (() => void)[] = []
  readonly #monitors: LiveMonitors
  #reload: ReturnType<typeof setTimeout> | undefined
  #readAt = -Infinity
  /** Whether the stream was interrupted after it had begun. */
  #wasBroken = false

  constructor(options: LiveDomainsOptions) {
    const { stream } = options
    this.#options = options
    const poll = setInterval(() => this.#poll(), POLL_EVERY_MS)
    this.#stops.push(() => clearInterval(poll))
    this.#monitors = new LiveMonitors(options.queries)
    this.#stops.push(() => this.#monitors.stop())
    if (stream === undefined) return
    this.#stops.push(
      stream.onEvent((event) => this.#take(event)),
      stream.onState(() => this.#follow(stream.state.isLive)),
    )
  }

  stop(): void {
    clearTimeout(this.#reload)
    for (const stop of this.#stops) stop()
  }

  #poll(): void {
    if (document.hidden || this.#options.stream?.state.isLive === true) return
    this.#reloadIn(0)
  }

  /** The stream does not repeat events about monitors that it missed while it was interrupted. */
  #follow(isLive: boolean): void {
    if (isLive && this.#wasBroken) this.#reloadSoon()
    this.#wasBroken = !isLive
  }

  #take([name, data]: LiveEvent): void {
    if (name === 'domain') this.#change(data)
    else if (name === 'monitor') {
      this.#monitors.take(data)
      if (this.#isFilteredByMonitor()) this.#reloadSoon()
    } else if (name === 'domain-deleted' || name === 'zone' || name === 'reload') this.#reloadSoon()
    // The dialog that waits for the first update of a router.
    else if (name === 'update-call') {
      const { queries } = this.#options
      void queries.invalidateQueries({ queryKey: ['update-calls', data.domain_id] })
      void queries.invalidateQueries({ queryKey: ['update-token', data.domain_id] })
    }
    // The next call finds the session ended, and leads to the sign-in screen.
    else if (name === 'end' && data.reason === 'session-ended') this.#reloadIn(0)
  }

  /** Whether the state of a monitor decides which rows are shown. */
  #isFilteredByMonitor(): boolean {
    const { queries } = this.#options
    return queries
      .getQueryCache()
      .findAll({ queryKey: ['domains'], type: 'active' })
      .some(({ queryKey }) => JSON.stringify(queryKey).includes('monitor:'))
  }

  #change(domain: Domain): void {
    const { queries } = this.#options
    showDomain(queries, domain)
    void queries.invalidateQueries({ queryKey: ['domain-events', domain.id] })
    const pages = queries.getQueriesData<DomainPage>({ queryKey: ['domains'] })
    const isShown = pages.some(([, page]) => page?.domains.some(({ id }) => id === domain.id))
    // The event does not say which of the domain's records changed.
    if (!isShown || this.#hasRecordsOf(domain)) return this.#reloadSoon()
    queries.setQueriesData<DomainPage>(
      { queryKey: ['domains'] },
      (page) => page && withDomain(page, domain),
    )
  }

  /** Whether the records of a domain are on the screen. */
  #hasRecordsOf({ id }: Domain): boolean {
    const queryKey = [RECORDS_KEY, 'domain', id]
    const { queries } = this.#options
    return queries.getQueryCache().findAll({ queryKey, type: 'active' }).length > 0
  }

  #reloadSoon(): void {
    this.#reloadIn(Math.max(GATHER_MS, this.#readAt + READ_EVERY_MS - performance.now()))
  }

  #reloadIn(waitMs: number): void {
    this.#reload ??= setTimeout(() => {
      this.#reload = undefined
      const { queries, isHeld } = this.#options
      if (isHeld()) return this.#reloadIn(HELD_MS)
      this.#readAt = performance.now()
      for (const key of RELOADED) void queries.invalidateQueries({ queryKey: [key] })
    }, waitMs)
  }
}

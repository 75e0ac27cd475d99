/**
 * Examines the target of a web forward as a visitor would meet it: each redirect, certificates, circles, and whether the
 * target can be shown in a frame.
 *
 * Each hop is a request of its own through the outgoing door, which checks its addresses. Domains of this service that are
 * forwarded are not requested: the forward in the database says where they lead.
 */
import type { TargetCheck, TargetHop } from '@homing/openapi'
import { TARGET_REDIRECT_LIMIT, type TargetFinding } from '@homing/openapi/vocabulary'
import type { Knex } from 'knex'
import {
  OutgoingFailure,
  type OutgoingCode,
} from '../../integrations/outgoing-http/outgoing-failure.ts'
import type { OutgoingHttp } from '../../integrations/outgoing-http/outgoing-http.ts'
import { locationOf } from '../../integrations/outgoing-http/redirect.ts'
import type { ResponseHead } from '../../integrations/outgoing-http/exchange.ts'
import { isMixedContent, PAGE_SCHEME, refusesFrames } from '../../rules/frame-policy.ts'
import { hostOf } from '../../rules/forward-target.ts'
import { domainAnswering } from '../../feed/forward-at-host.ts'
import { type CheckedTarget, circleFrom, circleMessage } from '../../feed/forward-circle.ts'

/** For all hops together. */
const TIME_LIMIT_MS = 10_000
/** The headers decide; only the beginning of the body is read. */
const BODY_LIMIT_BYTES = 1_024
/** Longer URLs are cut in the result: an account lists up to thousands of forwards at once, each with its last check. */
const SHOWN_URL_LIMIT = 300
const shownUrl = ({ href }: URL): string =>
  href.length > SHOWN_URL_LIMIT ? `${href.slice(0, SHOWN_URL_LIMIT - 1)}…` : href

export interface CheckServices {
  readonly knex: Knex
  readonly outgoing: Pick<OutgoingHttp, 'target'>
  readonly now: () => Date
}

const FINDINGS: Readonly<Partial<Record<OutgoingCode, TargetFinding>>> = {
  'own-address': 'leads-back',
  'private-address': 'private-address',
  dns: 'unknown-host',
  'invalid-url': 'invalid-answer',
  'scheme-not-allowed': 'invalid-answer',
  'port-not-allowed': 'invalid-answer',
  'invalid-response': 'invalid-answer',
  'too-large': 'invalid-answer',
  'tls-expired': 'tls',
  'tls-not-yet-valid': 'tls',
  'tls-name-mismatch': 'tls',
  'tls-untrusted': 'tls',
  'tls-failed': 'tls',
}

/** The end of the way from the target to the page that visitors see. */
interface End {
  readonly finding: TargetFinding
  readonly message: string
  /** The response of the last hop, if there is one. */
  readonly page?: ResponseHead
}

/** The way of a visitor, hop by hop. */
class Visit {
  readonly urls: URL[] = []
  readonly hops: TargetHop[] = []
  readonly #services: CheckServices
  readonly #fqdn: string
  readonly #passed: Set<string>
  readonly #endsAt = performance.now() + TIME_LIMIT_MS

  constructor(services: CheckServices, fqdn: string) {
    this.#services = services
    this.#fqdn = fqdn
    this.#passed = new Set([fqdn])
  }

  async follow(target: URL): Promise<End> {
    let url: URL | End = target
    while (url instanceof URL) {
      if (this.hops.length > TARGET_REDIRECT_LIMIT) {
        const message = `The target redirects more than ${TARGET_REDIRECT_LIMIT} times.`
        return { finding: 'too-many-redirects', message }
      }
      url = await this.#next(url)
    }
    return url
  }

  /** Where a hop leads: another URL, or the end. */
  async #next(url: URL): Promise<URL | End> {
    this.urls.push(url)
    const domain = await domainAnswering(this.#services.knex, hostOf(url))
    if (domain !== undefined && this.#passed.has(domain.fqdn)) {
      this.#note(url, null)
      return { finding: 'leads-back', message: circleMessage(domain.fqdn, this.#fqdn) }
    }
    if (domain?.forward?.isInForce === true) {
      this.#passed.add(domain.fqdn)
      this.#note(url, domain.forward.status)
      return domain.forward.target
    }
    return this.#request(url)
  }

  async #request(url: URL): Promise<URL | End> {
    try {
      const response = await this.#services.outgoing.target({
        url: url.href,
        headers: { accept: 'text/html,*/*;q=0.8' },
        followsRedirects: false,
        timeLimitMs: Math.max(1, Math.ceil(this.#endsAt - performance.now())),
        bodyLimitBytes: BODY_LIMIT_BYTES,
        longBody: 'cut',
      })
      this.#note(url, response.status)
      const location = locationOf(response)
      if (location === undefined) return endOf(response)
      return (
        URL.parse(location, url.href) ?? {
          finding: 'invalid-answer',
          message: 'The target redirects to something that is not a URL.',
        }
      )
    } catch (error) {
      if (!(error instanceof OutgoingFailure)) throw error
      this.#note(url, null)
      return { finding: FINDINGS[error.code] ?? 'no-answer', message: error.message }
    }
  }

  #note(url: URL, status: number | null): void {
    this.hops.push({ url: shownUrl(url), status })
  }
}

function endOf(page: ResponseHead): End {
  const { status } = page
  const message = `The target answers with status ${status}.`
  return { finding: status >= 400 ? 'error-status' : 'reachable', message, page }
}

/** What a check found, and what follows for a stealth forward. */
export interface Examined {
  readonly result: TargetCheck
  /** The target and its redirects, each whole. */
  readonly urls: readonly URL[]
  /** Undefined: the check could not find out. */
  readonly fallback: 'frames-refused' | 'mixed-content' | null | undefined
}

function framesOf(end: End, urls: readonly URL[], fqdn: string): TargetCheck['frames'] {
  const last = urls.at(-1)
  // An error page says nothing about the pages that visitors see later.
  if (end.page === undefined || last === undefined || end.finding !== 'reachable') return 'unknown'
  const page = new URL(`${PAGE_SCHEME}//${fqdn}/`)
  return refusesFrames(end.page.headers, last, page) ? 'refused' : 'allowed'
}

/** Examines a target. Its failures are part of the result. */
export async function examineTarget(
  services: CheckServices,
  checked: CheckedTarget,
): Promise<Examined> {
  const { target, fqdn } = checked
  const visit = new Visit(services, fqdn)
  const visited = await visit.follow(target)
  const circle = await circleFrom(services.knex, checked)
  const end: End = circle === undefined ? visited : { finding: 'leads-back', message: circle }
  const frames = framesOf(end, visit.urls, fqdn)
  const isMixed = isMixedContent(visit.urls)
  const blocked = frames === 'refused' ? 'frames-refused' : isMixed ? 'mixed-content' : null
  const result: TargetCheck = {
    target_url: target.href,
    finding: end.finding,
    message: end.message,
    hops: visit.hops,
    frames,
    fallback: blocked,
    checked_at: services.now().toISOString(),
  }
  const fallback = frames === 'unknown' && blocked === null ? undefined : blocked
  return { result, urls: visit.urls, fallback }
}

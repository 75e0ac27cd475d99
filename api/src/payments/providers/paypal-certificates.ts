/**
 * The certificates with which PayPal signs its events.
 *
 * An event names the address of its certificate, so anybody can name one: only addresses of PayPal, or of the configured
 * API, are fetched. PayPal's certificate must be issued by an authority that this computer trusts, to the name that
 * PayPal signs with. Another API is one that the operator set for tests: what it serves is as trustworthy as its answers.
 * Such an API need not have certificates, and PayPal has none for it; then its own check of an event decides.
 */
import { X509Certificate } from 'node:crypto'
import { getCACertificates } from 'node:tls'
import { BoundedMap } from '../../limits/bounded-map.ts'
import { OutgoingFailure } from '../../integrations/outgoing-http/outgoing-failure.ts'
import { ForgedEvent } from '../provider.ts'
import type { PaypalClient } from './paypal-client.ts'
import { MinuteBudget } from '../minute-budget.ts'
import { trouble } from './paypal-trouble.ts'

const PAYPAL_HOST = /^api(?:-m)?(\.sandbox)?\.paypal\.com$/
const SIGNER = /^messageverificationcerts(?:\.sandbox)?\.paypal\.com$/
const PATH = /^\/v1\/notifications\/certs\/[\w.-]{1,200}$/
const KEPT_MS = 86_400_000
/** Forged events must not make the service call PayPal without limit. */
const FETCHES_A_MINUTE = 20
const MOST_KEPT = 20
const TIME_LIMIT_MS = 5_000
const MOST_IN_CHAIN = 6
/** After a failure, the address is not called again within this time: every event would wait for it. */
const AWAY_MS = 60_000

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

interface Kept {
  readonly certificate: X509Certificate
  readonly until: number
}

export interface CertificateOptions {
  /** The present time. */
  readonly now: () => Date
  /** Certificates of trusted authorities, as PEM; the default is those of Node.js and `NODE_EXTRA_CA_CERTS`. */
  readonly trusted?: readonly string[]
}

export class PaypalCertificates {
  readonly #client: PaypalClient
  readonly #options: CertificateOptions
  /** Whether the API is one for tests, whose certificates need not be good. */
  readonly isForTests: boolean
  readonly #kept = new BoundedMap<string, Kept>(MOST_KEPT)
  readonly #fetches = new MinuteBudget(FETCHES_A_MINUTE)
  readonly #awayUntil = new BoundedMap<string, number>(MOST_KEPT)

  constructor(client: PaypalClient, options: CertificateOptions) {
    this.#client = client
    this.#options = options
    const isPaypal = PAYPAL_HOST.test(client.config.apiBase.hostname)
    this.isForTests = !isPaypal && options.trusted === undefined
  }

  /**
   * The certificate at an address, valid now.
   *
   * @throws ForgedEvent for an address that is not PayPal's, and for a certificate that PayPal does not sign with
   * @throws ProviderTrouble `unavailable` when it cannot be fetched, or when an API for tests has no good one
   */
  async at(address: string): Promise<X509Certificate> {
    const url = this.#checked(address)
    try {
      return await this.#fetched(url)
    } catch (error) {
      if (!(error instanceof ForgedEvent) || !this.isForTests) throw error
      throw trouble('unavailable', 'no certificate', error)
    }
  }

  async #fetched(url: URL): Promise<X509Certificate> {
    const now = this.#options.now()
    const kept = this.#kept.get(url.href)
    if (kept !== undefined && kept.until > now.getTime()) {
      requireValid(kept.certificate, now)
      return kept.certificate
    }
    const isPaypal = PAYPAL_HOST.test(url.hostname)
    const chain = chainOf(await this.#download(url, now))
    const anchors = this.#options.trusted ?? (isPaypal ? getCACertificates('default') : undefined)
    const certificate = verified(chain, anchors, now)
    if (isPaypal && !SIGNER.test(commonName(certificate))) {
      throw new ForgedEvent('the certificate is not one that PayPal signs events with')
    }
    this.#kept.set(url.href, { certificate, until: now.getTime() + KEPT_MS })
    return certificate
  }

  /** @throws ForgedEvent */
  #checked(address: string): URL {
    const { apiBase, isTest } = this.#client.config
    const url = URL.parse(address)
    const isPlain = url !== null && url.username === '' && url.password === '' && url.search === ''
    if (isPlain && this.isForTests && url.origin === apiBase.origin) return url
    if (isPlain && PATH.test(url.pathname)) {
      if (url.origin === apiBase.origin) return url
      const [isPaypal, sandbox] = PAYPAL_HOST.exec(url.hostname) ?? []
      const isOfMode = sandbox === undefined || isTest
      if (isPaypal !== undefined && isOfMode && url.protocol === 'https:' && url.port === '') {
        return url
      }
    }
    throw new ForgedEvent('the address of the certificate is not one of PayPal')
  }

  async #download(url: URL, now: Date): Promise<string> {
    // PayPal did not sign the events of another API.
    const isForeign = this.isForTests && PAYPAL_HOST.test(url.hostname)
    const isAway = (this.#awayUntil.get(url.href) ?? 0) > now.getTime()
    if (isForeign || isAway) throw trouble('unavailable', 'no certificate')
    if (!this.#fetches.take(now)) throw trouble('unavailable', 'too many certificates')
    try {
      const { status, body } = await this.#client.outgoing.operator({
        url,
        timeLimitMs: TIME_LIMIT_MS,
      })
      if (status === 404) throw new ForgedEvent('PayPal does not have the certificate')
      if (status === 200) return body.toString('latin1')
      throw trouble('unavailable', `certificate status ${status}`)
    } catch (error) {
      if (!(error instanceof OutgoingFailure)) throw error
      this.#awayUntil.set(url.href, now.getTime() + AWAY_MS)
      throw trouble('unavailable', error.code, error)
    }
  }
}

const commonName = ({ subject }: X509Certificate): string =>
  /(?:^|\n)CN=([^\n]+)/.exec(subject)?.[1] ?? ''

function chainOf(pem: string): X509Certificate[] {
  try {
    const chain = (pem.match(PEM) ?? [])
      .slice(0, MOST_IN_CHAIN)
      .map((each) => new X509Certificate(each))
    if (chain.length > 0) return chain
  } catch {
    // Below.
  }
  throw new ForgedEvent('the certificate cannot be read')
}

function requireValid(certificate: X509Certificate, now: Date): void {
  const { validFromDate, validToDate } = certificate
  if (validFromDate > now || validToDate < now) {
    throw new ForgedEvent('the certificate is not valid now')
  }
}

const isIssuedBy = (certificate: X509Certificate, issuer: X509Certificate) =>
  issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)

/**
 * The first certificate, if each is issued by the next and one of them by an anchor.
 *
 * @param anchors undefined: the last of the chain is trusted
 * @throws ForgedEvent
 */
function verified(
  chain: readonly X509Certificate[],
  anchors: readonly string[] | undefined,
  now: Date,
): X509Certificate {
  const [leaf] = chain
  if (leaf === undefined) throw new ForgedEvent('the certificate cannot be read')
  const roots = anchors?.map((pem) => new X509Certificate(pem))
  for (const [at, certificate] of chain.entries()) {
    requireValid(certificate, now)
    const root = roots?.find(
      (each) => isIssuedBy(certificate, each) || each.fingerprint256 === certificate.fingerprint256,
    )
    if (root !== undefined) {
      requireValid(root, now)
      return leaf
    }
    const issuer = chain[at + 1]
    if (issuer === undefined) break
    if (!isIssuedBy(certificate, issuer)) {
      throw new ForgedEvent('the certificates are not a chain')
    }
  }
  if (roots !== undefined) throw new ForgedEvent('no trusted authority issued the certificate')
  return leaf
}

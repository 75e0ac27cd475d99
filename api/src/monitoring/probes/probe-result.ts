/** What one check found. */
import { networkInterfaces } from 'node:os'
import type { MonitorCause } from '@homing/openapi/vocabulary'
import type { CertificateFacts } from '../../integrations/outgoing-http/certificate.ts'
import {
  type OutgoingCode,
  type OutgoingFailure,
} from '../../integrations/outgoing-http/outgoing-failure.ts'
import type { CheckResult } from '../store/check-result.ts'

/** What a check found, before it is known which kind of check it is. */
export type ProbeResult = Pick<
  CheckResult,
  'outcome' | 'address' | 'latencyMs' | 'status' | 'cause' | 'causeText' | 'certificateExpiresAt'
>

type Known = Partial<Pick<ProbeResult, 'address' | 'latencyMs' | 'status' | 'certificateExpiresAt'>>

const NOTHING = { address: null, latencyMs: null, status: null, cause: null, causeText: null }

export const succeeded = (known: Known): ProbeResult => ({ ...NOTHING, ...known, outcome: 'up' })

/** Texts can contain what a target sent, such as a long host name. */
const TEXT_LIMIT_CHARACTERS = 300

/** The target failed. @param causeText a sentence for the owner, which is cut after 300 characters */
export const failed = (cause: MonitorCause, causeText: string, known: Known = {}): ProbeResult => ({
  ...NOTHING,
  ...known,
  outcome: 'down',
  cause,
  causeText: causeText.slice(0, TEXT_LIMIT_CHARACTERS).toWellFormed(),
})

/** The service could not check the target. @param causeText a sentence for the owner */
export const notChecked = (
  cause: 'checker-offline' | 'not-checked',
  causeText: string,
): ProbeResult => ({ ...NOTHING, outcome: 'unknown', cause, causeText })

/** Nothing can be said yet. */
export const NO_RESULT: ProbeResult = { ...NOTHING, outcome: null }

/** The text for a check that failed because the network of the checking machine seems to be down. */
export const CHECKER_OFFLINE = 'The service could not check this domain: its own network failed.'

const CAUSES: Readonly<Record<OutgoingCode, MonitorCause>> = {
  'invalid-url': 'target-not-allowed',
  'scheme-not-allowed': 'target-not-allowed',
  'port-not-allowed': 'target-not-allowed',
  'invalid-request': 'failed',
  'own-address': 'target-not-allowed',
  'private-address': 'target-not-allowed',
  dns: 'name-not-resolved',
  'dns-unavailable': 'name-not-resolved',
  refused: 'refused',
  unreachable: 'unreachable',
  'connection-lost': 'connection-lost',
  timeout: 'timeout',
  'tls-expired': 'tls-expired',
  'tls-not-yet-valid': 'tls-not-yet-valid',
  'tls-name-mismatch': 'tls-name-mismatch',
  'tls-untrusted': 'tls-untrusted',
  'tls-failed': 'tls-failed',
  'invalid-response': 'invalid-response',
  'too-large': 'invalid-response',
  'too-many-redirects': 'too-many-redirects',
  failed: 'failed',
}

/** Errors that say that this machine has no file descriptors, ports or memory left. */
const EXHAUSTED: ReadonlySet<string> = new Set([
  'EMFILE',
  'ENFILE',
  'EADDRNOTAVAIL',
  'ENOBUFS',
  'ENOMEM',
])

/** Errors of a name server that the operator uses: it is silent or refuses connections. SERVFAIL can be the owner's fault. */
const WITHOUT_RESOLVER: ReadonlySet<string> = new Set(['ETIMEOUT', 'ECONNREFUSED'])

/** Whether this machine has an address of this family, besides loopback and link-local ones. */
function hasFamily(family: 'IPv4' | 'IPv6'): boolean {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .some((each) => each.family === family && !each.internal && !each.address.startsWith('fe80:'))
}

/** Whether a connection failed because of this machine, and not because of the target. */
function isOwnFault({ code: reason, cause }: OutgoingFailure, address: string | null): boolean {
  const { code = '' } = (cause ?? {}) as { code?: string }
  if (EXHAUSTED.has(code)) return true
  if (reason === 'dns-unavailable') return WITHOUT_RESOLVER.has(code)
  if (code !== 'ENETUNREACH' || address === null) return false
  return !hasFamily(address.includes(':') ? 'IPv6' : 'IPv4')
}

/** A certificate can name the year 0, which PostgreSQL does not know, or a date that does not exist. */
const isPlausible = (date: Date | undefined): date is Date =>
  date !== undefined && date.getTime() >= 0 && date.getUTCFullYear() <= 9_999

/** @param fqdn the domain, whose certificate is reported; that of a site to which it redirects is not */
export function certificateExpiry(
  hops: readonly { readonly url?: string; readonly certificate?: CertificateFacts }[],
  fqdn: string,
): { readonly certificateExpiresAt?: Date } {
  const own = hops.find(
    ({ url, certificate }) => certificate !== undefined && URL.parse(url ?? '')?.hostname === fqdn,
  )
  const certificateExpiresAt = own?.certificate?.validTo
  return isPlausible(certificateExpiresAt) ? { certificateExpiresAt } : {}
}

/** The result of a request or connection that failed. @param address the stored address */
export function resultOfFailure(
  failure: OutgoingFailure,
  { address, fqdn }: { readonly address: string; readonly fqdn: string },
): ProbeResult {
  if (isOwnFault(failure, address)) return notChecked('checker-offline', CHECKER_OFFLINE)
  return failed(CAUSES[failure.code], failure.message, {
    address,
    ...certificateExpiry([failure.hop], fqdn),
  })
}

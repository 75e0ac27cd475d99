/**
 * The targets of web forwards: from the user's input to the URL that is stored.
 *
 * Everything here is decided by the text alone. Where a name resolves to, and where the target redirects to, is found by
 * the check of the target.
 */
import { isIP } from 'node:net'
import { FORWARD_TEXT_LIMITS } from '@homing/openapi/vocabulary'
import { withWebScheme } from '@homing/openapi/web-forward'
import { parseAddress } from './addresses.ts'
import { attempt, Refusal } from './errors.ts'
import { zoneHolding } from './names.ts'
import { isTargetHost } from './target-host.ts'

/** The service, as far as targets must not lead to it, and what it allows. */
export interface TargetRules {
  /** The origin of `PUBLIC_URL`. */
  readonly origin: string
  /** Host names of the service in lower case, without a final dot. */
  readonly ownHosts: readonly string[]
  /** The zones of the service: names in them are not special, whatever they end in. */
  readonly zones: ReadonlySet<string>
  /** Whether special-use addresses and names, and other hosts of this machine, are allowed (`ALLOW_PRIVATE_TARGETS`). */
  readonly allowsPrivate: boolean
  /** Whether a host looks like a known name and is not spelled so. */
  readonly isLookalike: (host: string) => boolean
}

const FIELD = 'target_url'
const EXAMPLE = 'https://www.example.com/start'

/** The refusal of a target. @param message says what is wrong and what to do */
export const targetRefused = (message: string) =>
  new Refusal('target-not-allowed', message, { faults: [{ field: FIELD, message }] })

/** White space, control and format characters, which URL parsers remove or readers do not see, and backslashes. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Z}\\]/u
const OTHER_SCHEME = /^(?!https?:)([a-z][a-z0-9+.-]*):/i

/** A mail server could read a request as its commands. Port 0 cannot be connected to. */
const REFUSED_PORTS: readonly string[] = ['25', '0']

/** Longer hosts are cut in messages. */
const SHOWN_HOST_LIMIT = 80

/**
 * Names that only some networks know, or nobody: RFC 6761 §6, RFC 6762 §3 and appendix G, RFC 7686, RFC 8375, RFC 9476,
 * `internal`, which ICANN reserved for private use in 2024, and `localdomain` of hosts files.
 */
const SPECIAL_ENDINGS: ReadonlySet<string> = new Set([
  'alt',
  'arpa',
  'corp',
  'example',
  'home',
  'internal',
  'intranet',
  'invalid',
  'lan',
  'local',
  'localdomain',
  'localhost',
  'onion',
  'private',
  'test',
])

/** The text with its scheme. @throws Refusal `target-not-allowed` */
function withScheme(text: string): string {
  const url = withWebScheme(text)
  if (url !== undefined) return url
  const scheme = OTHER_SCHEME.exec(text)?.[1]
  if (scheme === undefined) throw notUrl()
  throw targetRefused(
    `target_url must begin with https:// or http://. ${scheme.slice(0, 20)}: is not possible.`,
  )
}

const notUrl = () =>
  targetRefused(`target_url is not a valid URL. Expected a URL such as ${EXAMPLE}, or a host name.`)

/** The host of a URL in its form for comparison: without the brackets of IPv6 and the final dot. */
export const hostOf = ({ hostname }: URL): string =>
  hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')

function requireOutside(host: string, { zones }: TargetRules): void {
  if (isIP(host) !== 0) {
    const refused = attempt(() => parseAddress(host, 'public', FIELD))
    if (!(refused instanceof Refusal)) return
    throw targetRefused(
      `${refused.message} Only your own network can reach it. Use a public address or a host name.`,
    )
  }
  if (zoneHolding(host, zones) !== undefined) return
  const labels = host.split('.')
  const ending = labels.at(-1) ?? ''
  if (labels.length > 1 && !SPECIAL_ENDINGS.has(ending)) return
  throw targetRefused(
    `${host} is not a name on the public Internet, so visitors cannot reach it. Use a public host name.`,
  )
}

/** @throws Refusal `target-not-allowed` */
function requireAllowedHost(url: URL, rules: TargetRules): void {
  const host = hostOf(url)
  if (!isTargetHost(url.hostname)) {
    throw targetRefused(
      `target_url has the invalid host ${host.slice(0, SHOWN_HOST_LIMIT)}. Expected an IP address, or labels of at most 63 letters, digits, hyphens and underscores, and at most 253 characters.`,
    )
  }
  const isOwn = rules.allowsPrivate ? url.origin === rules.origin : rules.ownHosts.includes(host)
  if (isOwn) throw targetRefused(`${host} is this service itself. Use another target.`)
  if (!rules.allowsPrivate) requireOutside(host, rules)
  if (rules.isLookalike(host)) {
    throw targetRefused(`${host} imitates a protected name. Use another target.`)
  }
}

/**
 * Parses a target.
 *
 * @param text an http or https URL, or a host with or without port and path, which becomes https
 * @throws Refusal `target-not-allowed` with the reason
 */
export function parseTarget(text: string, rules: TargetRules): URL {
  const typed = text.trim()
  if (typed === '') throw notUrl()
  if (UNSAFE.test(typed)) {
    throw targetRefused(
      'target_url contains a space, a backslash or a control character. Remove it, or write it as %20, %5C or in another percent-encoded form.',
    )
  }
  const url = URL.parse(withScheme(typed))
  if (url === null) throw notUrl()
  // `host.` is the same host, and must not look like another one to what compares targets.
  url.hostname = url.hostname.replace(/\.$/, '')
  if (url.username !== '' || url.password !== '') {
    throw targetRefused('target_url contains a username or password. Remove it.')
  }
  if (REFUSED_PORTS.includes(url.port)) {
    throw targetRefused(`target_url has the port ${url.port}. Use the port of a web server.`)
  }
  requireAllowedHost(url, rules)
  // Percent-encoding can make a text longer than the caller's.
  if (url.href.length > FORWARD_TEXT_LIMITS.target_url) {
    throw targetRefused(
      `target_url is too long. Use at most ${FORWARD_TEXT_LIMITS.target_url} characters.`,
    )
  }
  return url
}

/** A visible ASCII character in percent-encoded form, other than `/` and `%`. */
const ENCODED_VISIBLE = /^%(?:2[1-46-9a-e]|[3-6][\da-f]|7[\da-e])$/i

const plainOctet = (encoded: string): string =>
  ENCODED_VISIBLE.test(encoded) ? decodeURIComponent(encoded) : encoded.toUpperCase()

/** The host and the port of a URL, as in stored targets. */
export const hostAndPortOf = ({ hostname, port }: URL): string =>
  hostname.replace(/\.$/, '') + (port === '' ? '' : `:${port}`)

/**
 * The path of a URL in its form for comparison, without final slash. Percent-encoding and repeated slashes do not matter,
 * because most servers ignore them too (RFC 3986 §6.2.2).
 */
export const normalPathOf = ({ pathname }: URL): string =>
  pathname
    .replace(/%[\da-f]{2}/gi, plainOctet)
    .replace(/\/+/g, '/')
    .replace(/\/$/, '')

/** What an administrator blocks with a forward: the target without scheme, query, fragment and final slash. */
export const blockedFormOf = (url: URL): string => hostAndPortOf(url) + normalPathOf(url)

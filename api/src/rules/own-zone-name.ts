/**
 * Decides which domains can be own zones. These are the domains that people register at a registrar.
 *
 * A name below such a domain is refused, because a zone of its own would answer in place of the zone above it: the account that
 * claimed `www.example.com` would take it from the owner of `example.com`. So no own zone lies in another one. The zones of
 * networks in the reverse trees have fixed sizes.
 */
import { parse } from 'tldts'
import { Refusal } from './errors.ts'
import { namesAtOrAbove, parseName } from './names.ts'

const FIELD = 'domain'

function notAllowed(message: string): Refusal {
  return new Refusal('name-not-allowed', message, { faults: [{ field: FIELD, message }] })
}

const REVERSE_TREE = /(?:^|\.)(?:in-addr|ip6)\.arpa$/
const OCTET = String.raw`(?:0|[1-9]\d?|1\d\d|2[0-4]\d|25[0-5])`
/** Of a /24 of IPv4 (RFC 1035 §3.5), and of a /48 of IPv6 (RFC 3596 §2.5). */
const REVERSE_ZONE = new RegExp(
  `^(?:${OCTET}(?:\\.${OCTET}){2}\\.in-addr|[0-9a-f](?:\\.[0-9a-f]){11}\\.ip6)\\.arpa$`,
)

/**
 * Nobody registers a zone of a reverse tree at a registrar: network operators delegate it. The sizes are fixed, so that no own
 * zone lies in another one.
 *
 * @throws Refusal `name-not-allowed`
 */
function requireReverseZone(name: string): void {
  if (REVERSE_ZONE.test(name)) return
  throw notAllowed(
    `${name} is not the zone of a network that can be claimed. Expected that of an IPv4 /24, such as 2.0.192.in-addr.arpa, or of an IPv6 /48, with 12 digits before ip6.arpa.`,
  )
}

/** The registered domain at or above a name; undefined for a public suffix. */
function registeredDomain(name: string): string | undefined {
  // The private section, too: a name such as `github.io` is registered, but its owner gives away the names below it.
  const options = { allowPrivateDomains: true, validateHostname: false, extractHostname: false }
  return parse(name, options).domain ?? undefined
}

/**
 * Parses the domain of a claim and returns it in stored form.
 *
 * @param zones the zones of the service, in stored form
 * @throws Refusal `name-not-allowed` for a malformed name, a public suffix, a name below a registered domain, and a name
 * at, above or below a zone of the service
 */
export function parseOwnZoneName(text: string, zones: readonly string[]): string {
  const name = parseName(text.trim(), FIELD)
  const inside = new Set(namesAtOrAbove(name))
  const above = zones.find((zone) => inside.has(zone))
  if (above !== undefined) {
    throw notAllowed(
      `${name} belongs to ${above}, a zone of this service. Expected a domain that you registered at a registrar.`,
    )
  }
  if (/^[0-9.]+$/.test(name)) {
    throw notAllowed(`${name} is not a domain. Expected a domain such as example.com.`)
  }
  if (REVERSE_TREE.test(name)) requireReverseZone(name)
  const registered = REVERSE_TREE.test(name) ? name : registeredDomain(name)
  if (registered === undefined) {
    throw notAllowed(
      `${name} is a public suffix, below which others register domains. Expected a domain such as example.${name}.`,
    )
  }
  if (registered !== name) {
    throw notAllowed(
      `${name} is below ${registered}. Expected the domain that you registered: ${registered}.`,
    )
  }
  const below = zones.find((zone) => zone.endsWith(`.${name}`))
  if (below !== undefined) {
    throw notAllowed(`${name} is above ${below}, a zone of this service. Use another domain.`)
  }
  return name
}

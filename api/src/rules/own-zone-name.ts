/**
 * Decides which domains can be own zones. These are the domains that people register at a registrar.
 *
 * A name below such a domain is refused, because a zone of its own would answer in place of the zone above it: the account that
 * claimed `www.example.com` would take it from the owner of `example.com`. So no own zone lies in another one.
 */
import { parse } from 'tldts'
import { Refusal } from './errors.ts'
import { namesAtOrAbove, parseName } from './names.ts'

const FIELD = 'domain'

function notAllowed(message: string): Refusal {
  return new Refusal('name-not-allowed', message, { faults: [{ field: FIELD, message }] })
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
  const registered = registeredDomain(name)
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

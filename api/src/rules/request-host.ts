/**
 * The host that an HTTP request names: in its Host header, or in an absolute URL as its target (RFC 9112 §3.2).
 */
import ipaddr from 'ipaddr.js'

/** `host`, `host:port`, or an IPv6 literal in brackets with or without a port (RFC 3986 §3.2). */
const AUTHORITY = /^(?:\[([\da-f:.]+)\]|([\w-]+(?:\.[\w-]+)*)\.?)(?::\d*)?$/i
/** Longest host name in characters (RFC 1035 §2.3.4). */
const NAME_LIMIT = 253

/**
 * The host of an authority in its form for comparison: lower case, without the port and the final dot. IPv6 addresses
 * are canonical and without brackets; IPv4-mapped addresses become IPv4.
 *
 * @returns undefined when the text is not a single host, for example a list, or has user information or white space
 */
export function hostOfAuthority(authority: string): string | undefined {
  const [, literal, name] = AUTHORITY.exec(authority) ?? []
  if (literal !== undefined) {
    return ipaddr.IPv6.isValid(literal) ? ipaddr.process(literal).toString() : undefined
  }
  return name === undefined || name.length > NAME_LIMIT ? undefined : name.toLowerCase()
}

/** Whether a host always means the caller's own machine, so that DNS cannot point it elsewhere. */
export function isLoopbackHost(host: string): boolean {
  if (host === 'localhost') return true
  const isLiteral = ipaddr.IPv4.isValidFourPartDecimal(host) || ipaddr.IPv6.isValid(host)
  return isLiteral && ipaddr.parse(host).range() === 'loopback'
}

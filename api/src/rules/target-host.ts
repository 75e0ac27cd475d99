/**
 * The hosts that the target of a web forward can have. The API refuses others, and the forwarder does not serve them, so
 * both read this rule.
 */

/**
 * Names of labels of at most 63 characters (RFC 1035 §2.3.4), IPv4 addresses, and IPv6 addresses in brackets. The URL
 * standard also allows hosts with characters such as `;`, `,`, `'` and `*`, which no name on the Internet has.
 */
const HOST = /^(?:[\w-]{1,63}(?:\.[\w-]{1,63})*|\[[\da-f:.]+\])$/
/** Longest host name in characters (RFC 1035 §2.3.4). */
const NAME_LIMIT = 253

/** Whether a target can have this host. @param hostname from the URL parser, without a final dot */
export const isTargetHost = (hostname: string): boolean =>
  hostname.length <= NAME_LIMIT && HOST.test(hostname)

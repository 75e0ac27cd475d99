/**
 * Malformed request lines of devices, and how to repair them. A FRITZ!Box whose owner put two URLs
 * into one field requests `/nic/update%20http:/…`, or sends the space unescaped. Some UniFi
 * gateways omit the first slash. A server name that ends in a slash gives two slashes. Proxies send
 * the whole URL.
 */
import { operations } from '@homing/openapi'

const PATHS: ReadonlySet<string> = new Set(
  Object.values(operations.dyndns).map(({ url }) => url as string),
)
/** The constant prefixes of the paths that end in parameters. */
export const PREFIXES: readonly string[] = [
  ...new Set(
    [...PATHS].filter((url) => url.includes('{')).map((url) => url.slice(0, url.indexOf('{'))),
  ),
]

/** Whether a path belongs to the update protocol. */
export function isUpdatePath(path: string): boolean {
  const plain = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
  return PATHS.has(plain) || PREFIXES.some((prefix) => path.startsWith(prefix))
}

const pathOf = (url: string) => /^[^?#]*/.exec(url)?.[0] ?? ''

/** Escapes octets that URLs cannot contain (RFC 3986 §2.1). Node gives each octet as a character. */
function escaped(url: string): string {
  return url.replaceAll(
    /[^\x21-\x7e]/g,
    (octet) => `%${octet.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
}

/** `/nic/update%20http:/…?query`: the second URL's query belongs to the first path. */
const TWO_URLS = /^([^?#]*?)(?:%20|\+)https?:[^?#]*/i

/** Whether a URL contains another one after a space. */
export function holdsTwoUrls(url: string): boolean {
  return /(?:%20|\+)https?(?::|%3a)/i.test(url)
}

/** The repaired URL if it belongs to the update protocol; any other URL unchanged. */
export function mendUrl(url: string): string {
  const isPlain = !/[^\x21-\x7e]/.test(url)
  if (isPlain && url.startsWith('/') && !url.startsWith('//') && !url.includes('http')) return url
  const mended = escaped(url)
    .replace(/^https?:\/\/[^/?#]*/i, '')
    .replace(/^\/+/, '/')
    .replace(TWO_URLS, '$1')
  return isUpdatePath(pathOf(mended)) ? mended : url
}

/**
 * The repaired request target, from the text between the method and the version. Undefined when the
 * target is valid or does not belong to the update protocol.
 */
export function mendTarget(target: string): string | undefined {
  const plain = escaped(target)
  const rooted = /^(\/|https?:)/i.test(plain) ? plain : `/${plain}`
  if (rooted === target) return undefined
  return isUpdatePath(pathOf(mendUrl(rooted))) ? rooted : undefined
}

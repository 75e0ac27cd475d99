/**
 * Request lines as devices get them wrong, and what was meant. A FRITZ!Box whose owner put
 * two URLs into one field asks for `/nic/update%20http:/…`, or sends the space as it is;
 * some UniFi gateways leave the first slash away; a server's name that ends in a slash gives
 * two; proxies ask with the whole URL.
 */
import { operations } from '@homing/openapi'

const PATHS: ReadonlySet<string> = new Set(
  Object.values(operations.dyndns).map(({ url }) => url as string),
)
/** The first parts of those that end in parameters. */
export const PREFIXES: readonly string[] = [
  ...new Set(
    [...PATHS].filter((url) => url.includes('{')).map((url) => url.slice(0, url.indexOf('{'))),
  ),
]

/** Whether a path is one of the update protocol. */
export function isUpdatePath(path: string): boolean {
  const plain = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
  return PATHS.has(plain) || PREFIXES.some((prefix) => path.startsWith(prefix))
}

const pathOf = (url: string) => /^[^?#]*/.exec(url)?.[0] ?? ''

/** Octets that no URL holds as they are (RFC 3986 §2.1), escaped; Node gives each octet as a character. */
function escaped(url: string): string {
  return url.replaceAll(
    /[^\x21-\x7e]/g,
    (octet) => `%${octet.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
}

/** `/nic/update%20http:/…?query`: the second URL's query belongs to the first path. */
const TWO_URLS = /^([^?#]*?)(?:%20|\+)https?:[^?#]*/i

/** Whether a URL holds another one behind a space. */
export function holdsTwoUrls(url: string): boolean {
  return /(?:%20|\+)https?(?::|%3a)/i.test(url)
}

/** The URL that was meant, where it is one of the update protocol; any other one as it is. */
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
 * The URL that was meant by what stands between a method and the version, or undefined
 * where nothing is wrong with it or it is none of the update protocol.
 */
export function mendTarget(target: string): string | undefined {
  const plain = escaped(target)
  const rooted = /^(\/|https?:)/i.test(plain) ? plain : `/${plain}`
  if (rooted === target) return undefined
  return isUpdatePath(pathOf(mendUrl(rooted))) ? rooted : undefined
}

/**
 * Whether a page can be shown in a frame of a page of another origin: `X-Frame-Options` (HTML Standard "The
 * `X-Frame-Options` header") and the directive `frame-ancestors` (CSP Level 3 §6.4.2).
 */

/** Headers of a response, with names in lower case. */
export type Headers = Readonly<Record<string, string | readonly string[]>>

const valuesOf = (headers: Headers, name: string): string[] =>
  [headers[name] ?? []].flat().flatMap((value) => value.split(','))

/** The source list of the directive of each policy; a policy without the directive does not limit frames. */
function ancestorLists(headers: Headers): string[][] {
  return valuesOf(headers, 'content-security-policy').flatMap((policy) => {
    const directives = policy.split(';').map((directive) => directive.trim().split(/\s+/))
    const found = directives.find(([name = '']) => name.toLowerCase() === 'frame-ancestors')
    return found === undefined ? [] : [found.slice(1)]
  })
}

const HOST_SOURCE = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(\*|(?:\*\.)?[^:/*]+)(?::(\d+|\*))?(?:\/.*)?$/i
const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' }

const portOf = (url: URL) => url.port || (DEFAULT_PORTS[url.protocol] ?? '')

/** A source that names http also allows https (CSP Level 3 §6.7.2.9). */
const takesScheme = (source: string, page: URL) =>
  source === page.protocol || (source === 'http:' && page.protocol === 'https:')

/** Whether a source expression allows the page, which has another origin than the target. */
function allows(source: string, page: URL, target: URL): boolean {
  const text = source.toLowerCase()
  if (text === '*') return true
  if (/^[a-z][a-z0-9+.-]*:$/.test(text)) return takesScheme(text, page)
  const [, scheme, host = '', port] = HOST_SOURCE.exec(text) ?? []
  if (host === '' || text.startsWith("'")) return false
  if (!takesScheme(scheme === undefined ? target.protocol : `${scheme}:`, page)) return false
  const isHost = host.startsWith('*')
    ? host === '*' || page.hostname.endsWith(host.slice(1))
    : page.hostname === host
  return isHost && (port === '*' || (port ?? portOf(page)) === portOf(page))
}

/** An old header that some browsers ignore where it has several values; here, one that refuses is enough. */
function optionsRefuse(headers: Headers): boolean {
  const options = valuesOf(headers, 'x-frame-options').map((value) => value.trim().toLowerCase())
  return options.includes('deny') || options.includes('sameorigin')
}

/**
 * Whether a response refuses to be shown in a frame of `page`. Where a policy has `frame-ancestors`, browsers ignore
 * `X-Frame-Options`.
 *
 * @param target the URL of the response
 */
export function refusesFrames(headers: Headers, target: URL, page: URL): boolean {
  const lists = ancestorLists(headers)
  if (lists.length === 0) return optionsRefuse(headers)
  return lists.some((sources) => !sources.some((source) => allows(source, page, target)))
}

/** The scheme of the pages that the forwarding server serves. */
export const PAGE_SCHEME: 'http:' | 'https:' = 'http:'

/**
 * Whether browsers block a frame as mixed content (W3C Mixed Content §4): a page that came by https, and a target that it
 * reaches by http, also after a redirect.
 */
export const isMixedContent = (urls: readonly URL[], pageScheme: string = PAGE_SCHEME): boolean =>
  pageScheme === 'https:' && urls.some(({ protocol }) => protocol === 'http:')

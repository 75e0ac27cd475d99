/** The proxy for a server, from the environment: `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` as curl reads them. */
import { isIPv6 } from 'node:net'
import { usage } from './failure.ts'

type Environment = Readonly<Record<string, string | undefined>>

export interface Proxy {
  /** The variable that sets it. */
  readonly variable: string
  readonly url: URL
}

/** The variable that is set and not empty; the one in lower case takes precedence. */
function setting(
  environment: Environment,
  name: string,
): [variable: string, text: string] | undefined {
  for (const variable of [name.toLowerCase(), name]) {
    const text = environment[variable]?.trim()
    if (text !== undefined && text !== '') return [variable, text]
  }
  return undefined
}

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' }

const plainHost = (hostname: string) =>
  hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase()

/** `example.net`, `example.net:8443`, `192.0.2.1:80`, `::1`, `[::1]` or `[::1]:8443`. */
function hostAndPort(entry: string): [host: string, port: string | undefined] {
  if (isIPv6(entry)) return [entry, undefined]
  const [, host = '', port] = /^(\[.*\]|[^:]*)(?::(\d+))?$/.exec(entry) ?? []
  return [host, port]
}

/** One entry of `NO_PROXY`: `*`, an address, or `example.net` with all names below it; each may have a port. */
function isExempt(entry: string, { hostname, port, protocol }: URL): boolean {
  const [host, entryPort] = hostAndPort(entry)
  if (entryPort !== undefined && entryPort !== (port || DEFAULT_PORTS[protocol])) return false
  const exempt = plainHost(host.replace(/^\*?\./, ''))
  const target = plainHost(hostname)
  return exempt === '*' || (exempt !== '' && (target === exempt || target.endsWith(`.${exempt}`)))
}

/**
 * The proxy for calls to `server`; undefined for direct calls.
 *
 * @throws CommandFailure when the variable is not the URL of a proxy
 */
export function proxyFor(server: string, environment: Environment): Proxy | undefined {
  const url = new URL(server)
  const named = setting(environment, url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY')
  if (named === undefined) return undefined
  const [, exempt = ''] = setting(environment, 'NO_PROXY') ?? []
  if (exempt.split(/[,\s]+/).some((entry) => entry !== '' && isExempt(entry, url))) return undefined
  const [variable, text] = named
  const proxy = URL.parse(text.includes('://') ? text : `http://${text}`)
  if (proxy === null || !(proxy.protocol in DEFAULT_PORTS)) {
    // The value is not repeated: it may contain a password.
    throw usage(
      `${variable} is not the URL of an HTTP proxy. Expected a URL such as http://proxy.example.net:3128.`,
    )
  }
  return { variable, url: proxy }
}

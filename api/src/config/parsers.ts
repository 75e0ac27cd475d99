/** Parsers for the values of variables. Each returns undefined for an invalid value. */
import { accessSync, constants, statSync } from 'node:fs'
import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net'
import { resolve } from 'node:path'
import { hostOfAuthority } from '../rules/request-host.ts'
import { type Parse, ROOT } from './variables.ts'

/** A name server of the provider: its host name and addresses. */
export interface Nameserver {
  readonly hostname: string
  readonly ipv4: string
  readonly ipv6?: string
}

const UNIT_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}

/**
 * A comma-separated list of values that `parse` accepts, without repeats. An invalid or empty element makes the
 * whole list invalid.
 */
export function listOf<T>(parse: Parse<T>): Parse<readonly T[]> {
  return (text) => {
    const values: T[] = []
    for (const element of text.split(',')) {
      const value = parse(element.trim())
      if (value === undefined) return undefined
      if (!values.includes(value)) values.push(value)
    }
    return values
  }
}

/** One of a few words. */
export function oneOf<const T extends string>(...words: readonly T[]): Parse<T> {
  return (text) => words.find((word) => word === text)
}

/** What `ipAddress` accepts, for messages. */
export const ADDRESS = 'an IPv4 or IPv6 address'

/** What `port` accepts, for messages. */
export const PORT = 'a port from 1 to 65535'

/** A TCP or UDP port for clients to connect to. 0 ("any") is invalid. */
export function port(text: string): number | undefined {
  const number = /^\d{1,5}$/.test(text) ? Number(text) : 0
  return number >= 1 && number <= 65_535 ? number : undefined
}

/** A span such as `90s`, `24h` or `7d`, in milliseconds. */
export function durationMs(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  if (count === undefined || unit === undefined || Number(count) === 0) return undefined
  const unitMs = UNIT_MS[unit]
  return unitMs === undefined ? undefined : Number(count) * unitMs
}

/**
 * An IPv4 or IPv6 address. An IPv6 zone id (`%eth0`) has no meaning for other hosts and is invalid.
 */
export function ipAddress(text: string): string | undefined {
  return isIP(text) !== 0 && !text.includes('%') ? text : undefined
}

/** An address to listen on: an IP address or a host name such as `localhost`. */
export function listenHost(text: string): string | undefined {
  return ipAddress(text) ?? hostname(text)
}

/** An address, or a network with its prefix length: `192.0.2.1`, `192.0.2.0/24`, `2001:db8::/32`. */
export function addressOrNetwork(text: string): string | undefined {
  const [address = '', prefix, ...rest] = text.split('/')
  if (ipAddress(address) === undefined || rest.length > 0) return undefined
  if (prefix === undefined) return text
  if (!/^\d{1,3}$/.test(prefix)) return undefined
  try {
    new BlockList().addSubnet(address, Number(prefix), isIPv4(address) ? 'ipv4' : 'ipv6')
    return text
  } catch {
    return undefined
  }
}

/**
 * A host name or the name of a zone: LDH labels (RFC 1123 §2.1) of at most 63
 * characters, 253 together, in lower case and without the final dot.
 */
export function hostname(text: string): string | undefined {
  const name = text.toLowerCase().replace(/\.$/, '')
  if (name.length > 253 || isIP(name) !== 0) return undefined
  const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
  return name.split('.').every((each) => label.test(each)) ? name : undefined
}

/** The address of a resolver: `192.0.2.53`, `192.0.2.53:5353`, `2001:db8::53` or `[2001:db8::53]:5353`. */
export function nameServerAddress(text: string): string | undefined {
  const [, inBrackets, plain, port] = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d+))?$/.exec(text) ?? [
    undefined,
    undefined,
    text,
  ]
  const address = inBrackets ?? plain ?? ''
  if (isIP(address) === 0 || address.includes('%')) return undefined
  const isPort = port === undefined || (Number(port) > 0 && Number(port) < 65_536)
  return isPort ? text : undefined
}

/** `hostname/IPv4` or `hostname/IPv4/IPv6`. */
export function nameserver(text: string): Nameserver | undefined {
  const [host = '', ipv4 = '', ipv6, ...rest] = text.split('/')
  const name = hostname(host)
  if (name === undefined || !isIPv4(ipv4) || rest.length > 0) return undefined
  if (ipv6 === undefined) return { hostname: name, ipv4 }
  return isIPv6(ipv6) && !ipv6.includes('%') ? { hostname: name, ipv4, ipv6 } : undefined
}

/** An absolute URL with one of the schemes, which are written with their colon. */
export function urlOf(...schemes: readonly string[]): Parse<URL> {
  return (text) => {
    const url = URL.parse(text)
    return url !== null && schemes.includes(url.protocol) && url.hostname !== '' ? url : undefined
  }
}

/**
 * The origin at which users reach the service: scheme, host and port only, because cookies and links begin at its
 * root.
 */
export function origin(text: string): URL | undefined {
  const url = urlOf('http:', 'https:')(text)
  return url !== undefined && `${url.origin}/` === url.href ? url : undefined
}

/** What a list of `webHost` accepts, for messages. */
export const HOSTS = 'a comma-separated list of host names and addresses such as dns.example.net'

/**
 * A host under which browsers can use the service, in the form of `hostOfAuthority`. A port is accepted and ignored.
 */
export function webHost(text: string): string | undefined {
  const url = origin(`http://${isIPv6(text) ? `[${text}]` : text}`)
  return url && hostOfAuthority(url.host)
}

/** A readable file. Relative paths start at the project's root. */
export function readableFile(text: string): string | undefined {
  const file = resolve(ROOT, text)
  try {
    accessSync(file, constants.R_OK)
    return statSync(file).isFile() ? file : undefined
  } catch {
    return undefined
  }
}

/** A PostgreSQL connection string, unchanged. */
export function postgresUrl(text: string): string | undefined {
  return /^postgres(?:ql)?:$/.test(URL.parse(text)?.protocol ?? '') ? text : undefined
}

/** A text in the form of an email address. */
export function emailAddress(text: string): string | undefined {
  return /^[^\s@<>,;:"]{1,64}@[^\s@<>,;:"]{1,255}$/.test(text) ? text : undefined
}

/**
 * A URL for reports of vulnerabilities (RFC 9116 §2.5.3): a mailbox, a page or a telephone number.
 */
export function contactUrl(text: string): string | undefined {
  const [, address] = /^mailto:(.+)$/.exec(text) ?? []
  if (address !== undefined) return emailAddress(address) === undefined ? undefined : text
  return /^(https:\/\/|tel:\+)[\x21-\x7e]+$/.test(text) && URL.canParse(text) ? text : undefined
}

/** `Name <address>` or an address alone, on one line. */
export function mailbox(text: string): string | undefined {
  const [, address] = /^[^<>\r\n]*<([^<>]+)>$/.exec(text) ?? []
  return emailAddress(address ?? text) === undefined ? undefined : text
}

/**
 * A name for the service that needs no escaping in mail headers, titles and texts: no control characters, and no
 * characters that delimit an address (RFC 5322 §3.2.3).
 */
export function productName(text: string): string | undefined {
  return /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N} .&'+-]{0,38}[\p{L}\p{M}\p{N}.+])?$/u.test(text)
    ? text
    : undefined
}

/** Any text with at least `minCharacters` characters and without control characters. */
export function textFrom(minCharacters: number): Parse<string> {
  return (text) => (text.length >= minCharacters && !/\p{Cc}/u.test(text) ? text : undefined)
}

import { isIP } from 'node:net'
import { InvalidQuestion } from './errors.ts'

/** Where a name server answers, over UDP and TCP. */
export interface DnsServer {
  /** IPv4 or IPv6, without brackets. */
  readonly address: string
  readonly port: number
}

const DNS_PORT = 53
const WITH_PORT = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/

/**
 * Reads `ADDRESS`, `IPV4:PORT` or `[IPV6]:PORT`.
 *
 * @throws InvalidQuestion
 */
export function serverFromText(text: string): DnsServer {
  const [, ipv6, ipv4, portText] = WITH_PORT.exec(text) ?? []
  const address = ipv6 ?? ipv4 ?? text.replace(/^\[(.*)\]$/, '$1')
  const port = portText === undefined ? DNS_PORT : Number(portText)
  if (isIP(address) === 0 || port < 1 || port > 65_535) {
    throw new InvalidQuestion(
      `"${text}" is not the address of a name server: expected ADDRESS or ADDRESS:PORT, such as 192.0.2.1:53 or [2001:db8::1]:53.`,
    )
  }
  return { address, port }
}

/** `IPV4:PORT` or `[IPV6]:PORT`. */
export function serverToText({ address, port }: DnsServer): string {
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`
}

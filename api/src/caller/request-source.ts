import type { FastifyRequest } from 'fastify'
import { isIP } from 'node:net'
import type { ApiConfig } from '../config/api.ts'

/** Where a request comes from. */
export interface RequestSource {
  /** The caller's address; an IPv4-mapped address is written as IPv4. */
  readonly ip: string
  /** The same; undefined when a trusted proxy sent an invalid address, so that `ip` is the proxy's own. */
  readonly callerIp: string | undefined
  readonly userAgent: string | null
}

/** Writes an IPv4-mapped address as IPv4, and removes the zone (`%eth0`), which has a meaning on one host only. */
export const plainAddress = (text: string) =>
  text.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')

/**
 * The caller's address; an IPv4-mapped address is written as IPv4. Undefined when a trusted
 * proxy sent something else, such as a word or an address with a port.
 */
export function callerAddress(request: FastifyRequest): string | undefined {
  const address = plainAddress(request.ip)
  return isIP(address) === 0 ? undefined : address
}

const isLoopback = (ip: string | undefined) => ip === '::1' || ip?.startsWith('127.') === true

/**
 * Whether a program on this machine sends the request, and not a proxy for another client. A trusted proxy sends the client's
 * address in `X-Forwarded-For`. `Forwarded` is never read, so a request that carries it may come from anywhere.
 */
export function isOfThisMachine(
  request: FastifyRequest,
  { trustProxy }: Pick<ApiConfig, 'trustProxy'>,
): boolean {
  const { headers } = request
  const socket = plainAddress(request.socket.remoteAddress ?? '')
  if (headers['forwarded'] !== undefined) return false
  if (headers['x-forwarded-for'] !== undefined && trustProxy.length === 0) return false
  return isLoopback(socket) && isLoopback(callerAddress(request))
}

/** Reads where a request comes from. An address that a trusted proxy sent is used when it is valid. */
export function requestSourceOf(request: FastifyRequest): RequestSource {
  const callerIp = callerAddress(request)
  return {
    ip: callerIp ?? plainAddress(request.socket.remoteAddress ?? '::'),
    callerIp,
    // Octets from 0x80 to 0x9f are accepted in headers, and some control terminals. HTTP parsers reject those below
    // 0x20, and PostgreSQL cannot store U+0000.
    userAgent: request.headers['user-agent']?.slice(0, 200).replaceAll(/\p{Cc}/gu, '') ?? null,
  }
}

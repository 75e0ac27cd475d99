import type { FastifyRequest } from 'fastify'
import { isIP } from 'node:net'
import type { ApiConfig } from '../config/api.ts'

/** From where a call came. */
export interface Origin {
  /** The address of the caller, IPv4-mapped ones as IPv4. */
  readonly ip: string
  /** The same; undefined where a trusted proxy tells something that is no address, and `ip` is the proxy's. */
  readonly told: string | undefined
  readonly userAgent: string | null
}

/** The address of an IPv4-mapped one as IPv4, and without the zone (`%eth0`) that means nothing to others. */
const plainAddress = (text: string) => text.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')

/**
 * The address of the caller, IPv4-mapped ones as IPv4; undefined when a trusted proxy tells
 * something that is no address (a word, or one with a port).
 */
export function callerAddress(request: FastifyRequest): string | undefined {
  const told = plainAddress(request.ip)
  return isIP(told) === 0 ? undefined : told
}

const isLoopback = (ip: string | undefined) => ip === '::1' || ip?.startsWith('127.') === true

/**
 * Whether a program on this machine makes the call, and no proxy passes it on for somebody else. A trusted proxy tells the caller's
 * address in `X-Forwarded-For`; `Forwarded` is never read, so a call that carries it may come from anywhere.
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

/** From where a call came. What a trusted proxy tells counts when it is an address. */
export function originOf(request: FastifyRequest): Origin {
  const told = callerAddress(request)
  return {
    ip: told ?? plainAddress(request.socket.remoteAddress ?? '::'),
    told,
    // Octets from 0x80 to 0x9f pass as characters of a header, and some steer terminals. Those below 0x20 no parser
    // of HTTP lets in, and PostgreSQL keeps no U+0000.
    userAgent: request.headers['user-agent']?.slice(0, 200).replaceAll(/\p{Cc}/gu, '') ?? null,
  }
}

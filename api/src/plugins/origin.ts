import type { FastifyRequest } from 'fastify'
import { isIP } from 'node:net'

/** From where a call came. */
export interface Origin {
  /** The address of the caller, IPv4-mapped ones as IPv4. */
  readonly ip: string
  readonly userAgent: string | null
}

/** The address of an IPv4-mapped one as IPv4, and without the zone (`%eth0`) that means nothing to others. */
const plainAddress = (text: string) => text.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')

/** From where a call came. What a trusted proxy tells counts when it is an address. */
export function originOf(request: FastifyRequest): Origin {
  const told = plainAddress(request.ip)
  return {
    ip: isIP(told) === 0 ? plainAddress(request.socket.remoteAddress ?? '::') : told,
    userAgent: request.headers['user-agent']?.slice(0, 200) ?? null,
  }
}

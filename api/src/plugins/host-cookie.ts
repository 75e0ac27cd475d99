/**
 * Cookies that hold a secret of the browser. Scripts and other hosts cannot read them, and requests from other sites
 * that write do not carry them.
 */
import type { CookieSerializeOptions } from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ApiConfig } from '../config/api.ts'

type Place = Pick<ApiConfig, 'publicUrl'>

/** Sets, clears and reads one cookie. */
export interface HostCookie {
  readonly set: (reply: FastifyReply, config: Place, value: string) => void
  readonly clear: (reply: FastifyReply, config: Place) => void
  /** Undefined when the request does not have the cookie. */
  readonly read: (request: FastifyRequest, config: Place) => string | undefined
}

const isSecure = ({ publicUrl }: Place) => publicUrl.protocol === 'https:'

const attributes = (config: Place): CookieSerializeOptions => ({
  path: '/',
  httpOnly: true,
  sameSite: 'lax',
  secure: isSecure(config),
})

/** @param lifetimeMs how long browsers keep it */
export function hostCookie(name: string, lifetimeMs: number): HostCookie {
  // `__Host-`: no other host of the domain can set it (RFC 6265bis §4.1.3.2); browsers accept it only over https.
  const nameOf = (config: Place) => (isSecure(config) ? `__Host-${name}` : name)
  return {
    set(reply, config, value) {
      const options = { ...attributes(config), maxAge: lifetimeMs / 1_000 }
      void reply.setCookie(nameOf(config), value, options)
    },
    clear(reply, config) {
      void reply.clearCookie(nameOf(config), attributes(config))
    },
    read: (request, config) => request.cookies[nameOf(config)],
  }
}

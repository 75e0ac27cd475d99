/** Cookies that hold a secret of the browser's: out of reach of scripts, of other hosts and of other sites' writes. */
import type { CookieSerializeOptions } from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ApiConfig } from '../config/api.ts'

type Place = Pick<ApiConfig, 'publicUrl'>

/** How one cookie is set, cleared and read. */
export interface HostCookie {
  readonly set: (reply: FastifyReply, config: Place, value: string) => void
  readonly clear: (reply: FastifyReply, config: Place) => void
  /** Undefined when the request has none. */
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
  // `__Host-`: no other host of the domain can set it (RFC 6265bis §4.1.3.2); browsers want https for it.
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

/** The cookie that carries a browser's session: out of reach of scripts and of other sites' writes. */
import type { CookieSerializeOptions } from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ApiConfig } from '../config/api.ts'
import { SESSION_LIFETIME_MS } from '../credentials/session.ts'

type Place = Pick<ApiConfig, 'publicUrl'>

const isSecure = ({ publicUrl }: Place) => publicUrl.protocol === 'https:'

/** `__Host-`: no other host of the domain can set it (RFC 6265bis §4.1.3.2); browsers want https for it. */
function sessionCookieName(config: Place): string {
  return isSecure(config) ? '__Host-homing_session' : 'homing_session'
}

function attributes(config: Place): CookieSerializeOptions {
  return { path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure(config) }
}

export function setSessionCookie(reply: FastifyReply, config: Place, token: string): void {
  void reply.setCookie(sessionCookieName(config), token, {
    ...attributes(config),
    maxAge: SESSION_LIFETIME_MS / 1_000,
  })
}

export function clearSessionCookie(reply: FastifyReply, config: Place): void {
  void reply.clearCookie(sessionCookieName(config), attributes(config))
}

export function sessionCookie(request: FastifyRequest, config: Place): string | undefined {
  return request.cookies[sessionCookieName(config)]
}

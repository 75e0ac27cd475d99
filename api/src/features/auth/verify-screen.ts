/** Sends browsers that open a verification URL of the API to the screen that verifies the address. */
import type { FastifyReply } from 'fastify'

/** Whether a client prefers HTML to JSON (RFC 9110 §12.5.1): browsers name `text/html` first. */
export function prefersHtml(accept: string | undefined): boolean {
  const first = accept?.split(',', 1)[0]?.split(';', 1)[0]?.trim().toLowerCase()
  return first === 'text/html' || first === 'application/xhtml+xml'
}

/** The screen verifies the address when the registering browser opens it, and has a button everywhere else. */
export function sendToScreen(reply: FastifyReply, token: string): FastifyReply {
  return reply
    .header('cache-control', 'no-store')
    .redirect(`/#verify-email/${encodeURIComponent(token)}`, 303)
}

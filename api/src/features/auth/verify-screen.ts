/** Sends browsers that open a verification URL of the API to the screen that verifies the address. */
import type { FastifyReply } from 'fastify'

/** The screen verifies the address when the registering browser opens it, and has a button everywhere else. */
export function sendToScreen(reply: FastifyReply, token: string): FastifyReply {
  return reply
    .header('cache-control', 'no-store')
    .redirect(`/#verify-email/${encodeURIComponent(token)}`, 303)
}

/** `/checkip`: the address of the client, in the text or the page that update clients expect. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { callerAddress } from '../../caller/request-source.ts'
import { LINES, sendAnswer } from '../../update-protocol/answer.ts'
import { RETRY_AFTER_SECONDS } from './host-update.ts'

/** ddclient skips to `IP Address` and takes what looks like an address after it. */
const page = (address: string) =>
  `<html><head><title>Current IP Check</title></head><body>Current IP Address: ${address}</body></html>\n`

/** @param isPage whether the client expects a small HTML page */
export function sendOwnAddress(request: FastifyRequest, reply: FastifyReply, isPage: boolean) {
  const address = callerAddress(request)
  // A proxy sent no client address, and the proxy's own address would be wrong.
  if (address === undefined) {
    const outcome = { code: '911', retryAfterSeconds: RETRY_AFTER_SECONDS } as const
    return sendAnswer(request, reply, LINES.once(outcome))
  }
  if (!isPage) return sendAnswer(request, reply, { status: 200, body: `${address}\n` })
  return sendAnswer(request, reply, { status: 200, body: page(address) }, 'text/html')
}

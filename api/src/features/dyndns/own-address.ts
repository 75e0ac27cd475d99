/** `/checkip`: the address that a request came from, as clients look for it in texts and pages. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { callerAddress } from '../../caller/request-source.ts'
import { LINES, sendAnswer } from '../../update-protocol/answer.ts'
import { RETRY_AFTER_SECONDS } from './host-update.ts'

/** ddclient skips to `IP Address` and takes what looks like one behind it. */
const page = (address: string) =>
  `<html><head><title>Current IP Check</title></head><body>Current IP Address: ${address}</body></html>\n`

/** @param isPage whether a small HTML page is expected */
export function sendOwnAddress(request: FastifyRequest, reply: FastifyReply, isPage: boolean) {
  const address = callerAddress(request)
  // A proxy tells no address: its own would be wrong.
  if (address === undefined) {
    const outcome = { code: '911', retryAfterSeconds: RETRY_AFTER_SECONDS } as const
    return sendAnswer(request, reply, LINES.once(outcome))
  }
  if (!isPage) return sendAnswer(request, reply, { status: 200, body: `${address}\n` })
  return sendAnswer(request, reply, { status: 200, body: page(address) }, 'text/html')
}

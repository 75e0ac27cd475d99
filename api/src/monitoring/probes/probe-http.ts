/** Kinds `https` and `http`: sends one request to the stored address of a domain. */
import type { Hop, OutgoingResponse } from '../../integrations/outgoing-http/follow.ts'
import { OutgoingFailure } from '../../integrations/outgoing-http/outgoing-failure.ts'
import type { OutgoingHttp } from '../../integrations/outgoing-http/outgoing-http.ts'
import { expectsStatus } from '../../rules/expected-status.ts'
import type { DueMonitor } from '../store/check-result.ts'
import {
  certificateExpiry,
  failed,
  type ProbeResult,
  resultOfFailure,
  succeeded,
} from './probe-result.ts'

/** How long a request may take. */
export interface TimeLimits {
  readonly silenceLimitMs: number
  readonly timeLimitMs: number
}

export const TIME_LIMITS: TimeLimits = { silenceLimitMs: 10_000, timeLimitMs: 15_000 }
const REDIRECT_LIMIT = 3
const BODY_LIMIT_KIB = 256

/** Owners find the checks by it in the logs of their servers. */
const HEADERS = { 'user-agent': 'Homing-Monitor' }

type HttpTarget = Pick<
  DueMonitor,
  'fqdn' | 'port' | 'path' | 'expected_status' | 'follows_redirects' | 'body_text'
>

/** From the first packet to the end of the last response's headers, in milliseconds. */
function latencyOf(hops: readonly Hop[]): number {
  const phases = hops.flatMap(({ phaseMs: { body: _body, ...phaseMs } }) => Object.values(phaseMs))
  return Math.round(phases.reduce((sum, ms) => sum + ms, 0))
}

/** Requests the domain's page at `address`, with the domain as Host and SNI. */
export async function probeHttp(
  target: HttpTarget,
  { scheme, address }: { readonly scheme: 'http' | 'https'; readonly address: string },
  outgoing: Pick<OutgoingHttp, 'target'>,
  limits: TimeLimits = TIME_LIMITS,
): Promise<ProbeResult> {
  const { fqdn, port, path, follows_redirects } = target
  try {
    const response = await outgoing.target({
      url: `${scheme}://${fqdn}${port === null ? '' : `:${port}`}${path}`,
      connectTo: address,
      headers: HEADERS,
      ...limits,
      redirectLimit: REDIRECT_LIMIT,
      followsRedirects: follows_redirects,
      bodyLimitBytes: BODY_LIMIT_KIB * 1024,
      longBody: 'cut',
    })
    return resultOfResponse(response, target)
  } catch (error) {
    if (!(error instanceof OutgoingFailure)) throw error
    return resultOfFailure(error, { address, fqdn })
  }
}

function resultOfResponse(
  { status, address, hops, body, isCut }: OutgoingResponse,
  { fqdn, expected_status, body_text }: HttpTarget,
): ProbeResult {
  const known = {
    address,
    status,
    latencyMs: latencyOf(hops),
    ...certificateExpiry(hops, fqdn),
  }
  if (!expectsStatus(expected_status, status)) {
    const text = `The server responds with status ${status}. Expected: ${expected_status}.`
    return failed('status', text, known)
  }
  if (body_text !== null && !body.includes(body_text)) {
    const where = isCut ? `The first ${BODY_LIMIT_KIB} KiB of the response do` : 'The response does'
    return failed('text-missing', `${where} not contain the expected text.`, known)
  }
  return succeeded(known)
}

/** Kind `tcp`: opens one connection to the stored address of a domain. */
import { OutgoingFailure } from '../../integrations/outgoing-http/outgoing-failure.ts'
import type { OutgoingHttp } from '../../integrations/outgoing-http/outgoing-http.ts'
import { type ProbeResult, resultOfFailure, succeeded } from './probe-result.ts'

export interface TcpProbe {
  readonly fqdn: string
  readonly address: string
  readonly port: number
  readonly timeLimitMs: number
}

export async function probeTcp(
  { fqdn, ...to }: TcpProbe,
  outgoing: Pick<OutgoingHttp, 'tcp'>,
): Promise<ProbeResult> {
  const { address } = to
  try {
    const { connectMs } = await outgoing.tcp(to)
    return succeeded({ address, latencyMs: Math.round(connectMs) })
  } catch (error) {
    if (!(error instanceof OutgoingFailure)) throw error
    return resultOfFailure(error, { address, fqdn })
  }
}

import { createResponder, startDnsServer, TcpCapacity } from '../../src/server/index.ts'
import type {
  CloseReason,
  DnsServer,
  DnsServerOptions,
  ServerEvents,
  TcpLimits,
} from '../../src/server/index.ts'
import type { Zone } from '../../src/zone/index.ts'
import { zonesOf } from './zone-text.ts'
import { SILENT_EVENTS } from './events.ts'

/** A server on a free port. */
export interface TestServer extends DnsServer {
  /** Resolves with the reasons for which the server closed connections, when there are this many. */
  closings(count: number): Promise<(CloseReason | undefined)[]>
}

/** Starts a server for these zones; by default on 127.0.0.1. */
export async function serve(
  zones: readonly Zone[],
  {
    tcpLimits,
    ...options
  }: Partial<DnsServerOptions> & { readonly tcpLimits?: Partial<TcpLimits> } = {},
): Promise<TestServer> {
  const closed: (CloseReason | undefined)[] = []
  let wake = (): void => undefined
  const events: ServerEvents = {
    ...SILENT_EVENTS,
    connectionClosed(reason) {
      closed.push(reason)
      wake()
    },
  }
  const tcp = new TcpCapacity(tcpLimits)
  const respond = createResponder(zonesOf(...zones), events, { tcpIdleMs: () => tcp.idleMs })
  const server = await startDnsServer({
    hosts: ['127.0.0.1'],
    port: 0,
    respond,
    events,
    tcp,
    ...options,
  })
  return {
    ...server,
    async closings(count) {
      while (closed.length < count) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      return closed
    },
  }
}

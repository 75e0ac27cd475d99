export {
  SILENT_EVENTS,
  type Answered,
  type CloseReason,
  type ServerEvents,
  type Transport,
} from './events.ts'
export { createResponder, type Responder } from './responder.ts'
export { startDnsServer, type DnsServer, type DnsServerOptions } from './server.ts'
export type { TcpLimits } from './tcp.ts'

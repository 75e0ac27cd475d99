export type { Answered, CloseReason, ServerEvents, Transport } from './events.ts'
export { createResponder, type ResponderOptions } from './responder.ts'
export type { TransferSource } from './transfer-source.ts'
export { TcpCapacity, type TcpLimits } from './tcp-capacity.ts'
export { startDnsServer, type DnsServer, type DnsServerOptions } from './server.ts'
export {
  COOKIE_STANDINGS,
  type CounterRow,
  DROP_REASONS,
  SharedCounters,
} from './shared-counters.ts'
export { LATENCY_BOUNDS_SECONDS } from './latency.ts'
export { createRateLimitTable, limitedCounts, type RateLimitTable } from './rate-limit.ts'
export { ClientAddress } from './client-address.ts'
export type { DatagramSettings, QueryCountMemory } from './worker-messages.ts'
export { type UdpTransport, type WorkerEvents, WorkerPool } from './worker-pool.ts'
export { batchUnavailable } from './batch-socket.ts'

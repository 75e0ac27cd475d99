export type { Answered, CloseReason, ServerEvents, Transport } from './events.ts'
export { createResponder, type AnswerLimiter, type ResponderOptions } from './responder.ts'
export type { TransferSource } from './transfer-source.ts'
export { startDnsServer, type DnsServer, type DnsServerOptions } from './server.ts'

import type { MessagePort } from 'node:worker_threads'
import type { Settings } from '../settings/shape.ts'
import type { CountTable } from '../query-counts/index.ts'
import type { TableHandles } from '../table/index.ts'
import type { ServerIdentity } from './chaos.ts'
import type { RateLimitSettings, RateLimitTable } from './rate-limit.ts'
import type { UdpDescriptor } from './udp-descriptor.ts'

/** What of an operator's settings the answers over UDP depend on; it may change while they are given. */
export interface DatagramSettings extends ServerIdentity {
  /** 16 octets each; none: no cookies. */
  readonly cookieSecrets: readonly Uint8Array[]
  /** Undefined: answers are not limited. */
  readonly rateLimit: RateLimitSettings | undefined
  /** What requests may be signed with, and who may ask for whole zones; absent: nobody. */
  readonly keys?: Settings['keys']
  readonly transfers?: Settings['transfers']
}

/** What a worker counts questions in. */
export interface QueryCountMemory {
  readonly table: CountTable
  readonly seed: number
}

/** What a worker thread begins with. All of it is shared, or copied by the message that carries it. */
export interface UdpWorkerInput {
  /** Which of the pool's workers it is, from 0. */
  readonly worker: number
  readonly handles: TableHandles
  /** Where newer handles come in. */
  readonly handlesPort: MessagePort
  /** The memory of `SharedCounters`, and the row in it that is this worker's. */
  readonly counters: SharedArrayBuffer
  readonly row: number
  readonly rateLimitTable: RateLimitTable
  /** Where it counts what is asked, and by which seed; undefined: it does not. */
  readonly queryCounts: QueryCountMemory | undefined
  readonly settings: DatagramSettings
}

export interface ListenOrder {
  readonly kind: 'listen'
  readonly hosts: readonly string[]
  readonly port: number
  /** Lent: the sockets of all hosts, to be answered on in batches. Without them the worker opens its own. */
  readonly descriptors: readonly UdpDescriptor[] | undefined
}

/** What a worker is told. */
export type ToWorker =
  /** Told once. */
  | ListenOrder
  | { readonly kind: 'settings'; readonly settings: DatagramSettings }
  /** Answer what was received, and end. */
  | { readonly kind: 'stop' }

/** What a worker tells. None of it is told for each packet. */
export type FromWorker =
  /** It has what it answers with, and could answer now. */
  | { readonly kind: 'prepared' }
  /** It answers on all addresses. */
  | { readonly kind: 'listening' }
  /** An address could not be taken; the worker ends. */
  | { readonly kind: 'refused'; readonly message: string; readonly code: string | undefined }
  /** A fault while answering. After one, others are counted and not told for a while. */
  | { readonly kind: 'fault'; readonly error: unknown }

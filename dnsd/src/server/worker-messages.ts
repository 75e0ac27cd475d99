import type { MessagePort } from 'node:worker_threads'
import type { Settings } from '../settings/shape.ts'
import type { CountTable } from '../query-counts/index.ts'
import type { TableHandles } from '../table/index.ts'
import type { ServerIdentity } from './chaos.ts'
import type { RateLimitSettings, RateLimitTable } from './rate-limit.ts'
import type { UdpDescriptor } from './udp-descriptor.ts'

/** The operator settings that answers over UDP depend on. They can change while the server runs. */
export interface DatagramSettings extends ServerIdentity {
  /** 16 octets each; none: no cookies. */
  readonly cookieSecrets: readonly Uint8Array[]
  /** Undefined: answers are not rate-limited. */
  readonly rateLimit: RateLimitSettings | undefined
  /** The TSIG keys, and who may transfer zones; absent: no one. */
  readonly keys?: Settings['keys']
  readonly transfers?: Settings['transfers']
}

/** The memory in which a worker counts queries. */
export interface QueryCountMemory {
  readonly table: CountTable
  readonly seed: number
  /** The memory of its `LiveRing`. */
  readonly live: SharedArrayBuffer
}

/** The input of a worker thread. It is shared memory, or copied by the message that carries it. */
export interface UdpWorkerInput {
  /** The index of the worker in the pool, from 0. */
  readonly worker: number
  readonly handles: TableHandles
  /** The port that receives newer handles. */
  readonly handlesPort: MessagePort
  /** The memory of `SharedCounters`, and the worker's row in it. */
  readonly counters: SharedArrayBuffer
  readonly row: number
  readonly rateLimitTable: RateLimitTable
  /** The memory and seed for query counts; undefined: queries are not counted. */
  readonly queryCounts: QueryCountMemory | undefined
  readonly settings: DatagramSettings
}

export interface ListenOrder {
  readonly kind: 'listen'
  readonly hosts: readonly string[]
  readonly port: number
  /**
   * The lent sockets of all hosts, for answering in batches. Without them the worker opens its own sockets.
   */
  readonly descriptors: readonly UdpDescriptor[] | undefined
}

/** Messages to a worker. */
export type ToWorker =
  /** Sent once. */
  | ListenOrder
  | { readonly kind: 'settings'; readonly settings: DatagramSettings }
  /** Answer the packets already received, then end. */
  | { readonly kind: 'stop' }

/** Messages from a worker. None is sent per packet. */
export type FromWorker =
  /** The worker is ready to answer. */
  | { readonly kind: 'prepared' }
  /** The worker answers on all addresses. */
  | { readonly kind: 'listening' }
  /** An address could not be bound; the worker ends. */
  | { readonly kind: 'refused'; readonly message: string; readonly code: string | undefined }
  /** A fault while answering. After one report, further faults are counted and not reported for a while. */
  | { readonly kind: 'fault'; readonly error: unknown }

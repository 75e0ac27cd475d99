/*
 * The UDP worker threads, as seen by the main thread. It starts them together, passes them new table
 * memory, restarts one that dies or hangs, and stops them.
 */
import { MessageChannel } from 'node:worker_threads'
import type { Control, TableHandles } from '../table/index.ts'
import type { RateLimitTable } from './rate-limit.ts'
import type { SharedCounters } from './shared-counters.ts'
import { openUdpOnAll } from './udp-descriptor.ts'
import { UdpThread } from './udp-thread.ts'
import type { DatagramSettings, QueryCountMemory, UdpWorkerInput } from './worker-messages.ts'
import { WorkerWatch } from './worker-watch.ts'

/** What the pool needs of the zone table; see `ZoneTable`. */
export interface SharedTable {
  readonly control: Pick<Control, 'enteredAt' | 'leave' | 'raiseEpoch'>
  readonly handles: TableHandles
  onGrow(listener: (handles: TableHandles) => void): void
}

/** How packets reach the workers: one by one through `node:dgram`, or in batches (`batch-socket.ts`). */
export type UdpTransport = 'dgram' | 'batch'

/** Worker events, for logs and metrics. */
export interface WorkerEvents {
  /** @param why undefined when the worker ended without an error */
  workerDied(worker: number, why: Error | undefined): void
  /** A worker that died while it answered in batches uses `node:dgram` from now on. */
  workerFellBack(worker: number): void
  /** A fault while answering, which is already counted. */
  workerFault(error: unknown): void
}

export interface WorkerPoolOptions {
  readonly workers: number
  readonly table: SharedTable
  /** Worker n counts in row `firstRow + n`. */
  readonly counters: SharedCounters
  readonly firstRow: number
  readonly rateLimitTable: RateLimitTable
  /** The count memory of each worker, in worker order; without it queries are not counted. */
  readonly queryCounts?: readonly QueryCountMemory[]
  readonly settings: DatagramSettings
  readonly events: WorkerEvents
  /** `batch` is allowed only where `batchUnavailable` returns undefined. */
  readonly transport?: UdpTransport
  /** The interval of the check for hung workers. */
  readonly watchMs?: number
  /** The program of a worker. It takes `UdpWorkerInput` and then messages. */
  readonly program: URL
}

// The back-off before restarting a worker that died before it answered, which would probably die again
// at once.
const RETRY_MS = 1000
const WATCH_MS = 1000

/** Answers over UDP on worker threads. */
export class WorkerPool {
  readonly #options: WorkerPoolOptions
  readonly #threads = new Map<number, UdpThread>()
  readonly #retries = new Set<NodeJS.Timeout>()
  readonly #watch: WorkerWatch
  #watching: NodeJS.Timeout | undefined
  /** Workers that died while they answered in batches. */
  readonly #fallenBack = new Set<number>()
  #settings: DatagramSettings
  #address: { readonly hosts: readonly string[]; readonly port: number } = { hosts: [], port: 0 }
  /** True from when all workers answer until they are stopped. */
  #isAnswering = false

  constructor(options: WorkerPoolOptions) {
    this.#options = options
    this.#settings = options.settings
    this.#watch = new WorkerWatch(options.table.control)
    options.table.onGrow((handles) => {
      for (const thread of this.#threads.values()) thread.giveHandles(handles)
    })
  }

  /** Starts the threads. They take a moment to start, which the main thread can use for other work. */
  prepare(): void {
    for (let worker = 0; worker < this.#options.workers; worker++) {
      if (!this.#threads.has(worker)) this.#start(worker)
    }
  }

  /**
   * Resolves when all workers answer on all addresses.
   *
   * @throws the system error when an address cannot be bound; no worker is left then
   */
  async listen(hosts: readonly string[], port: number): Promise<void> {
    this.prepare()
    this.#address = { hosts, port }
    const threads = [...this.#threads.values()]
    for (const [worker, thread] of this.#threads) this.#listen(worker, thread)
    const begun = await Promise.allSettled(threads.map((thread) => thread.listening))
    const failed = begun.find((one) => one.status === 'rejected')
    if (failed !== undefined) {
      await this.close()
      throw failed.reason
    }
    this.#isAnswering = true
    this.#watching = setInterval(() => this.#endHung(), this.#options.watchMs ?? WATCH_MS).unref()
  }

  /** How many threads answer now, by transport. */
  get answering(): Readonly<Record<UdpTransport, number>> {
    const answering = { dgram: 0, batch: 0 }
    for (const { hasListened, isBatch } of this.#threads.values()) {
      if (hasListened) answering[isBatch ? 'batch' : 'dgram'] += 1
    }
    return answering
  }

  /** Applies new settings to all workers. */
  configure(settings: DatagramSettings): void {
    this.#settings = settings
    for (const thread of this.#threads.values()) thread.tell({ kind: 'settings', settings })
  }

  /** Stops all workers after they have answered the packets already received. */
  async close(): Promise<void> {
    this.#isAnswering = false
    clearInterval(this.#watching)
    for (const retry of this.#retries) clearTimeout(retry)
    this.#retries.clear()
    await Promise.all([...this.#threads.values()].map((thread) => thread.stop()))
    this.#threads.clear()
  }

  #start(worker: number): UdpThread {
    const { table, counters, firstRow, rateLimitTable, queryCounts } = this.#options
    const { events, program } = this.#options
    const channel = new MessageChannel()
    const input: UdpWorkerInput = {
      worker,
      handles: table.handles,
      handlesPort: channel.port2,
      counters: counters.memory,
      row: firstRow + worker,
      rateLimitTable,
      queryCounts: queryCounts?.[worker],
      settings: this.#settings,
    }
    const thread = new UdpThread(program, input, channel.port1, (error) => {
      events.workerFault(error)
    })
    this.#threads.set(worker, thread)
    void thread.ended.then((why) => this.#ended(thread, worker, why))
    return thread
  }

  #endHung(): void {
    for (const worker of this.#watch.look(this.#threads.keys())) {
      this.#threads.get(worker)?.kill(new Error('it hung in the middle of an answer'))
    }
  }

  #startAgain(worker: number): void {
    this.#listen(worker, this.#start(worker))
  }

  #listen(worker: number, thread: UdpThread): void {
    const { hosts, port } = this.#address
    const isBatch = this.#options.transport === 'batch' && !this.#fallenBack.has(worker)
    if (isBatch) void thread.listenInBatches(hosts, port, openUdpOnAll)
    else thread.listen(hosts, port)
  }

  #ended(thread: UdpThread, worker: number, why: Error | undefined): void {
    // It may have died during a look-up. Its epoch would then block the reuse of table memory.
    this.#options.table.control.leave(worker)
    if (this.#threads.get(worker) === thread) this.#threads.delete(worker)
    if (!this.#isAnswering) return
    this.#options.events.workerDied(worker, why)
    if (thread.isBatch) {
      // It used FFI memory, so restart it on `node:dgram`.
      this.#fallenBack.add(worker)
      this.#options.events.workerFellBack(worker)
    }
    if (thread.hasListened) {
      this.#startAgain(worker)
      return
    }
    const retry = setTimeout(() => {
      this.#retries.delete(retry)
      this.#startAgain(worker)
    }, RETRY_MS)
    this.#retries.add(retry)
  }
}

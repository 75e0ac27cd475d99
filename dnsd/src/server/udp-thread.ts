import { type MessagePort, Worker } from 'node:worker_threads'
import type { TableHandles } from '../table/index.ts'
import { closeUdp, type UdpDescriptor } from './udp-descriptor.ts'
import type { FromWorker, ToWorker, UdpWorkerInput } from './worker-messages.ts'

// A worker holds code, a few buffers and the current packets. A small young generation is collected more
// often and uses less memory. Exceeding the limit means a bug, and the worker is replaced.
const RESOURCE_LIMITS = { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 96 }

// How long a worker gets to answer the packets that it received.
const STOP_MS = 2000

/** One worker thread, as seen by the main thread. */
export class UdpThread {
  hasListened = false
  /** Resolves when the worker answers; rejects when it cannot. */
  readonly listening: Promise<void>
  /** Resolves when the worker has ended, with the error that ended it. */
  readonly ended: Promise<Error | undefined>
  readonly #worker: Worker
  readonly #handles: MessagePort
  readonly #prepared = Promise.withResolvers<void>()
  #isStopping = false
  #why: Error | undefined
  #lent: readonly UdpDescriptor[] | undefined

  constructor(
    program: URL,
    input: UdpWorkerInput,
    handles: MessagePort,
    onFault: (error: unknown) => void,
  ) {
    this.#handles = handles
    this.#worker = new Worker(program, {
      name: `udp-${input.worker}`,
      workerData: input,
      transferList: [input.handlesPort],
      resourceLimits: RESOURCE_LIMITS,
    })
    const listening = Promise.withResolvers<void>()
    this.#worker.on('message', (message: FromWorker) => {
      if (message.kind === 'prepared') this.#prepared.resolve()
      else if (message.kind === 'listening') {
        this.hasListened = true
        listening.resolve()
      } else if (message.kind === 'refused') {
        this.#why = Object.assign(
          new Error(message.message),
          message.code && { code: message.code },
        )
      } else onFault(message.error)
    })
    this.#worker.on('error', (error: Error) => {
      this.#why = error
    })
    this.listening = listening.promise
    // Prevents an unhandled rejection: restarted workers are not awaited, and callers that await
    // `listening` still get the error.
    this.listening.catch(() => undefined)
    this.ended = new Promise((resolve) => {
      this.#worker.on('exit', () => {
        handles.close()
        // No thread would read these sockets, and the kernel would keep sending clients to them.
        this.#lent?.forEach(closeUdp)
        listening.reject(this.#why ?? new Error('the worker ended before it answered'))
        resolve(this.#why)
      })
    })
  }

  /** Whether it answers in batches. */
  get isBatch(): boolean {
    return this.#lent !== undefined
  }

  /** Makes the worker answer packets one by one, from sockets that it opens itself. */
  listen(hosts: readonly string[], port: number): void {
    this.tell({ kind: 'listen', hosts, port, descriptors: undefined })
  }

  /**
   * Makes the worker answer in batches, from sockets that are lent to it until it ends. They are opened
   * only when the worker is ready: from then on the kernel sends clients to them, which would wait
   * instead of asking another server.
   *
   * @param open opens the sockets; if it throws, the worker ends with that error
   */
  async listenInBatches(
    hosts: readonly string[],
    port: number,
    open: (hosts: readonly string[], port: number) => readonly UdpDescriptor[],
  ): Promise<void> {
    await this.#prepared.promise
    if (this.#isStopping) return
    try {
      this.#lent = open(hosts, port)
      this.tell({ kind: 'listen', hosts, port, descriptors: this.#lent })
    } catch (error) {
      this.kill(error instanceof Error ? error : new Error(String(error)))
    }
  }

  giveHandles(handles: TableHandles): void {
    this.#handles.postMessage(handles)
  }

  tell(message: ToWorker): void {
    this.#worker.postMessage(message)
  }

  /** Ends the worker in any state. @param why the error to report for it */
  kill(why: Error): void {
    this.#why = why
    void this.#worker.terminate()
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    this.tell({ kind: 'stop' })
    const timer = setTimeout(() => void this.#worker.terminate(), STOP_MS)
    await this.ended
    clearTimeout(timer)
  }
}

import { type MessagePort, Worker } from 'node:worker_threads'
import type { TableHandles } from '../table/index.ts'
import { closeUdp, type UdpDescriptor } from './udp-descriptor.ts'
import type { FromWorker, ToWorker, UdpWorkerInput } from './worker-messages.ts'

// What a worker holds is code, a few buffers and the packets of this moment. A small nursery is swept
// more often and costs less memory; past the limit something is wrong, and the worker is replaced.
const RESOURCE_LIMITS = { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 96 }

// How long a worker gets to answer what it received.
const STOP_MS = 2000

/** One worker thread, as the main thread has it. */
export class UdpThread {
  hasListened = false
  /** Resolves when it answers; rejects when it cannot. */
  readonly listening: Promise<void>
  /** Resolves when it is gone, with what it died of. */
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
    // Whoever awaits it hears of it; a worker that is started again is not awaited.
    this.listening.catch(() => undefined)
    this.ended = new Promise((resolve) => {
      this.#worker.on('exit', () => {
        handles.close()
        // Nobody would read them, and the kernel would go on giving them clients.
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

  /** Lets it answer one by one, from sockets that it opens itself. */
  listen(hosts: readonly string[], port: number): void {
    this.tell({ kind: 'listen', hosts, port, descriptors: undefined })
  }

  /**
   * Lets it answer in batches, from sockets that are lent to it for as long as it lives. They are not opened before it can
   * answer: the kernel gives them clients from then on, who would wait instead of asking another server.
   *
   * @param open what it throws, the thread dies of
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

  /** Ends it wherever it is. @param why what it is said to have died of */
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

/* A worker that dies on a message through a channel that all threads of the process listen to. */
import { BroadcastChannel, workerData } from 'node:worker_threads'
import { Control } from '../../src/table/index.ts'
import type { UdpWorkerInput } from '../../src/server/worker-messages.ts'

/** How the worker dies. */
export interface DeathOrder {
  readonly worker: number
  readonly by: 'throwing' | 'exiting' | 'allocating' | 'hanging'
}

export const DEATH_ORDERS = 'death-orders'

if (workerData !== null) {
  const { worker, handles } = workerData as UdpWorkerInput
  const orders = new BroadcastChannel(DEATH_ORDERS)
  orders.unref()
  orders.addEventListener('message', (event) => {
    const order = (event as MessageEvent).data as DeathOrder
    if (order.worker !== worker) return
    // As in the middle of an answer.
    if (order.by === 'hanging') new Control(handles.control).enter(worker)
    die(order.by)
  })
  await import('../../src/udp-worker.ts')
}

function die(by: DeathOrder['by']): void {
  if (by === 'exiting') process.exit(3)
  if (by === 'throwing') {
    setImmediate(() => {
      throw new Error('it was told to die')
    })
    return
  }
  const held: number[][] = []
  for (;;) {
    if (by === 'allocating') held.push(Array.from<number>({ length: 100_000 }).fill(held.length))
  }
}

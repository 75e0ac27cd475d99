/* A worker that takes its time to begin: until a channel that all threads of a process hear says so. */
import { once } from 'node:events'
import { BroadcastChannel, workerData } from 'node:worker_threads'

export const BEGIN_ORDERS = 'begin-orders'

if (workerData !== null) {
  const orders = new BroadcastChannel(BEGIN_ORDERS)
  await once(orders, 'message')
  orders.close()
  await import('../../src/udp-worker.ts')
}

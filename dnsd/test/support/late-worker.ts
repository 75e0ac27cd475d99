/* A worker that starts late: a channel that all threads of the process listen to says when. */
import { once } from 'node:events'
import { BroadcastChannel, workerData } from 'node:worker_threads'

export const BEGIN_ORDERS = 'begin-orders'

if (workerData !== null) {
  const orders = new BroadcastChannel(BEGIN_ORDERS)
  await once(orders, 'message')
  orders.close()
  await import('../../src/udp-worker.ts')
}

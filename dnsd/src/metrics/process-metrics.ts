import type { WorkerPool } from '../server/index.ts'
import type { ZoneTable } from '../table/index.ts'
import type { MetricSet } from './metric-set.ts'

const MICROSECONDS = 1_000_000

/** Exports memory and processor time. */
export function showProcess(metrics: MetricSet, table: ZoneTable): void {
  metrics.gauge('memory_bytes', 'Memory of the process, by kind.', ['kind'], (set) => {
    const { rss, heapUsed, external, arrayBuffers } = process.memoryUsage()
    set({ kind: 'resident' }, rss)
    set({ kind: 'heap' }, heapUsed)
    set({ kind: 'external' }, external)
    set({ kind: 'buffers' }, arrayBuffers)
  })
  const states = 'Memory of names: served, free, deleted but still being read, and in total.'
  metrics.gauge('table_bytes', states, ['state'], (set) => {
    const { liveBytes, freeBytes, retiredBytes, reservedBytes } = table.statistics
    set({ state: 'live' }, liveBytes)
    set({ state: 'free' }, freeBytes)
    set({ state: 'retired' }, retiredBytes)
    set({ state: 'reserved' }, reservedBytes)
  })
  metrics.gauge('table_slots', 'Slots in the index of names.', ['state'], (set) => {
    const { names, tombstones, indexSlots } = table.statistics
    set({ state: 'used' }, names)
    set({ state: 'gone' }, tombstones)
    set({ state: 'free' }, indexSlots - names - tombstones)
  })
  metrics.total('cpu_seconds_total', 'Processor time.', ['mode'], (set) => {
    const { user, system } = process.cpuUsage()
    set({ mode: 'user' }, user / MICROSECONDS)
    set({ mode: 'system' }, system / MICROSECONDS)
  })
  const startedAt = Math.floor(Date.now() / 1000 - process.uptime())
  metrics.gauge(
    'start_time_seconds',
    'Start time of the process, in seconds since 1970.',
    [],
    (set) => {
      set({}, startedAt)
    },
  )
}

/** Exports the number of threads that answer over UDP. */
export function showWorkers(metrics: MetricSet, pool: Pick<WorkerPool, 'answering'>): void {
  metrics.gauge('workers', 'Threads that answer over UDP.', ['transport'], (set) => {
    for (const [transport, count] of Object.entries(pool.answering)) set({ transport }, count)
  })
}

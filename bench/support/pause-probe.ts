/**
 * Loaded into a process before its program (`--import`): how long its main thread was held at a time, by the clock and
 * by its own processor time, which does not count what else runs on the core. SIGUSR2 has it written to the file that
 * PAUSES_FILE names, and begins anew.
 */
import { renameSync, writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

export interface Pauses {
  /** The longest, by the clock. */
  readonly wallMs: number
  /** The longest by processor time of the thread, which the system counts in steps of some milliseconds. */
  readonly cpuMs: number
  /** How many were longer than 20 ms by the clock. */
  readonly long: number
}

const TURN_MS = 1
const LONG_MS = 20

if (isMainThread) {
  const file = process.env['PAUSES_FILE'] ?? ''
  let [wallMs, cpuMs, long] = [0, 0, 0]
  const cpuNow = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1_000
  }
  let [last, lastCpu] = [performance.now(), cpuNow()]
  setInterval(() => {
    const [now, cpu] = [performance.now(), cpuNow()]
    const held = now - last - TURN_MS
    wallMs = Math.max(wallMs, held)
    cpuMs = Math.max(cpuMs, cpu - lastCpu)
    if (held > LONG_MS) long += 1
    last = now
    lastCpu = cpu
  }, TURN_MS).unref()
  process.on('SIGUSR2', () => {
    writeFileSync(`${file}.new`, JSON.stringify({ wallMs, cpuMs, long } satisfies Pauses))
    renameSync(`${file}.new`, file)
    ;[wallMs, cpuMs, long] = [0, 0, 0]
  })
}

/**
 * Loaded into a process before its program (`--import`): measures how long the main thread was blocked, in wall time and
 * in its own CPU time, which excludes other processes on the core. On SIGUSR2 it writes the result to the file in
 * PAUSES_FILE and starts again.
 */
import { renameSync, writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

export interface Pauses {
  /** The longest pause in wall time. */
  readonly wallMs: number
  /** The longest pause in CPU time of the thread, which the system counts in steps of a few milliseconds. */
  readonly cpuMs: number
  /** The number of pauses longer than 20 ms in wall time. */
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

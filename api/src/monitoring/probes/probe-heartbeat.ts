/** Kind `heartbeat`: whether the last sign of life of a device is recent enough. Nothing is sent. */
import type { DueMonitor } from '../store/check-result.ts'
import { failed, NO_RESULT, notChecked, type ProbeResult, succeeded } from './probe-result.ts'

type HeartbeatMonitor = Pick<
  DueMonitor,
  | 'heartbeat_source'
  | 'heartbeat_period_seconds'
  | 'heartbeat_grace_seconds'
  | 'heartbeat_age_ms'
  | 'running_ms'
>

const SOURCES = { url: 'No heartbeat', updates: 'No dynamic update' } as const

/**
 * @param sinceOutageMs milliseconds since the database was last unavailable; while it is, heartbeats are lost. Infinity:
 *   it was always available.
 */
export function probeHeartbeat(monitor: HeartbeatMonitor, sinceOutageMs: number): ProbeResult {
  const { heartbeat_age_ms, heartbeat_source, running_ms } = monitor
  const seconds = monitor.heartbeat_period_seconds + monitor.heartbeat_grace_seconds
  const limitMs = seconds * 1_000
  if (heartbeat_age_ms !== null && heartbeat_age_ms <= limitMs) return succeeded({})
  // The next one is not expected yet.
  if (running_ms <= limitMs) return NO_RESULT
  if (sinceOutageMs <= limitMs) {
    return notChecked('not-checked', 'The service could not receive heartbeats for some time.')
  }
  const text = `${SOURCES[heartbeat_source]} arrived in the last ${seconds} seconds.`
  return failed('heartbeat-missed', text)
}

import type { MonitorCause } from '@homing/openapi/vocabulary'
import type { IntervalState } from '../rules/uptime.ts'
import { bigint, nullable, text, textOf, timestamptz, timestamptzMs } from './columns.ts'
import { Monitor } from './monitor.ts'
import { belongsTo, table } from './table.ts'

/** The states of monitors, one after another (table `monitor_intervals`). */
export class MonitorInterval extends table('monitor_intervals', {
  id: bigint,
  monitor_id: bigint,
  state: textOf<IntervalState>(),
  since: timestamptzMs,
  /** Null: it has not ended. */
  until: nullable(timestamptzMs),
  /** Of the states down and unknown. */
  cause: nullable(textOf<MonitorCause>()),
  cause_text: nullable(text),
  /** Milliseconds in each state before this interval. */
  up_ms_before: bigint,
  down_ms_before: bigint,
  unknown_ms_before: bigint,
  maintenance_ms_before: bigint,
  /** Null: the service itself changed the state. */
  worker: nullable(text),
  found_at: timestamptz,
}) {
  declare monitor?: Monitor
  static override readonly relationMappings = () => ({
    monitor: belongsTo(Monitor, 'monitor_intervals.monitor_id'),
  })
}

import type { MaintenanceRepeat } from '@homing/openapi/vocabulary'
import { bigint, nullable, text, textOf, timestamptz } from './columns.ts'
import { type Row, table } from './table.ts'

/** Times in which monitors are not checked (table `maintenance_windows`). */
export class MaintenanceWindow extends table('maintenance_windows', {
  id: bigint,
  monitor_id: bigint,
  /** Of the first window. */
  starts_at: timestamptz,
  ends_at: timestamptz,
  repeats: textOf<MaintenanceRepeat>(),
  /** The IANA time zone in which a repeated window keeps its time of day. */
  time_zone: text,
  note: nullable(text),
  /** The window that is under way or comes next. Null: it is over. */
  next_starts_at: nullable(timestamptz),
  next_ends_at: nullable(timestamptz),
  created_at: timestamptz,
}) {}

/** A plain row of `maintenance_windows`. */
export type MaintenanceWindowRow = Row<typeof MaintenanceWindow>

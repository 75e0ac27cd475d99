/** Times in which a domain is not checked, because its owner announced maintenance. */
import { Type } from 'typebox'
import type { Slice } from '../operation.ts'
import { Id, ref } from '../schema.ts'
import { MaintenanceWindow, NewMaintenanceWindow } from '../schemas/uptime-signals.ts'

const URL = '/api/uptime/domain/{id}/maintenance'
const byId = Type.Object({ id: Id })

const example: MaintenanceWindow = {
  id: '3',
  starts_at: '2026-05-16T22:00:00.000Z',
  ends_at: '2026-05-16T23:00:00.000Z',
  repeats: 'weekly',
  time_zone: 'Europe/Vienna',
  note: 'Backup',
  next_starts_at: '2026-05-16T22:00:00.000Z',
}

export const uptimeMaintenance = {
  listMaintenanceWindows: {
    method: 'GET',
    url: URL,
    summary: 'List the maintenance windows of a domain',
    access: 'caller',
    keyAction: 'read',
    params: byId,
    success: {
      status: 200,
      description: 'The windows, by start.',
      schema: Type.Array(ref(MaintenanceWindow)),
      example: [example],
    },
    problems: ['not-found'],
  },
  createMaintenanceWindow: {
    method: 'POST',
    url: URL,
    summary: 'Announce maintenance',
    description:
      'During maintenance the domain is not checked, no mail is sent, and the time counts neither as up nor as down. A window begins now or later and lasts at most seven days. A repeated window keeps its time of day in its time zone. A domain can have 20 windows.',
    access: 'caller',
    keyAction: 'update',
    params: byId,
    body: ref(NewMaintenanceWindow),
    bodyExample: {
      starts_at: '2026-05-16T22:00:00.000Z',
      ends_at: '2026-05-16T23:00:00.000Z',
      repeats: 'weekly',
      time_zone: 'Europe/Vienna',
      note: 'Backup',
    },
    success: {
      status: 201,
      description: 'The window.',
      schema: ref(MaintenanceWindow),
      example: example,
    },
    problems: ['not-found', 'conflict', 'domain-locked', 'plan-required'],
  },
  deleteMaintenanceWindow: {
    method: 'DELETE',
    url: `${URL}/{window}`,
    summary: 'Delete a maintenance window',
    description: 'If the window has begun, it ends now. Earlier maintenance stays in the history.',
    access: 'caller',
    keyAction: 'update',
    params: Type.Object({ id: Id, window: Id }),
    success: { status: 204, description: 'The window is deleted.' },
    problems: ['not-found', 'conflict', 'domain-locked'],
  },
} as const satisfies Slice

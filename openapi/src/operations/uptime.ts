/** Uptime monitoring: the monitor of a domain, its state, history, maintenance and notifications. */
import { Type } from 'typebox'
import { listQuery } from '../list-query.ts'
import type { Slice } from '../operation.ts'
import { Id, ref } from '../schema.ts'
import {
  Monitor,
  MonitorChange,
  MonitorIncident,
  MonitorNotification,
  MonitorResult,
  MonitorSwitch,
  UptimeHistory,
  UptimeSummary,
} from '../schemas/uptime.ts'
import { HISTORY_PARTS_LIMIT } from '../vocabulary.ts'
import { monitor as example } from './examples.ts'
import { heartbeats } from './heartbeats.ts'
import { uptimeMaintenance } from './uptime-maintenance.ts'

const URL = '/api/uptime/domain/{id}'
const byId = Type.Object({ id: Id })

const range = Type.Object({
  from: Type.Optional(
    Type.String({ format: 'date-time', description: 'Default: 24 hours before `to`.' }),
  ),
  to: Type.Optional(Type.String({ format: 'date-time', description: 'Default: now.' })),
  resolution: Type.Optional(
    Type.Enum(['5m', '1h', '1d'], {
      description: `The width of the parts, at most ${HISTORY_PARTS_LIMIT} of them. \`5m\` and \`1h\` go back 35 days, \`1d\` 400 days. Default: the finest that fits.`,
    }),
  ),
})

export const uptime = {
  setMonitoring: {
    method: 'POST',
    url: `${URL}/monitor`,
    summary: 'Turn the monitor of a domain on or off',
    description:
      'The call returns at once with the state `pending`. The first time, the monitor tries https, http and TCP ports 443, 80 and 22 of the stored address and keeps what answers. If nothing answers, its state is `undecided`. A monitor that is turned off keeps its settings and its history. A wildcard has no monitor of its own.',
    access: 'caller',
    keyAction: 'update',
    idempotent: true,
    params: byId,
    body: ref(MonitorSwitch),
    bodyExample: { enable: true },
    success: { status: 200, description: 'The monitor.', schema: ref(Monitor), example },
    problems: ['not-found', 'conflict', 'domain-locked', 'plan-required'],
  },
  getUptimeSummary: {
    method: 'GET',
    url: '/api/uptime/dashboard',
    summary: 'Get the uptime of all your domains',
    access: 'caller',
    keyAction: 'read',
    success: {
      status: 200,
      description: 'The percentages are null while there is no data.',
      schema: ref(UptimeSummary),
      example: {
        overall_uptime_24h: 99.97,
        uptime_by_hour: [...Array.from({ length: 23 }, () => 100), 99.28],
        overall_uptime_7d: 99.99,
        overall_uptime_30d: 99.98,
        domains_monitored: 12,
        domains_up: 11,
        domains_down: 1,
      },
    },
  },
  listMonitors: {
    method: 'GET',
    url: '/api/uptime/monitors',
    summary: 'List your monitors',
    access: 'caller',
    keyAction: 'read',
    success: {
      status: 200,
      description: 'The monitors that are turned on, by domain.',
      schema: Type.Array(ref(Monitor)),
      example: [example],
    },
  },
  getMonitor: {
    method: 'GET',
    url: URL,
    summary: 'Get the monitor of a domain',
    description: 'A domain that was never monitored has the state `off` and the default settings.',
    access: 'caller',
    keyAction: 'read',
    params: byId,
    success: { status: 200, description: 'The monitor.', schema: ref(Monitor), example },
    problems: ['not-found'],
  },
  updateMonitor: {
    method: 'PUT',
    url: URL,
    summary: 'Change the settings of a monitor',
    description:
      'With `If-Match` (the `ETag` of the monitor), the call fails with `version-mismatch` if the settings were changed in the meantime.',
    access: 'caller',
    keyAction: 'update',
    params: byId,
    body: ref(MonitorChange),
    bodyExample: { kind: 'https', path: '/health', interval_seconds: 60 },
    success: { status: 200, description: 'The changed monitor.', schema: ref(Monitor), example },
    problems: ['not-found', 'conflict', 'domain-locked', 'plan-required', 'version-mismatch'],
  },
  listIncidents: {
    method: 'GET',
    url: `${URL}/incidents`,
    summary: 'List the incidents of a domain',
    description: 'Of the last 400 days, the newest first.',
    access: 'caller',
    keyAction: 'read',
    params: byId,
    query: listQuery({ sort: ['started_at'], filter: { state: 'down or unknown' } }),
    success: {
      status: 200,
      description: 'The incidents.',
      schema: Type.Array(ref(MonitorIncident)),
      example: [
        {
          id: '31',
          state: 'down',
          started_at: '2026-05-12T06:10:00.000Z',
          ended_at: '2026-05-12T06:14:30.000Z',
          duration_seconds: 270,
          cause: 'status',
          cause_text: 'The server answered with status 502.',
        },
      ],
      list: true,
    },
    problems: ['not-found', 'range-not-satisfiable'],
  },
  getUptimeHistory: {
    method: 'GET',
    url: `${URL}/history`,
    summary: 'Get the uptime history of a domain',
    access: 'caller',
    keyAction: 'read',
    params: byId,
    query: range,
    success: {
      status: 200,
      description: 'The parts, the oldest first.',
      schema: ref(UptimeHistory),
      example: {
        from: '2026-05-11T00:00:00.000Z',
        to: '2026-05-12T00:00:00.000Z',
        resolution: '1d',
        uptime: 99.68,
        parts: [
          {
            from: '2026-05-11T00:00:00.000Z',
            to: '2026-05-12T00:00:00.000Z',
            up_seconds: 86_130,
            down_seconds: 270,
            unknown_seconds: 0,
            maintenance_seconds: 0,
            uptime: 99.68,
            checks: 1440,
            failures: 5,
            latency_ms: 38,
          },
        ],
      },
    },
    problems: ['not-found'],
  },
  listMonitorResults: {
    method: 'GET',
    url: `${URL}/results`,
    summary: 'List the last results of a monitor',
    description: 'The last 100 checks, the newest first.',
    access: 'caller',
    keyAction: 'read',
    params: byId,
    success: {
      status: 200,
      description: 'The results.',
      schema: Type.Array(ref(MonitorResult)),
      example: [
        {
          at: '2026-05-12T08:30:00.000Z',
          kind: 'https',
          is_up: true,
          address: '198.51.100.7',
          latency_ms: 38,
          status: 200,
          cause: null,
          cause_text: null,
        },
      ],
    },
    problems: ['not-found'],
  },
  sendTestNotification: {
    method: 'POST',
    url: `${URL}/test-notification`,
    summary: 'Send a test notification',
    description: 'Sends a mail to the address of the account. At most five per hour.',
    access: 'session',
    params: byId,
    success: {
      status: 202,
      description: 'The notification. Its mail will be sent.',
      schema: ref(MonitorNotification),
      example: {
        id: '13',
        message: 'test',
        channel: 'mail',
        recipient: null,
        created_at: '2026-05-12T08:30:00.000Z',
        outcome: 'waiting',
        sent_at: null,
      },
    },
    problems: ['not-found', 'conflict', 'domain-locked', 'plan-required', 'email-not-verified'],
  },
  listMonitorNotifications: {
    method: 'GET',
    url: `${URL}/notifications`,
    summary: 'List the notifications about a domain',
    description: 'The last 50, the newest first.',
    access: 'session',
    params: byId,
    success: {
      status: 200,
      description: 'The notifications.',
      schema: Type.Array(ref(MonitorNotification)),
      example: [
        {
          id: '12',
          message: 'down',
          channel: 'mail',
          recipient: 'ada@example.net',
          created_at: '2026-05-12T06:10:20.000Z',
          outcome: 'sent',
          sent_at: '2026-05-12T06:11:20.000Z',
        },
      ],
    },
    problems: ['not-found'],
  },
  ...uptimeMaintenance,
  ...heartbeats,
} as const satisfies Slice

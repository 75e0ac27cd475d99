/** Monitors of all accounts, for administrators: list, status, and pauses. */
import { Type } from 'typebox'
import { listQuery } from '../list-query.ts'
import type { Slice } from '../operation.ts'
import { Id, ref } from '../schema.ts'
import { AdminMonitor, MonitoringPause, MonitoringStatus } from '../schemas/admin-uptime.ts'
import { ADMIN_MONITOR_SORT, MONITOR_STATES } from '../vocabulary.ts'

const status: MonitoringStatus = {
  is_paused: false,
  reason: null,
  paused_at: null,
  states: { up: 812, down: 3, unknown: 1 },
  overdue: 0,
  oldest_due_at: '2026-05-12T08:30:00.000Z',
  workers: [
    {
      name: 'worker-1/412',
      seen_at: '2026-05-12T08:30:00.000Z',
      lag_ms: 120,
      checks_per_minute: 816,
      is_blind: false,
    },
  ],
}

export const adminUptime = {
  listAllMonitors: {
    method: 'GET',
    url: '/api/admin/monitors',
    summary: 'List the monitors of all accounts',
    description: 'Without `range`, the list has 25 items; the maximum is 100.',
    access: 'administrator',
    permission: 'administration',
    query: listQuery({
      sort: ADMIN_MONITOR_SORT,
      filter: {
        q: 'a part of the domain or of the owner’s name',
        id: 'one id or a list of ids',
        user_id: 'the owner’s id or a list of ids',
        domain_id: 'the domain’s id or a list of ids',
        kind: 'https, http, tcp, dns or heartbeat',
        state: MONITOR_STATES.join(', '),
      },
    }),
    success: {
      status: 200,
      description: 'The monitors.',
      schema: Type.Array(ref(AdminMonitor)),
      example: [
        {
          id: '5',
          domain_id: '42',
          fqdn: 'home.example.net',
          user_id: '7',
          username: 'ada',
          kind: 'https',
          state: 'up',
          state_since: '2026-05-12T06:14:30.000Z',
          cause: null,
          interval_seconds: 60,
          last_check_at: '2026-05-12T08:30:00.000Z',
          due_at: '2026-05-12T08:31:00.000Z',
          is_account_paused: false,
        },
      ],
      list: true,
    },
    problems: ['range-not-satisfiable'],
  },
  getMonitoringStatus: {
    method: 'GET',
    url: '/api/admin/monitoring',
    summary: 'Get the status of monitoring',
    access: 'administrator',
    permission: 'administration',
    success: {
      status: 200,
      description: 'The status.',
      schema: ref(MonitoringStatus),
      example: status,
    },
  },
  pauseMonitoring: {
    method: 'PUT',
    url: '/api/admin/monitoring',
    summary: 'Pause or resume all monitors',
    description: 'The time of a pause counts neither as up nor as down.',
    access: 'administrator',
    permission: 'administration',
    body: ref(MonitoringPause),
    bodyExample: { is_paused: true, reason: 'We move to another data center.' },
    success: {
      status: 200,
      description: 'The status.',
      schema: ref(MonitoringStatus),
      example: status,
    },
  },
  pauseAccountMonitoring: {
    method: 'PUT',
    url: '/api/admin/users/{id}/monitoring',
    summary: 'Pause or resume the monitors of an account',
    access: 'administrator',
    permission: 'administration',
    params: Type.Object({ id: Id }),
    body: ref(MonitoringPause),
    bodyExample: { is_paused: true, reason: 'The targets complained.' },
    success: {
      status: 200,
      description: 'What was set.',
      schema: ref(MonitoringPause),
      example: { is_paused: true, reason: 'The targets complained.' },
    },
    problems: ['not-found'],
  },
} as const satisfies Slice

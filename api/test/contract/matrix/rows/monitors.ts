/** Rows of uptime monitoring. */
import { CHANGES_DOMAINS, GOVERNS } from '../inherited-rules.ts'
import type { Row, Rows } from '../row.ts'
import { domain, filtered, MAINTENANCE, nothing, user } from '../usual-calls.ts'

const NO_HEARTBEAT = 'hb_000000000000000000000000000000000000'

const MONITORS = {
  ...CHANGES_DOMAINS,
  notice: 'exempt: it gives no access',
  lock: 'domain-locked',
  reservation: 'exempt: it registers no name and frees none',
} as const

const PAUSES = {
  ...GOVERNS,
  lock: 'holds',
  stepUp: 'exempt: complaints of targets must be answered quickly, and resuming reverts it',
} as const

const PAUSE = { is_paused: true, reason: 'The targets complained.' }

const maintenance: Row['call'] = (its) => ({ params: { id: its.domainId }, body: MAINTENANCE })

export const MONITOR_ROWS = {
  setMonitoring: {
    call: (its) => ({ params: { id: its.bareId }, body: { enable: true } }),
    ability: 'uptime',
    inherits: MONITORS,
  },
  getUptimeSummary: { call: nothing },
  listMonitors: { call: nothing },
  getMonitor: { call: domain },
  updateMonitor: {
    call: (its) => ({ params: { id: its.domainId }, body: { kind: 'http', path: '/health' } }),
    ability: 'uptime',
    inherits: MONITORS,
  },
  listIncidents: { call: domain },
  getUptimeHistory: { call: domain },
  listMonitorResults: { call: domain },
  sendTestNotification: { call: domain, ability: 'uptime', inherits: MONITORS },
  listMonitorNotifications: { call: domain },
  listMaintenanceWindows: { call: domain },
  createMaintenanceWindow: { call: maintenance, ability: 'uptime', inherits: MONITORS },
  deleteMaintenanceWindow: {
    call: (its) => ({ params: { id: its.domainId, window: its.windowId } }),
    probes: {
      'a window of another domain': {
        call: (its) => ({ params: { id: its.bareId, window: its.windowId } }),
      },
    },
    inherits: MONITORS,
  },
  createHeartbeatToken: {
    call: domain,
    ability: 'uptime',
    inherits: {
      ...MONITORS,
      stepUp: 'exempt: the URL only says that a device runs',
      passwordReset: 'exempt: the URL gives no access',
    },
  },
  receiveHeartbeat: { call: () => ({ params: { token: NO_HEARTBEAT } }), answers: 404 },

  listAllMonitors: {
    call: filtered((its) => ({ domain_id: its.domainId })),
    probes: { 'filter by owner': { call: filtered((its) => ({ user_id: its.userId })) } },
  },
  getMonitoringStatus: { call: nothing },
  pauseMonitoring: { call: () => ({ body: { is_paused: false } }), inherits: { ...PAUSES } },
  pauseAccountMonitoring: {
    call: (its) => ({ params: user(its, '').params ?? {}, body: PAUSE }),
    inherits: { ...PAUSES },
  },
} as const satisfies Partial<Rows>

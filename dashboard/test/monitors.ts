/** A mock of the API's monitors, in memory. */
import type { components } from '@homing/openapi/client'
import { domain } from './domains.ts'
import { exampleOf, listed, mock, ok, problem } from './mock.ts'

type Schemas = components['schemas']
type Monitor = Schemas['Monitor']
type Part = Schemas['UptimePart']

/** A monitor: the contract's example, with changes. */
export const monitor = (changes: Partial<Monitor> = {}): Monitor => ({
  ...exampleOf('getMonitor'),
  ...changes,
})

/** A monitor that was never turned on. */
export const noMonitor = (changes: Partial<Monitor> = {}): Monitor =>
  monitor({
    is_enabled: false,
    kind: null,
    state: 'off',
    state_since: null,
    last_check_at: null,
    last_latency_ms: null,
    certificate_expires_at: null,
    uptime_24h: null,
    uptime_7d: null,
    uptime_30d: null,
    uptime_90d: null,
    ...changes,
  })

/** What the list of domains shows of a monitor. */
export const monitored = ({ is_enabled, kind, port, state }: Monitor) =>
  domain({
    monitor_enabled: is_enabled,
    monitor_kind: kind,
    monitor_port: port,
    monitor_state: state,
  })

/** Parts of equal length, the last of which ends at `to`. */
export function partsUntil(
  to: number,
  lengthMs: number,
  parts: readonly Partial<Part>[],
): readonly Part[] {
  return parts.map((changes, n) => ({
    from: new Date(to - (parts.length - n) * lengthMs).toISOString(),
    to: new Date(to - (parts.length - n - 1) * lengthMs).toISOString(),
    up_seconds: 0,
    down_seconds: 0,
    unknown_seconds: 0,
    maintenance_seconds: 0,
    uptime: null,
    checks: 0,
    failures: 0,
    latency_ms: null,
    ...changes,
  }))
}

interface Served {
  readonly monitor: Monitor
  readonly incidents?: readonly Schemas['MonitorIncident'][]
  readonly windows?: readonly Schemas['MaintenanceWindow'][]
}

/** Mocks the calls for the monitor of the only domain. @returns the monitor in memory, which calls change */
export function serveMonitor({ monitor: first, incidents = [], windows = [] }: Served): {
  monitor: Monitor
} {
  const kept = { monitor: first }
  const keptWindows = [...windows]
  const change = (changes: Partial<Monitor>) => {
    kept.monitor = { ...kept.monitor, ...changes, version: kept.monitor.version + 1 }
    return ok(kept.monitor)
  }
  mock.handle({
    listDomains: ({ query }) => listed([monitored(kept.monitor)], query),
    getDomainByFqdn: () => ok(monitored(kept.monitor)),
    getMonitor: () => ok(kept.monitor),
    setMonitoring: ({ body }) =>
      change({ is_enabled: body.enable, state: body.enable ? 'pending' : 'off' }),
    updateMonitor({ body, headers }) {
      if (headers.get('if-match') !== `"${kept.monitor.version}"`)
        return problem('version-mismatch')
      return change(body)
    },
    listIncidents: ({ query }) => listed(incidents, query),
    listMaintenanceWindows: () => ok([...keptWindows]),
    createMaintenanceWindow({ body }) {
      const made = {
        id: String(100 + keptWindows.length),
        repeats: 'never' as const,
        time_zone: 'UTC',
        note: null,
        ...body,
        next_starts_at: body.starts_at,
      }
      keptWindows.push(made)
      return ok(made)
    },
    deleteMaintenanceWindow({ params }) {
      const at = keptWindows.findIndex(({ id }) => id === params.window)
      if (at === -1) return problem('not-found')
      keptWindows.splice(at, 1)
      return ok()
    },
    listMonitorNotifications: () => ok([]),
    listMonitorResults: () => ok([]),
    getUptimeHistory: () => ok({ ...exampleOf('getUptimeHistory'), uptime: null, parts: [] }),
  })
  return kept
}

/** Uptime monitoring: the monitor of a domain, its history, maintenance and mails, and the summary of all of them. */
import type { components } from '@homing/openapi/client'
import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { api } from './client.ts'
import { type Domain, namedDomainQuery, showInTable } from './domains.ts'
import { KEPT_CURRENT } from './kept-current.ts'
import { answerOf } from './problem.ts'

type Schemas = components['schemas']

export type Monitor = Schemas['Monitor']
export type MonitorChange = Schemas['MonitorChange']
export type MonitorIncident = Schemas['MonitorIncident']
export type MonitorNotification = Schemas['MonitorNotification']
export type MonitorResult = Schemas['MonitorResult']
export type MaintenanceWindow = Schemas['MaintenanceWindow']
export type NewMaintenanceWindow = Schemas['NewMaintenanceWindow']
export type UptimeHistory = Schemas['UptimeHistory']
export type UptimePart = Schemas['UptimePart']
export type UptimeSummary = Schemas['UptimeSummary']

/** What begins the keys of everything about monitors. The rows of domains have the state of their monitor themselves. */
export const MONITORS_KEY = 'monitors'

const ofDomain = (domainId: string, part: string) => [MONITORS_KEY, domainId, part] as const
const at = (id: string) => ({ path: { id } })

/** The uptime of all domains of the account. */
export const uptimeSummaryQuery = queryOptions({
  ...KEPT_CURRENT,
  queryKey: [MONITORS_KEY, 'summary'],
  queryFn: async ({ signal }) =>
    (await answerOf(api.GET('/api/uptime/dashboard', { signal }))).data,
})

/** The settings and the state. They are read again regularly, because each check changes them. */
export const monitorQuery = (domainId: string) =>
  queryOptions({
    ...KEPT_CURRENT,
    queryKey: ofDomain(domainId, 'monitor'),
    async queryFn({ signal }) {
      const call = api.GET('/api/uptime/domain/{id}', { params: at(domainId), signal })
      return (await answerOf(call)).data
    },
  })

/** The last 24 hours, or the last 90 days. */
export type HistorySpan = '24h' | '90d'

/** The begin of a history; undefined: the service's own, 24 hours ago. The end is now, by the clock of the service. */
const beginOf = (span: HistorySpan): string | undefined =>
  span === '90d' ? new Date(Date.now() - 90 * 86_400_000).toISOString() : undefined

export const historyQuery = (
  domainId: string,
  span: HistorySpan,
  resolution: UptimeHistory['resolution'],
) =>
  queryOptions({
    ...KEPT_CURRENT,
    queryKey: [...ofDomain(domainId, 'history'), span, resolution],
    async queryFn({ signal }) {
      const from = beginOf(span)
      const query = { resolution, ...(from !== undefined && { from }) }
      const params = { ...at(domainId), query }
      return (await answerOf(api.GET('/api/uptime/domain/{id}/history', { params, signal }))).data
    },
  })

/** Incidents on one page. */
const INCIDENTS_PAGE = 20

/** The newest incident is first. */
export const incidentsQuery = (domainId: string) =>
  infiniteQueryOptions({
    queryKey: ofDomain(domainId, 'incidents'),
    async queryFn({ signal, pageParam }) {
      const query = {
        sort: JSON.stringify(['started_at', 'DESC']),
        range: JSON.stringify([pageParam, pageParam + INCIDENTS_PAGE - 1]),
      }
      const call = api.GET('/api/uptime/domain/{id}/incidents', {
        params: { ...at(domainId), query },
        signal,
      })
      const { data, response } = await answerOf(call)
      const [, total = data.length] =
        /\/(\d+)$/.exec(response.headers.get('content-range') ?? '') ?? []
      return { incidents: data, next: pageParam + data.length, total: Number(total) }
    },
    initialPageParam: 0,
    getNextPageParam: ({ next, total }) => (next < total ? next : undefined),
  })

/** The last 100 checks, the newest first. */
export const resultsQuery = (domainId: string) =>
  queryOptions({
    ...KEPT_CURRENT,
    queryKey: ofDomain(domainId, 'results'),
    async queryFn({ signal }) {
      const call = api.GET('/api/uptime/domain/{id}/results', { params: at(domainId), signal })
      return (await answerOf(call)).data
    },
  })

/** The last 50 mails, the newest first. */
export const monitorMailsQuery = (domainId: string) =>
  queryOptions({
    ...KEPT_CURRENT,
    queryKey: ofDomain(domainId, 'mails'),
    async queryFn({ signal }) {
      const call = api.GET('/api/uptime/domain/{id}/notifications', {
        params: at(domainId),
        signal,
      })
      return (await answerOf(call)).data
    },
  })

export const maintenanceQuery = (domainId: string) =>
  queryOptions({
    queryKey: ofDomain(domainId, 'maintenance'),
    async queryFn({ signal }) {
      const call = api.GET('/api/uptime/domain/{id}/maintenance', { params: at(domainId), signal })
      return (await answerOf(call)).data
    },
  })

/** Turns the monitor on or off. @throws ApiProblem, NetworkFailure */
export async function setMonitoring(domainId: string, enable: boolean): Promise<Monitor> {
  const call = api.POST('/api/uptime/domain/{id}/monitor', {
    params: at(domainId),
    body: { enable },
  })
  return (await answerOf(call)).data
}

/**
 * Changes the settings if their version has not changed.
 *
 * @param seen the monitor that the user saw
 * @throws ApiProblem `version-mismatch` when another client changed the settings; NetworkFailure
 */
export async function updateMonitor(seen: Monitor, change: MonitorChange): Promise<Monitor> {
  const call = api.PUT('/api/uptime/domain/{id}', {
    params: at(seen.domain_id),
    headers: { 'If-Match': `"${seen.version}"` },
    body: change,
  })
  return (await answerOf(call)).data
}

/** Sends a mail to the address of the account. @throws ApiProblem, NetworkFailure */
export async function sendTestMail(domainId: string): Promise<void> {
  await answerOf(api.POST('/api/uptime/domain/{id}/test-notification', { params: at(domainId) }))
}

/** @throws ApiProblem, NetworkFailure */
export async function createMaintenance(
  domainId: string,
  body: NewMaintenanceWindow,
): Promise<MaintenanceWindow> {
  const call = api.POST('/api/uptime/domain/{id}/maintenance', { params: at(domainId), body })
  return (await answerOf(call)).data
}

/** @throws ApiProblem, NetworkFailure */
export async function deleteMaintenance(domainId: string, window: string): Promise<void> {
  const params = { path: { id: domainId, window } }
  await answerOf(api.DELETE('/api/uptime/domain/{id}/maintenance/{window}', { params }))
}

/** The new heartbeat URL. A former one stops working. @throws ApiProblem, NetworkFailure */
export async function createHeartbeatUrl(domainId: string): Promise<string> {
  const call = api.POST('/api/uptime/domain/{id}/heartbeat-token', { params: at(domainId) })
  return (await answerOf(call)).data.url
}

/** What rows and pages of domains show of their monitor. */
export type MonitorFields = Pick<
  Domain,
  'monitor_enabled' | 'monitor_kind' | 'monitor_port' | 'monitor_state'
>

const monitorFields = ({
  is_enabled,
  kind,
  port,
  state,
}: Pick<Monitor, 'is_enabled' | 'kind' | 'port' | 'state'>): MonitorFields => ({
  monitor_enabled: is_enabled,
  monitor_kind: kind,
  monitor_port: port,
  monitor_state: state,
})

/** A monitor, an event about it, or what is expected of it. */
type MonitorPart = Partial<Monitor> &
  Pick<Monitor, 'domain_id' | 'fqdn' | 'is_enabled' | 'kind' | 'port' | 'state'>

/** Shows the state of a monitor in the row, on the page and in the tab of its domain. Everything else there stays. */
export function showMonitor(queries: QueryClient, monitor: MonitorPart): void {
  const { domain_id: id, fqdn } = monitor
  const fields = monitorFields(monitor)
  showInTable(queries, { id, ...fields })
  queries.setQueryData(monitorQuery(id).queryKey, (shown) => shown && { ...shown, ...monitor })
  queries.setQueryData(namedDomainQuery(fqdn).queryKey, (shown) => shown && { ...shown, ...fields })
}

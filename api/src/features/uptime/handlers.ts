import type { Monitor } from '@homing/openapi'
import { type Principal, reachOf } from '../../caller/principal.ts'
import type { Services } from '../../compose.ts'
import type { Answer } from '../../plugins/call.ts'
import { handlersFor } from '../../plugins/contract.ts'
import { contentRange } from '../../plugins/list-query.ts'
import { changeMonitor, switchMonitor } from './change-monitor.ts'
import { createHeartbeatToken, receiveHeartbeat } from './heartbeats.ts'
import { incidentBody, listIncidents } from './list-incidents.ts'
import { createWindow, deleteWindow, listWindows, windowBody } from './maintenance.ts'
import { listNotifications, listResults } from './recent.ts'
import { findMonitor, listMonitors, monitorBodies } from './shown-monitors.ts'
import { sendTestNotification } from './test-notification.ts'
import { readHistory, readSummary } from './uptime-history.ts'

/** The monitor of a domain, with the version of its settings as ETag. */
async function monitorAnswer(
  { knex, now }: Services,
  principal: Principal,
  domainId: string,
): Promise<Answer<Monitor>> {
  const row = await findMonitor(knex, reachOf(principal), domainId)
  const [body] = await monitorBodies(knex, [row], now())
  if (body === undefined) throw new Error('each monitor has a body')
  return { body, headers: { etag: `"${body.version}"` } }
}

export const uptimeHandlers = handlersFor('uptime', {
  async setMonitoring({ services, principal, params, body }) {
    await switchMonitor(services, principal, params.id, body.enable)
    return monitorAnswer(services, principal, params.id)
  },

  async getUptimeSummary({ services, principal }) {
    return { body: await readSummary(services, reachOf(principal)) }
  },

  async listMonitors({ services, principal }) {
    const rows = await listMonitors(services.knex, reachOf(principal))
    return { body: await monitorBodies(services.knex, rows, services.now()) }
  },

  async getMonitor({ services, principal, params }) {
    return monitorAnswer(services, principal, params.id)
  },

  async updateMonitor({ services, principal, params, body, request }) {
    const ifMatch = request.headers['if-match']
    await changeMonitor(services, principal, { domainId: params.id, input: body, ifMatch })
    return monitorAnswer(services, principal, params.id)
  },

  async listIncidents({ services, principal, params, query }) {
    const { incidents, offset, total } = await listIncidents(
      services,
      reachOf(principal),
      params.id,
      query,
    )
    return {
      body: incidents.map(incidentBody),
      headers: contentRange('incidents', offset, incidents.length, total),
    }
  },

  async getUptimeHistory({ services, principal, params, query }) {
    return { body: await readHistory(services, reachOf(principal), params.id, query) }
  },

  async listMonitorResults({ services, principal, params }) {
    return { body: await listResults(services.knex, reachOf(principal), params.id) }
  },

  async sendTestNotification({ services, principal, params }) {
    return { body: await sendTestNotification(services, principal, params.id) }
  },

  async listMonitorNotifications({ services, principal, params }) {
    return { body: await listNotifications(services.knex, reachOf(principal), params.id) }
  },

  async listMaintenanceWindows({ services, principal, params }) {
    const windows = await listWindows(services.knex, reachOf(principal), params.id)
    return { body: windows.map(windowBody) }
  },

  async createMaintenanceWindow({ services, principal, params, body }) {
    return { body: windowBody(await createWindow(services, principal, params.id, body)) }
  },

  async deleteMaintenanceWindow({ services, principal, params }) {
    await deleteWindow(services, principal, params.id, params.window)
    return { body: undefined }
  },

  async createHeartbeatToken({ services, principal, params }) {
    return { body: await createHeartbeatToken(services, principal, params.id) }
  },

  async receiveHeartbeat({ services, params, source }) {
    await receiveHeartbeat(services, params.token, source)
    return { body: 'ok\n' }
  },
})

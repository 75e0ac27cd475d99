import { handlersFor } from '../../plugins/contract.ts'
import { contentRange } from '../../plugins/list-query.ts'
import { adminMonitorBody, listAllMonitors } from './monitor-list.ts'
import { monitoringStatus, pauseAccountMonitoring, pauseMonitoring } from './pause-monitoring.ts'

export const adminUptimeHandlers = handlersFor('admin-uptime', {
  async listAllMonitors({ services, query }) {
    const { monitors, offset, total } = await listAllMonitors(services.knex, query)
    return {
      body: monitors.map(adminMonitorBody),
      headers: contentRange('monitors', offset, monitors.length, total),
    }
  },

  async getMonitoringStatus({ services }) {
    return { body: await monitoringStatus(services.knex) }
  },

  async pauseMonitoring({ services, principal, body }) {
    await pauseMonitoring(services.knex, body)
    services.log.warn(
      { administratorId: principal.account.id, isPaused: body.is_paused },
      'an administrator paused or resumed all monitors',
    )
    return { body: await monitoringStatus(services.knex) }
  },

  async pauseAccountMonitoring({ services, params, body }) {
    return { body: await pauseAccountMonitoring(services.knex, params.id, body) }
  },
})

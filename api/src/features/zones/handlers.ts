import { offeredZones } from '../../models/zone.ts'
import { handlersFor } from '../../plugins/contract.ts'

export const zoneHandlers = handlersFor('zones', {
  async listAvailableZones({ services }) {
    const zones = await offeredZones(services.knex)
    return { body: zones.map(({ name }) => ({ zone: name })) }
  },
})

import { offeredZones, servedOwnZones } from '../../models/zone.ts'
import { handlersFor } from '../../plugins/contract.ts'

export const zoneHandlers = handlersFor('zones', {
  async listAvailableZones({ services: { knex }, principal: { account } }) {
    const [offered, own] = await Promise.all([offeredZones(knex), servedOwnZones(knex, account.id)])
    const names = [...offered, ...own].map(({ name }) => name)
    return { body: names.toSorted().map((zone) => ({ zone })) }
  },
})

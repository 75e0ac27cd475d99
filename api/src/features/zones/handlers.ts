import { handlersFor } from '../../plugins/contract.ts'

export const zoneHandlers = handlersFor('zones', {
  async listAvailableZones({ services }) {
    const rows: { name: string }[] = await services
      .knex('zones')
      .select('name')
      .where({ offered: true })
      .whereNull('owner_id')
      .orderBy('name')
    return { body: rows.map(({ name }) => ({ zone: name })) }
  },
})

import { reachOf } from '../../caller/principal.ts'
import { handlersFor } from '../../plugins/contract.ts'
import { contentRange } from '../../plugins/list-query.ts'
import { actorOf } from '../../plugins/owner-actor.ts'
import { DAY_MS, ENDED_KEPT_DAYS } from '../../rules/zone-checks.ts'
import { requireOwnZones } from './account-zones.ts'
import { verifyZone } from './check-zone.ts'
import { claimZone } from './claim-zone.ts'
import { deleteZone } from './delete-zone.ts'
import { findZone, listZones, zoneBody } from './shown-zones.ts'
import { removeVanity, setUpVanity, vanityStatus, verifyVanity } from './vanity.ts'
import { adminZoneBody, listAllZones } from './zone-list.ts'

export const ownZoneHandlers = handlersFor('own-zones', {
  async listOwnZones({ services: { knex, config, now }, principal }) {
    const since = new Date(now().getTime() - ENDED_KEPT_DAYS * DAY_MS)
    const zones = await listZones(knex, reachOf(principal), since)
    return { body: zones.map((zone) => zoneBody(zone, config)) }
  },

  async createOwnZone({ services, principal: { account }, body }) {
    requireOwnZones(account)
    const wish = { isVanity: false, usesVanity: body.uses_vanity ?? false }
    const zone = await claimZone(services, account.id, body.domain, wish)
    return {
      body: zoneBody(zone, services.config),
      headers: { location: `/api/zones/${zone.id}` },
    }
  },

  async getOwnZone({ services: { knex, config }, principal, params }) {
    return { body: zoneBody(await findZone(knex, reachOf(principal), params.id), config) }
  },

  async verifyOwnZone({ services, principal: { account }, params }) {
    await findZone(services.knex, { userId: account.id, scope: undefined }, params.id)
    requireOwnZones(account)
    return { body: zoneBody(await verifyZone(services, account.id, params.id), services.config) }
  },

  async deleteOwnZone({ services, principal, params, body, source }) {
    const wish = { id: params.id, confirm: body.confirm }
    await deleteZone(services, principal.account.id, wish, actorOf(principal, source))
    return { body: undefined }
  },

  async getVanityStatus({ services, principal: { account } }) {
    return { body: await vanityStatus(services, account) }
  },

  async setUpVanity({ services, principal: { account }, body }) {
    requireOwnZones(account)
    await setUpVanity(services, account.id, body.domain)
    return { body: await vanityStatus(services, account) }
  },

  async verifyVanity({ services, principal: { account } }) {
    requireOwnZones(account)
    return { body: await verifyVanity(services, account.id) }
  },

  async removeVanity({ services, principal: { account } }) {
    await removeVanity(services, account.id)
    return { body: undefined }
  },

  async listAllOwnZones({ services: { knex, config }, query }) {
    const { zones, offset, total } = await listAllZones(knex, query)
    return {
      body: zones.map((zone) => adminZoneBody(zone, config)),
      headers: contentRange('zones', offset, zones.length, total),
    }
  },
})

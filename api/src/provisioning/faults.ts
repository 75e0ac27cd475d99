import { AdministratorTaken } from '../credentials/administrator.ts'
import { NameServerTaken } from '../feed/name-servers.ts'
import { ZoneHidesDomain } from '../feed/new-zone.ts'
import { ZoneTaken } from '../feed/zone-provisioning.ts'

/** Whether the environment conflicts with the content of the database; the message says how and why. */
export function isProvisioningFault(error: unknown): error is Error {
  return [AdministratorTaken, NameServerTaken, ZoneHidesDomain, ZoneTaken].some(
    (kind) => error instanceof kind,
  )
}

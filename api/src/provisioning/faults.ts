import { AdministratorTaken } from '../credentials/administrator.ts'
import { NameServerTaken } from '../feed/name-servers.ts'
import { ZoneHidesDomain } from '../feed/new-zone.ts'
import { ZoneTaken } from '../feed/zone-provisioning.ts'

/** Whether the environment asks for something that the database cannot hold; the message says what and why. */
export function isProvisioningFault(error: unknown): error is Error {
  return [AdministratorTaken, NameServerTaken, ZoneHidesDomain, ZoneTaken].some(
    (kind) => error instanceof kind,
  )
}

/**
 * Provisions a database as the environment defines: the schema, the provider zones with their name
 * servers, the addresses of the forwarders, and the first administrator. `npm run migrate` and the supervisor behind `npm start`
 * both use this code.
 */
import { join } from 'node:path'
import type { ConfigOf } from '../config/config-loader.ts'
import type { migrateLoader } from '../config/scripts.ts'
import { SCRIPT_LIMITS } from '../database/connection-limits.ts'
import { connect, updateSchema, withMigrationLock } from '../database/connect.ts'
import { ensureZones, type EnsuredZone, formerZones } from '../feed/zone-provisioning.ts'
import { provideForwardAddresses } from './forward-addresses.ts'
import { provideOwnZones } from './own-zones.ts'
import { type FirstAdministrator, provideAdministrator } from './first-administrator.ts'

/** The configuration that provisioning uses. */
export type ProvisioningConfig = Pick<
  ConfigOf<typeof migrateLoader>,
  'nodeEnv' | 'dataDir' | 'zones' | 'nameservers' | 'forwardAddresses' | 'admin'
>

export interface Provisioned {
  readonly administrator: FirstAdministrator
  readonly zones: readonly EnsuredZone[]
  /** Zones that were removed from ZONES. They are kept. */
  readonly formerZones: readonly string[]
}

/** The file that stores the first administrator's password. */
export function adminPasswordFile({ dataDir }: Pick<ProvisioningConfig, 'dataDir'>): string {
  return join(dataDir, 'admin-password')
}

/**
 * Provisions the database at `databaseUrl`. Idempotent; many processes can run it at once, because
 * all of it happens under the migration lock.
 *
 * @param keepsPassword whether DATA_DIR/admin-password gets the password of a new administrator
 * @throws ConfigError, AdministratorTaken, NameServerTaken, ZoneTaken, ZoneHidesDomain
 */
export async function provision(
  config: ProvisioningConfig,
  databaseUrl: string,
  { keepsPassword }: { readonly keepsPassword: boolean },
): Promise<Provisioned> {
  return withMigrationLock(databaseUrl, async () => {
    await updateSchema(databaseUrl)
    const knex = connect({
      url: databaseUrl,
      limits: SCRIPT_LIMITS,
      maxConnections: 2,
      applicationName: 'homing-provision',
    })
    try {
      const administrator = await provideAdministrator(knex, {
        admin: config.admin,
        allowsRandomPassword: config.nodeEnv !== 'production',
        passwordFile: keepsPassword ? adminPasswordFile(config) : undefined,
      })
      const zones = await ensureZones(knex, config)
      await provideOwnZones(knex, config.nameservers)
      await provideForwardAddresses(knex, config.forwardAddresses)
      return { administrator, zones, formerZones: await formerZones(knex, config.zones) }
    } finally {
      await knex.destroy()
    }
  })
}

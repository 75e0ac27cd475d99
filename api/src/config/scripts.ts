/** The configuration of an operator's commands. */
import { firstAdministrator } from './administrator.ts'
import { type ConfigOf, loaderOf } from './config-loader.ts'
import { forwardAddresses } from './forwarding.ts'
import { product } from './mail.ts'
import { processSettings } from './process-settings.ts'
import { protectedNames } from './protected-words.ts'
import { database, dataFolder } from './storage.ts'
import { nameServers, providerZones } from './zones.ts'

/** `npm run migrate`: the schema, and the provisioning that the environment defines. */
export const migrateLoader = loaderOf(
  processSettings,
  dataFolder,
  database,
  providerZones,
  nameServers,
  forwardAddresses,
  product,
  firstAdministrator,
)

/** Commands that need only the database. */
export const databaseLoader = loaderOf(dataFolder, database)

/** `npm run names:check`. */
export const nameCheckLoader = loaderOf(
  dataFolder,
  database,
  providerZones,
  product,
  protectedNames,
)

export interface NameCheckConfig extends ConfigOf<typeof nameCheckLoader> {}

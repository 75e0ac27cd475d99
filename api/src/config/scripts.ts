/** The configuration of an operator's commands. */
import { firstAdministrator } from './administrator.ts'
import { type ConfigOf, loaderOf } from './config-loader.ts'
import { forwardAddresses, forwarding } from './forwarding.ts'
import { product } from './mail.ts'
import { outsideTargets } from './call-rules.ts'
import { payments } from './payments.ts'
import { processSettings } from './process-settings.ts'
import { protectedNames } from './protected-words.ts'
import { database, dataFolder } from './storage.ts'
import { listening, publicAddress } from './web.ts'
import { dnsAddress, nameServers, providerZones } from './zones.ts'

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

/** `npm run payments:setup`: the keys, and what the outgoing door needs to know of the service. */
export const paymentSetupLoader = loaderOf(
  processSettings,
  dataFolder,
  database,
  publicAddress,
  payments,
  outsideTargets,
  listening,
  dnsAddress,
  nameServers,
  forwarding,
  forwardAddresses,
)

export interface NameCheckConfig extends ConfigOf<typeof nameCheckLoader> {}

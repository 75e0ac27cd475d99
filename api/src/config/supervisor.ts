/**
 * The configuration of the supervisor. It reads the variables of all parts, so that an invalid value
 * stops the whole service before anything has started, and passes each part only that part's
 * variables.
 */
import { apiLoader } from './api.ts'
import { type ConfigOf, loaderOf } from './config-loader.ts'
import { forwarderLoader } from './forwarder.ts'
import { migrateLoader } from './scripts.ts'
import { feedDatabases } from './storage.ts'
import { workerLoader } from './worker.ts'
import { dnsAddress } from './zones.ts'

export const supervisorLoader = loaderOf(
  ...migrateLoader.groups,
  ...forwarderLoader.groups,
  feedDatabases,
  dnsAddress,
  ...workerLoader.groups,
  ...apiLoader.groups,
)

export interface SupervisorConfig extends ConfigOf<typeof supervisorLoader> {}

/**
 * The supervisor. It reads what its parts read, so that a wrong value stops the whole service before
 * anything has started, and hands each part only the variables of that part.
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

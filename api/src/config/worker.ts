/** The configuration of the worker: mail, plans, expiry. */
import { type ConfigOf, loaderOf } from './config-loader.ts'
import { outgoingMail, product } from './mail.ts'
import { autonomousSystems, countries, workerMetrics } from './metrics.ts'
import { processSettings } from './process-settings.ts'
import { secretKeys } from './secret-keys.ts'
import { changeRetention, database, dataFolder } from './storage.ts'
import { publicAddress } from './web.ts'

export const workerLoader = loaderOf(
  processSettings,
  dataFolder,
  database,
  changeRetention,
  publicAddress,
  product,
  outgoingMail,
  countries,
  autonomousSystems,
  workerMetrics,
  secretKeys,
)

export interface WorkerConfig extends ConfigOf<typeof workerLoader> {}

/** The configuration of the worker: mail, plans, expiry, checks of targets, monitoring. */
import { outsideTargets } from './call-rules.ts'
import { type ConfigOf, loaderOf } from './config-loader.ts'
import { rootHints } from './delegation.ts'
import { forwardAddresses, forwarding } from './forwarding.ts'
import { outgoingMail, product } from './mail.ts'
import { autonomousSystems, countries, workerMetrics } from './metrics.ts'
import { monitorInterval, monitorReferences } from './monitoring.ts'
import { payments } from './payments.ts'
import { processSettings } from './process-settings.ts'
import { secretKeys } from './secret-keys.ts'
import { changeRetention, database, dataFolder } from './storage.ts'
import { listening, publicAddress } from './web.ts'
import { dnsAddress, nameServers, providerZones } from './zones.ts'

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
  payments,
  // The worker checks the targets of web forwards, which must not lead to the service.
  outsideTargets,
  rootHints,
  listening,
  dnsAddress,
  providerZones,
  nameServers,
  forwarding,
  forwardAddresses,
  monitorInterval,
  monitorReferences,
)

export interface WorkerConfig extends ConfigOf<typeof workerLoader> {}

/** The configuration of the API: pages, calls and update URLs. */
import { addressPolicy, limits, outsideTargets, updateCalls } from './call-rules.ts'
import { captchaChoice } from './captcha.ts'
import { type ConfigOf, loaderOf } from './config-loader.ts'
import { rootHints } from './delegation.ts'
import { forwardAddresses, forwarding } from './forwarding.ts'
import { product, securityContact } from './mail.ts'
import { countries, metricsToken } from './metrics.ts'
import { operatorDetails } from './operator.ts'
import { payments } from './payments.ts'
import { processSettings } from './process-settings.ts'
import { protectedNames } from './protected-words.ts'
import { secretKeys } from './secret-keys.ts'
import { database, dataFolder } from './storage.ts'
import { allowedHosts, listening, publicAddress, trustedProxies } from './web.ts'
import { dnsAddress, nameServers, providerZones } from './zones.ts'

export const apiLoader = loaderOf(
  processSettings,
  dataFolder,
  database,
  listening,
  publicAddress,
  allowedHosts,
  trustedProxies,
  providerZones,
  product,
  securityContact,
  operatorDetails,
  addressPolicy,
  outsideTargets,
  rootHints,
  // Addresses of the other parts: a user's URL must not lead to them.
  dnsAddress,
  nameServers,
  forwarding,
  forwardAddresses,
  limits,
  updateCalls,
  protectedNames,
  captchaChoice,
  metricsToken,
  countries,
  secretKeys,
  payments,
)

export interface ApiConfig extends ConfigOf<typeof apiLoader> {}

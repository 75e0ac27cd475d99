/** The configuration of the web-forwarding server. Its only secret is the database login, which can read the forward feed. */
import { limits } from './call-rules.ts'
import { loaderOf } from './config-loader.ts'
import { forwarding } from './forwarding.ts'
import { product } from './mail.ts'
import { forwarderMetrics } from './metrics.ts'
import { abuseContact } from './operator.ts'
import { processSettings } from './process-settings.ts'
import { dataFolder, forwarderDatabase } from './storage.ts'
import { publicAddress, trustedProxies } from './web.ts'

export const forwarderLoader = loaderOf(
  processSettings,
  dataFolder,
  forwarderDatabase,
  forwarding,
  forwarderMetrics,
  publicAddress,
  product,
  abuseContact,
  limits,
  trustedProxies,
)

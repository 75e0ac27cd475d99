/** The web-forwarding server, which holds no secret. */
import { loaderOf } from './config-loader.ts'
import { forwarding } from './forwarding.ts'
import { forwarderMetrics } from './metrics.ts'
import { processSettings } from './process-settings.ts'

export const forwarderLoader = loaderOf(processSettings, forwarding, forwarderMetrics)

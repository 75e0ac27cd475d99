/** The configuration of the web-forwarding server, which has no secrets. */
import { loaderOf } from './config-loader.ts'
import { forwarding } from './forwarding.ts'
import { forwarderMetrics } from './metrics.ts'
import { processSettings } from './process-settings.ts'

export const forwarderLoader = loaderOf(processSettings, forwarding, forwarderMetrics)

/** How uptime monitoring runs. */
import { ConfigError } from './config-error.ts'
import { configGroup } from './config-loader.ts'
import * as parse from './parsers.ts'
import { isProduction } from './process-settings.ts'

const INTERVAL = 'a number of seconds from 1 to 3600'

function intervalSeconds(text: string): number | undefined {
  const seconds = /^\d{1,4}$/.test(text) ? Number(text) : 0
  return seconds >= 1 && seconds <= 3_600 ? seconds : undefined
}

export const monitorInterval = configGroup(['NODE_ENV', 'MONITOR_INTERVAL'], (variables) => {
  const name = 'MONITOR_INTERVAL'
  const monitorIntervalSeconds = variables.optional(name, INTERVAL, intervalSeconds)
  if (monitorIntervalSeconds !== undefined && isProduction(variables)) {
    throw new ConfigError(name, variables.text(name), 'no value with NODE_ENV=production')
  }
  /** The time between two checks of every monitor. Undefined: each has its own. */
  return { monitorIntervalSeconds }
})

export const monitorReferences = configGroup(['MONITOR_REFERENCES'], (variables) => ({
  /** Targets that always answer, unless the network of the worker is down. */
  monitorReferences: variables.value(
    'MONITOR_REFERENCES',
    'a comma-separated list of URLs such as https://example.net/',
    parse.listOf(parse.urlOf('https:', 'http:')),
    [],
  ),
}))

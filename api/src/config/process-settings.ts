/** Settings of every part: how strict it is, and how it logs. */
import { configGroup } from './config-loader.ts'
import * as parse from './parsers.ts'
import type { Variables } from './variables.ts'

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

/** Whether unsafe values and development conveniences are refused. */
export function isProduction(variables: Variables<'NODE_ENV'>): boolean {
  return variables.text('NODE_ENV') === 'production'
}

export type ProcessSettings = ReturnType<typeof processSettings.read>

export const processSettings = configGroup(
  ['NODE_ENV', 'LOG_LEVEL', 'LOG_FORMAT'],
  (variables) => ({
    nodeEnv: variables.value<'development' | 'production' | 'test'>(
      'NODE_ENV',
      'development, production or test',
      parse.oneOf('development', 'production', 'test'),
      'development',
    ),
    logLevel: variables.value<(typeof LOG_LEVELS)[number]>(
      'LOG_LEVEL',
      LOG_LEVELS.join(', '),
      parse.oneOf(...LOG_LEVELS),
      'info',
    ),
    logFormat: variables.value<'pretty' | 'json'>(
      'LOG_FORMAT',
      'pretty or json',
      parse.oneOf('pretty', 'json'),
      process.stderr.isTTY ? 'pretty' : 'json',
    ),
  }),
)

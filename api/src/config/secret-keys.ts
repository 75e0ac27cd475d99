/** The keys that sign links and encrypt secrets at rest. */
import type { SecretKeys } from '../rules/derived-key.ts'
import { ConfigError, hidden } from './config-error.ts'
import { configGroup } from './config-loader.ts'
import { keptSecretKey } from './kept-secret-key.ts'
import * as parse from './parsers.ts'
import { isProduction } from './process-settings.ts'
import { dataFolder } from './storage.ts'

const LIMIT_CHARACTERS = 32
const TAKES = `at least ${LIMIT_CHARACTERS} characters, for example from: openssl rand -base64 32`

/**
 * Must be last in a loader, because it can create a file: a start that fails must leave nothing
 * behind.
 */
export const secretKeys = configGroup(
  ['NODE_ENV', 'DATA_DIR', 'SECRET_KEY', 'SECRET_KEY_PREVIOUS'],
  (variables): SecretKeys => {
    const key = variables.secret('SECRET_KEY', TAKES, parse.textFrom(LIMIT_CHARACTERS))
    const previous = variables.secret(
      'SECRET_KEY_PREVIOUS',
      TAKES,
      parse.textFrom(LIMIT_CHARACTERS),
    )
    if (key === undefined && isProduction(variables)) {
      throw new ConfigError('SECRET_KEY', undefined, `${TAKES}, with NODE_ENV=production`)
    }
    if (previous !== undefined && previous === key) {
      const takes = 'a key that differs from SECRET_KEY'
      throw new ConfigError('SECRET_KEY_PREVIOUS', hidden(previous), takes)
    }
    return {
      secretKey:
        key === undefined ? keptSecretKey(dataFolder.read(variables).dataDir) : Buffer.from(key),
      previousSecretKey: previous === undefined ? undefined : Buffer.from(previous),
    }
  },
)

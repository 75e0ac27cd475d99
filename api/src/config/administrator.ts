/** The first administrator. */
import { weaknessOf } from '../rules/password-rules.ts'
import { ConfigError, hidden } from './config-error.ts'
import { configGroup } from './config-loader.ts'
import * as parse from './parsers.ts'
import { firstZone } from './zones.ts'

const PASSWORD_LIMIT_CHARACTERS = 8

export interface Administrator {
  readonly username: string
  readonly email: string
  /** Absent: development generates a random one at the first start. */
  readonly password?: string
}

export const firstAdministrator = configGroup(
  ['NODE_ENV', 'ZONES', 'ADMIN_USERNAME', 'ADMIN_EMAIL', 'ADMIN_PASSWORD'],
  (variables): { readonly admin: Administrator } => {
    const password = variables.secret(
      'ADMIN_PASSWORD',
      `at least ${PASSWORD_LIMIT_CHARACTERS} characters`,
      parse.textFrom(PASSWORD_LIMIT_CHARACTERS),
    )
    const username = variables.value(
      'ADMIN_USERNAME',
      '3 to 32 characters: letters a-z, digits, dots, underscores and hyphens',
      (text) => (/^[a-z0-9._-]{3,32}$/i.test(text) ? text : undefined),
      'admin',
    )
    const unset = `admin@${firstZone(variables)}`
    const email = variables.value('ADMIN_EMAIL', 'an email address', parse.emailAddress, unset)
    return { admin: { username, email, ...(password === undefined ? {} : { password }) } }
  },
)

interface AdministratorConfig {
  readonly nodeEnv: string
  readonly admin: Administrator
  readonly zones: readonly string[]
  readonly productName: string
}

/**
 * In production, applies the password rules of all accounts to the first administrator's password. It is
 * separate from reading the password because the list of common passwords takes a third of a second to
 * load.
 *
 * @throws ConfigError naming ADMIN_PASSWORD, without the password
 */
export async function requireSafeAdminPassword(config: AdministratorConfig): Promise<void> {
  const { password, username, email } = config.admin
  if (config.nodeEnv !== 'production' || password === undefined) return
  const names = [username, email, ...config.zones, config.productName]
  const weakness = await weaknessOf(password, names)
  if (weakness === undefined) return
  const why =
    weakness === 'common'
      ? 'is not in a list of leaked passwords'
      : 'does not consist mainly of names of the administrator, the zones or the service'
  throw new ConfigError('ADMIN_PASSWORD', hidden(password), `a password that ${why}`)
}

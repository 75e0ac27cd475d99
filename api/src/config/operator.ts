/** Who runs the service: for its terms, its privacy policy and its error pages. */
import { configGroup } from './config-loader.ts'
import * as parse from './parsers.ts'
import { firstZone } from './zones.ts'

const NAME_CHARACTERS = 2
const TEXT = `a text of at least ${NAME_CHARACTERS} characters on one line`
const EMAIL = 'an address such as support@example.net'

export const operatorDetails = configGroup(
  ['OPERATOR_NAME', 'OPERATOR_ADDRESS', 'SUPPORT_EMAIL', 'ABUSE_EMAIL'],
  (variables) => ({
    operator: {
      name: variables.optional('OPERATOR_NAME', TEXT, parse.textFrom(NAME_CHARACTERS)),
      /** The postal address, on one line. */
      address: variables.optional('OPERATOR_ADDRESS', TEXT, parse.textFrom(NAME_CHARACTERS)),
      supportEmail: variables.optional('SUPPORT_EMAIL', EMAIL, parse.emailAddress),
      abuseEmail: variables.optional('ABUSE_EMAIL', EMAIL, parse.emailAddress),
    },
  }),
)

export const abuseContact = configGroup(['NODE_ENV', 'ZONES', 'ABUSE_EMAIL'], (variables) => ({
  /** The address for reports of abuse on pages that any domain can show. */
  abuseEmail: variables.value(
    'ABUSE_EMAIL',
    EMAIL,
    parse.emailAddress,
    `abuse@${firstZone(variables)}`,
  ),
}))

type OperatorDetails = ReturnType<typeof operatorDetails.read>['operator']

/** A warning for the log of each production start; undefined when the operator has given all details. */
export function operatorWarning(config: {
  readonly nodeEnv: string
  readonly operator: OperatorDetails
}): string | undefined {
  const { name, address, supportEmail, abuseEmail } = config.operator
  const given = {
    OPERATOR_NAME: name,
    OPERATOR_ADDRESS: address,
    SUPPORT_EMAIL: supportEmail,
    ABUSE_EMAIL: abuseEmail,
  }
  const missing = Object.entries(given).flatMap(([variable, value]) => (value ? [] : [variable]))
  if (config.nodeEnv !== 'production' || missing.length === 0) return undefined
  return `the terms and the privacy policy do not say who runs the service: set ${missing.join(', ')}`
}

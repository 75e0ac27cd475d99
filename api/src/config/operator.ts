/** Who runs the service: for its terms, its privacy policy and its error pages. */
import { configGroup } from './config-loader.ts'
import * as parse from './parsers.ts'
import { firstZone } from './zones.ts'

const NAME_CHARACTERS = 2
const TEXT = `a text of at least ${NAME_CHARACTERS} characters on one line`
const EMAIL = 'an address such as support@example.net'

export const supportContact = configGroup(['NODE_ENV', 'ZONES', 'SUPPORT_EMAIL'], (variables) => ({
  /** The address for questions of users. */
  supportEmail: variables.value(
    'SUPPORT_EMAIL',
    EMAIL,
    parse.emailAddress,
    `support@${firstZone(variables)}`,
  ),
}))

export const abuseContact = configGroup(['NODE_ENV', 'ZONES', 'ABUSE_EMAIL'], (variables) => ({
  /** The address for reports of abuse. */
  abuseEmail: variables.value(
    'ABUSE_EMAIL',
    EMAIL,
    parse.emailAddress,
    `abuse@${firstZone(variables)}`,
  ),
}))

const DETAILS = ['OPERATOR_NAME', 'OPERATOR_ADDRESS', 'SUPPORT_EMAIL', 'ABUSE_EMAIL'] as const

export const operatorDetails = configGroup(['NODE_ENV', 'ZONES', ...DETAILS], (variables) => ({
  operator: {
    name: variables.optional('OPERATOR_NAME', TEXT, parse.textFrom(NAME_CHARACTERS)),
    /** The postal address, on one line. */
    address: variables.optional('OPERATOR_ADDRESS', TEXT, parse.textFrom(NAME_CHARACTERS)),
    ...supportContact.read(variables),
    ...abuseContact.read(variables),
  },
  /** The variables about the operator that are unset. */
  unsetDetails: DETAILS.filter(
    (name) => variables.optional(name, TEXT, (text) => text) === undefined,
  ),
}))

/** A warning for the log of each production start; undefined when the operator has given all details. */
export function operatorWarning(config: {
  readonly nodeEnv: string
  readonly unsetDetails: readonly string[]
}): string | undefined {
  const { nodeEnv, unsetDetails } = config
  if (nodeEnv !== 'production' || unsetDetails.length === 0) return undefined
  return `the terms and the privacy policy do not say everything about who runs the service: set ${unsetDetails.join(', ')}`
}

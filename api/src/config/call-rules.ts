/** Rules for callers of the API: allowed addresses and targets, rate limits, and accepted secrets. */
import { ConfigError } from './config-error.ts'
import { configGroup } from './config-loader.ts'
import * as parse from './parsers.ts'
import { isProduction } from './process-settings.ts'
import type { Variables } from './variables.ts'

/** Shorter texts occur in many User-Agents. */
const AGENT_LIMIT_CHARACTERS = 3

/** @throws ConfigError when a variable has a value that is allowed in development only */
function refuseInProduction<Name extends string>(
  variables: Variables<Name | 'NODE_ENV'>,
  name: Name,
  convenience: string,
): void {
  if (variables.text(name) !== convenience || !isProduction(variables)) return
  throw new ConfigError(name, convenience, 'another value with NODE_ENV=production')
}

export const addressPolicy = configGroup(['NODE_ENV', 'ADDRESS_POLICY'], (variables) => ({
  addressPolicy: variables.value<'any' | 'public'>(
    'ADDRESS_POLICY',
    'any or public',
    parse.oneOf('any', 'public'),
    isProduction(variables) ? 'public' : 'any',
  ),
}))

export const outsideTargets = configGroup(
  ['NODE_ENV', 'ALLOW_PRIVATE_TARGETS', 'DNS_RESOLVER'],
  (variables) => {
    const name = 'ALLOW_PRIVATE_TARGETS'
    refuseInProduction(variables, name, '1')
    return {
      /** Whether users' targets can be private addresses. */
      allowsPrivateTargets: variables.optional(name, '1, or no value', parse.oneOf('1')) === '1',
      /** `IP` or `IP:port` of the resolvers for external look-ups; empty: the system's. */
      dnsResolver: variables.value(
        'DNS_RESOLVER',
        'a comma-separated list of name servers such as 192.0.2.53 or 127.0.0.1:5353',
        parse.listOf(parse.nameServerAddress),
        [],
      ),
    }
  },
)

export const limits = configGroup(['NODE_ENV', 'RATE_LIMITS'], (variables) => {
  refuseInProduction(variables, 'RATE_LIMITS', 'off')
  const onOrOff = parse.oneOf('on', 'off')
  return { rateLimits: variables.value('RATE_LIMITS', 'on or off', onOrOff, 'on') === 'on' }
})

export const updateCalls = configGroup(['UPDATE_PASSWORDS', 'BLOCKED_AGENTS'], (variables) => {
  const onOrOff = parse.oneOf('on', 'off')
  const passwords = variables.value('UPDATE_PASSWORDS', 'on or off', onOrOff, 'on')
  const agents = 'a comma-separated list of texts of at least 3 characters'
  const agentList = parse.listOf(parse.textFrom(AGENT_LIMIT_CHARACTERS))
  const blocked = variables.value('BLOCKED_AGENTS', agents, agentList, [])
  return {
    /** Whether update URLs accept account passwords. */
    updatePasswords: passwords === 'on',
    /** Parts of User-Agents, in lower case, whose update calls are refused. */
    blockedAgents: blocked.map((agent) => agent.toLowerCase()),
  }
})

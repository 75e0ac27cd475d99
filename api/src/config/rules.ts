/** What callers may do: which addresses and targets, how often, and with which secrets. */
import { captchaConfigOf } from './captcha.ts'
import * as parse from './parsers.ts'
import { protectedWordsOf } from './protected-words.ts'
import type { Variables } from './variables.ts'

/** What is shorter stands in many User-Agents. */
const AGENT_LIMIT_CHARACTERS = 3

/** @throws ConfigError at the first variable that is wrong */
export function rulesOf(variables: Variables, isProduction: boolean) {
  const privateTargets = variables.optional(
    'ALLOW_PRIVATE_TARGETS',
    '1, or nothing',
    parse.oneOf('1'),
  )
  const onOrOff = parse.oneOf('on', 'off')
  const limits = variables.value('RATE_LIMITS', 'on or off', onOrOff, 'on')
  const passwords = variables.value('UPDATE_PASSWORDS', 'on or off', onOrOff, 'on')
  const agents = 'a comma list of texts of 3 characters and more'
  const agentList = parse.listOf(parse.textFrom(AGENT_LIMIT_CHARACTERS))
  const blocked = variables.value('BLOCKED_AGENTS', agents, agentList, [])
  return {
    addressPolicy: variables.value<'any' | 'public'>(
      'ADDRESS_POLICY',
      'any or public',
      parse.oneOf('any', 'public'),
      isProduction ? 'public' : 'any',
    ),
    allowsPrivateTargets: privateTargets === '1',
    dnsResolver: variables.value(
      'DNS_RESOLVER',
      'a comma list of name servers such as 192.0.2.53 or 127.0.0.1:5353',
      parse.listOf(parse.nameServerAddress),
      [],
    ),
    rateLimits: limits === 'on',
    captcha: captchaConfigOf(variables, isProduction),
    updatePasswords: passwords === 'on',
    blockedAgents: blocked.map((agent) => agent.toLowerCase()),
    protectedWords: protectedWordsOf(variables),
  }
}

/** One check of a delegation: walk to the parent zone, ask its servers and ours, and state the facts. */
import type { DelegationCheck, ParentServerAnswer } from '@homing/openapi'
import { Asker, type AskerOptions } from './asker.ts'
import { delegationFacts } from './facts.ts'
import { shownName } from './names.ts'
import { askOurServers, withoutIpv6 } from './our-servers.ts'
import { findOwnership, type OurPlaces } from './ownership.ts'
import { askParentServers, type ParentAnswer } from './parent-servers.ts'
import type { RootServer } from '../rules/root-hints.ts'
import type { DelegationFindings, DelegationRequest } from './types.ts'
import { Walk, WalkEnded } from './walk.ts'

/** Where walks begin and may go. */
export interface WalkRules extends Pick<AskerOptions, 'objectionTo' | 'portOf' | 'ask'> {
  readonly roots: readonly RootServer[]
  readonly ours: OurPlaces
  readonly now?: () => Date
  readonly timeLimitMs?: number
}

/** With the time for the first and the last step below 5 seconds. */
const TIME_LIMIT_MS = 4_700

/** Checks are stored, and strangers fill their lists. */
const SHOWN_SERVERS_LIMIT = 32
const SHOWN_NAMES_LIMIT = 13
const SHOWN_GLUE_LIMIT = 26

/**
 * Never throws for what servers do: what was not found is unknown.
 *
 * @throws the reason of the signal of the request
 */
export async function walkDelegation(
  request: DelegationRequest,
  rules: WalkRules,
): Promise<DelegationFindings> {
  const { now = () => new Date(), timeLimitMs = TIME_LIMIT_MS } = rules
  const { domain, nameservers: expected, ownershipNames = [] } = request
  const begun = performance.now()
  const limit = AbortSignal.timeout(timeLimitMs)
  const signal = request.signal === undefined ? limit : AbortSignal.any([limit, request.signal])
  const asker = new Asker({ ...rules, signal })
  const walk = new Walk(asker, rules.roots)
  const names = new Set([...rules.ours.names, ...expected.map(({ hostname }) => hostname)])
  const [{ parentZone, ending, parents, ownership }, answers] = await Promise.all([
    findParent(walk, asker, domain, { ...rules.ours, names }),
    askOurServers(asker, domain, expected),
  ])
  request.signal?.throwIfAborted()
  const ours = asker.hasIpv6 ? answers : answers.map(withoutIpv6)
  const found = { domain, parentZone, ending, expected, ownershipNames, parents, ours }
  const facts = delegationFacts(found)
  const check: DelegationCheck = {
    is_right: facts.every(({ state }) => state === 'right' || state === 'incomplete'),
    parent_zone: parentZone === undefined ? null : shownName(parentZone),
    facts,
    parent_servers: parents.slice(0, SHOWN_SERVERS_LIMIT).map(shownAnswer),
    checked_at: now().toISOString(),
    duration_ms: Math.round(performance.now() - begun),
  }
  return { check, ...ownership }
}

async function findParent(walk: Walk, asker: Asker, domain: string, ours: OurPlaces) {
  try {
    const parent = await walk.parentOf(domain)
    const parents = await askParentServers(walk, asker, parent, domain)
    const ownership = await findOwnership(walk, asker, { domain, parents, ours })
    return { parentZone: parent.zone, ending: undefined, parents, ownership }
  } catch (error) {
    if (!(error instanceof WalkEnded)) throw error
    const ownership = { isDelegatedToUs: undefined, parentNs: [], txt: undefined }
    return { parentZone: undefined, ending: error.message, parents: [], ownership }
  }
}

function shownAnswer(answer: ParentAnswer): ParentServerAnswer {
  const { hostname, address, transport, outcome, nameservers, glue, hasDs, message } = answer
  return {
    server: shownName(hostname),
    address,
    transport,
    outcome,
    nameservers: nameservers.slice(0, SHOWN_NAMES_LIMIT).map(shownName),
    glue: [...glue]
      .flatMap(([name, addresses]) => addresses.map((each) => `${shownName(name)} ${each}`))
      .slice(0, SHOWN_GLUE_LIMIT),
    has_ds: hasDs === true,
    message,
  }
}

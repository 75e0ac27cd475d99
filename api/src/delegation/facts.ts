/**
 * The seven facts about a delegation, from what servers said. Pure: no look-ups, no clock.
 *
 * A fact is right only when every server of the parent zone that answered agrees. A server that is silent, or does not
 * serve the parent zone, is listed, but makes nothing wrong: resolvers ask another one.
 */
import type { DelegationFact } from '@homing/openapi'
import { addressFact, glueFact } from './glue-facts.ts'
import { listed, shownName, shownZone } from './names.ts'
import type { OurAnswer } from './our-servers.ts'
import {
  capital,
  delegating,
  fact,
  hostnames,
  WAIT,
  type WhatWasFound,
  whoSays,
} from './what-was-found.ts'

/** In the order in which a user puts them right. */
export function delegationFacts(found: WhatWasFound): DelegationFact[] {
  return [
    delegatedFact(found),
    namesFact(found),
    glueFact(found),
    addressFact(found, 'ipv4'),
    addressFact(found, 'ipv6'),
    authoritativeFact(found),
    noDsFact(found),
  ]
}

function delegatedFact(found: WhatWasFound): DelegationFact {
  const { domain, parentZone, ending, parents } = found
  const expected = hostnames(found.expected)
  if (parentZone === undefined) {
    const words = `The parent zone of ${domain} was not found. ${ending ?? ''} Expected an answer. Check again in a few minutes.`
    return fact('delegated', 'unknown', words, { expected })
  }
  const zone = shownZone(parentZone)
  const right = delegating(found)
  const wrong = parents.filter(({ outcome }) => outcome === 'does-not-delegate')
  const heard = [...right, ...wrong]
  const names = right.flatMap(({ nameservers }) => nameservers.map(shownName))
  if (heard.length === 0) {
    const words = `No server of ${zone} answered for it. Expected at least one answer. Check again in a few minutes.`
    return fact('delegated', 'unknown', words, { expected })
  }
  if (wrong.length === 0) {
    return fact('delegated', 'right', capital(`${zone} delegates ${domain}.`), {
      expected,
      found: names,
    })
  }
  const who = capital(whoSays(found, wrong, heard))
  const advice =
    right.length > 0
      ? WAIT
      : 'Register the domain if it is not registered, and set these name servers at your registrar.'
  const words = `${who} does not delegate ${domain}. Expected a delegation to ${listed(expected)}. ${advice}`
  return fact('delegated', 'wrong', words, { expected, found: names })
}

function namesFact(found: WhatWasFound): DelegationFact {
  const expected = hostnames(found.expected)
  const all = delegating(found)
  if (all.length === 0) {
    const words = `The name servers are unknown, because no server delegates ${found.domain}. Delegate the domain first.`
    return fact('names', 'unknown', words, { expected })
  }
  const accepted = new Set([...expected, ...found.ownershipNames])
  const wrong = all.filter(
    ({ nameservers }) =>
      !expected.every((name) => nameservers.includes(name)) ||
      !nameservers.every((name) => accepted.has(name)),
  )
  const names = (wrong.length > 0 ? wrong : all).flatMap(({ nameservers }) => nameservers)
  const shown = [...new Set(names)].map(shownName)
  const lists = { expected, found: shown }
  if (wrong.length === 0) {
    return fact('names', 'right', `The name servers are ${listed(shown)}.`, lists)
  }
  const who = capital(whoSays(found, wrong, all))
  const advice = wrong.length < all.length ? WAIT : 'Change the name servers at your registrar.'
  const words = `${who} names ${listed(shown)}. Expected ${listed(expected)} and no others. ${advice}`
  return fact('names', 'wrong', words, lists)
}

const at = ({ hostname, address, transport }: OurAnswer) =>
  `${hostname} ${address} (${transport.toUpperCase()})`

function authoritativeFact({ domain, ours }: WhatWasFound): DelegationFact {
  const reached = ours.filter(({ outcome }) => outcome !== 'no-route')
  const expected = [...new Set(ours.map(at))]
  const right = reached.filter(({ outcome }) => outcome === 'authoritative')
  const lists = { expected, found: right.map(at) }
  if (reached.length === 0) {
    const words = `Our name servers cannot be reached from here. Expected an answer for ${domain} with authority. Check again in a few minutes.`
    return fact('authoritative', 'unknown', words, lists)
  }
  const wrong = reached.filter((each) => !right.includes(each))
  if (wrong.length === 0) {
    const words = `Our name servers answer for ${domain} with authority.`
    return fact('authoritative', 'right', words, lists)
  }
  const said = listed(wrong.map((each) => `${at(each)} ${each.words}`))
  const words = `${said}. Expected an answer for ${domain} with authority. Your registrar did not cause this. Check again in a few minutes. If the error remains, contact support.`
  return fact('authoritative', 'wrong', words, lists)
}

function noDsFact(found: WhatWasFound): DelegationFact {
  const all = delegating(found)
  const asked = all.filter(({ hasDs }) => hasDs !== undefined)
  const wrong = asked.filter(({ hasDs }) => hasDs)
  if (wrong.length > 0) {
    const who = capital(whoSays(found, wrong, all))
    const advice = wrong.length < asked.length ? WAIT : ''
    const words = `${who} has a DS record for ${found.domain}. Expected no DS record, because the zone is not signed: resolvers that validate DNSSEC refuse its answers. Switch off DNSSEC for the domain at your registrar. ${advice}`
    return fact('no-ds', 'wrong', words.trim(), {
      found: wrong.map(({ hostname }) => `DS at ${shownName(hostname)}`),
    })
  }
  if (asked.length === 0) {
    const words =
      all.length > 0
        ? `No server of ${shownZone(found.parentZone ?? '')} answered whether it has a DS record. Check again in a few minutes.`
        : `It is unknown whether there is a DS record, because no server delegates ${found.domain}. Delegate the domain first.`
    return fact('no-ds', 'unknown', words)
  }
  return fact(
    'no-ds',
    'right',
    `${capital(shownZone(found.parentZone ?? ''))} has no DS record for ${found.domain}.`,
  )
}

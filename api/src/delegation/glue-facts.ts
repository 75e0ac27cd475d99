/** The facts about glue: addresses that the parent zone has of name servers whose names are below the domain itself. */
import type { DelegationFact } from '@homing/openapi'
import {
  capital,
  delegating,
  fact,
  hostnames,
  WAIT,
  type WhatWasFound,
  whoSays,
} from './what-was-found.ts'
import { isAtOrBelow, listed } from './names.ts'
import type { ParentAnswer } from './parent-servers.ts'
import { canonicalAddress } from './read-cut.ts'
import type { ExpectedServer } from './types.ts'

type Family = 'ipv4' | 'ipv6'
const FAMILY_TEXT: Readonly<Record<Family, string>> = { ipv4: 'IPv4', ipv6: 'IPv6' }
const isOf = (family: Family) => (address: string) => address.includes(':') === (family === 'ipv6')

const AT_REGISTRAR =
  'at your registrar, where glue records are also called host records or child name servers'

/** The name servers that nobody can find without glue (RFC 9471 §2). */
const needing = ({ expected, domain }: WhatWasFound): ExpectedServer[] =>
  expected.filter(({ hostname }) => isAtOrBelow(hostname, domain))

const expectedAddresses = (family: Family, server: ExpectedServer): string[] => {
  const address = server[family]
  return address ? [canonicalAddress(address)] : []
}

const pairs = (hostname: string, addresses: readonly string[]) =>
  addresses.map((address) => `${hostname} ${address}`)

const allExpected = (servers: readonly ExpectedServer[], families: readonly Family[]) =>
  servers.flatMap((server) =>
    families.flatMap((family) => pairs(server.hostname, expectedAddresses(family, server))),
  )

const glueOf = (answer: ParentAnswer, hostname: string): readonly string[] =>
  answer.glue.get(hostname) ?? []

/** Glue of our name servers at a server, in one of the families. */
const foundAt =
  (servers: readonly ExpectedServer[], families: readonly Family[]) => (answer: ParentAnswer) =>
    hostnames(servers).flatMap((hostname) =>
      pairs(
        hostname,
        glueOf(answer, hostname).filter((each) => families.some((family) => isOf(family)(each))),
      ),
    )

const BOTH = ['ipv4', 'ipv6'] as const

export function glueFact(found: WhatWasFound): DelegationFact {
  const servers = needing(found)
  const all = delegating(found)
  if (servers.length === 0) return notNeeded('glue', found)
  const lists = {
    expected: allExpected(servers, BOTH),
    found: all.flatMap(foundAt(servers, BOTH)),
  }
  const wrong = all.filter((answer) =>
    answer.nameservers.some(
      (name) => hostnames(servers).includes(name) && glueOf(answer, name).length === 0,
    ),
  )
  if (wrong.length > 0) {
    const without = hostnames(servers).filter((name) =>
      wrong.some((each) => each.nameservers.includes(name) && glueOf(each, name).length === 0),
    )
    const advice = wrong.length < all.length ? WAIT : `Add them ${AT_REGISTRAR}.`
    const words = `${capital(whoSays(found, wrong, all))} has no glue records for ${listed(without)}. Expected ${listed(lists.expected)}. ${advice}`
    return fact('glue', 'wrong', words, lists)
  }
  if (!areNamedEverywhere(servers, all)) return namesFirst('glue', found, lists)
  return fact('glue', 'right', `There are glue records for ${listed(hostnames(servers))}.`, lists)
}

/**
 * Whether the glue of one family is complete and right.
 *
 * IPv6 glue that is merely missing leaves the delegation right: some registrars take IPv4 addresses only, resolvers find the
 * servers over IPv4, and our servers tell them the IPv6 addresses. Without IPv4 glue, many resolvers would find nothing.
 */
export function addressFact(found: WhatWasFound, family: Family): DelegationFact {
  const servers = needing(found)
  const all = delegating(found)
  if (servers.length === 0) return notNeeded(family, found)
  const lists = {
    expected: allExpected(servers, [family]),
    found: all.flatMap(foundAt(servers, [family])),
  }
  const wrong = all.filter((answer) => servers.some((server) => differs(answer, server, family)))
  if (wrong.length > 0) return wrongAddresses(found, family, { servers, wrong, all, lists })
  if (!areNamedEverywhere(servers, all)) return namesFirst(family, found, lists)
  if (all.some((answer) => servers.some(({ hostname }) => glueOf(answer, hostname).length === 0))) {
    const words = `The ${FAMILY_TEXT[family]} glue is not complete. Add the missing glue records first.`
    return fact(family, 'unknown', words, lists)
  }
  const words =
    lists.expected.length > 0
      ? `The ${FAMILY_TEXT[family]} glue is ${listed(lists.expected)}.`
      : `There is no ${FAMILY_TEXT[family]} glue, and none is expected.`
  return fact(family, 'right', words, lists)
}

/** Whether a server has glue of a name server, but not exactly the right addresses of the family. */
function differs(answer: ParentAnswer, server: ExpectedServer, family: Family): boolean {
  const glue = glueOf(answer, server.hostname)
  if (glue.length === 0) return false
  const found = glue.filter(isOf(family)).toSorted().join()
  return found !== expectedAddresses(family, server).join()
}

function wrongAddresses(
  found: WhatWasFound,
  family: Family,
  {
    servers,
    wrong,
    all,
    lists,
  }: {
    readonly servers: readonly ExpectedServer[]
    readonly wrong: readonly ParentAnswer[]
    readonly all: readonly ParentAnswer[]
    readonly lists: { readonly expected: readonly string[]; readonly found: readonly string[] }
  },
): DelegationFact {
  const bad = servers.filter((server) => wrong.some((each) => differs(each, server, family)))
  const isIncomplete = family === 'ipv6' && wrong.every((each) => lacksOnly(each, bad, family))
  const shown = [...new Set(wrong.flatMap(foundAt(bad, [family])))]
  const expected = allExpected(bad, [family])
  const text = FAMILY_TEXT[family]
  const has =
    shown.length > 0
      ? `has the ${text} glue ${listed(shown)}`
      : `has no ${text} glue for ${listed(hostnames(bad))}`
  const remedy = expected.length === 0 ? 'Remove it' : isIncomplete ? 'Add it' : 'Correct it'
  const advice = wrong.length < all.length ? WAIT : `${remedy} ${AT_REGISTRAR}.`
  const should = expected.length > 0 ? listed(expected) : `no ${text} glue`
  const words = `${capital(whoSays(found, wrong, all))} ${has}. Expected ${should}. ${isIncomplete ? `${MEANWHILE} ` : ''}${advice}`
  return fact(family, isIncomplete ? 'incomplete' : 'wrong', words, lists)
}

const MEANWHILE = 'Resolvers use IPv4 meanwhile, so the name servers work.'

/** Whether each of the servers that differ has no address of the family at all, where one is expected. */
const lacksOnly = (answer: ParentAnswer, servers: readonly ExpectedServer[], family: Family) =>
  servers
    .filter((server) => differs(answer, server, family))
    .every((server) => !glueOf(answer, server.hostname).some(isOf(family)))

const areNamedEverywhere = (servers: readonly ExpectedServer[], all: readonly ParentAnswer[]) =>
  all.length > 0 &&
  all.every(({ nameservers }) => hostnames(servers).every((name) => nameservers.includes(name)))

type GlueFactName = 'glue' | Family

const namesFirst = (
  name: GlueFactName,
  { domain }: WhatWasFound,
  lists: { readonly expected: readonly string[]; readonly found: readonly string[] },
): DelegationFact =>
  fact(
    name,
    'unknown',
    `The glue is unknown, because ${domain} is not delegated to all expected name servers. Set the name servers first.`,
    lists,
  )

const notNeeded = (name: GlueFactName, { domain }: WhatWasFound): DelegationFact =>
  fact(name, 'right', `Glue records are not needed: no name server is below ${domain}.`)

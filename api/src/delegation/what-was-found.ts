/** What the facts about a delegation are made from, and how they are worded. */
import type { DelegationFact } from '@homing/openapi'
import { listed, shownName, shownZone } from './names.ts'
import type { OurAnswer } from './our-servers.ts'
import type { ParentAnswer } from './parent-servers.ts'
import type { ExpectedServer } from './types.ts'

export interface WhatWasFound {
  readonly domain: string
  /** Undefined: the walk ended above it. */
  readonly parentZone: string | undefined
  /** Why the walk ended, a sentence; when `parentZone` is undefined. */
  readonly ending?: string | undefined
  readonly expected: readonly ExpectedServer[]
  /** Further name servers that the parent zone may name. */
  readonly ownershipNames: readonly string[]
  readonly parents: readonly ParentAnswer[]
  readonly ours: readonly OurAnswer[]
}

/** Lists in facts are stored and shown: hostile servers must not make them long. */
const FOUND_LIMIT = 40

export const WAIT =
  'If you have just changed this, wait until all servers of the registry have the change.'

export const fact = (
  name: DelegationFact['fact'],
  state: DelegationFact['state'],
  message: string,
  { expected = [], found = [] }: { expected?: readonly string[]; found?: readonly string[] } = {},
): DelegationFact => ({
  fact: name,
  state,
  message,
  expected: [...expected],
  found: [...new Set(found)].slice(0, FOUND_LIMIT),
})

export const hostnames = (servers: readonly ExpectedServer[]): string[] =>
  servers.map(({ hostname }) => hostname)

/** The servers that delegate the domain. */
export const delegating = ({ parents }: WhatWasFound): ParentAnswer[] =>
  parents.filter(({ outcome }) => outcome === 'delegates')

/** `the zone` when all servers say the same, else those that differ: `net (at ns1.nic.net)`. */
export function whoSays(
  { parentZone = '' }: WhatWasFound,
  wrong: readonly ParentAnswer[],
  all: readonly ParentAnswer[],
): string {
  const zone = shownZone(parentZone)
  if (wrong.length === all.length) return zone
  const servers = wrong.map(({ hostname, address }) => `${shownName(hostname)} ${address}`.trim())
  return `${zone}, at ${listed(servers)},`
}

/** Begins a sentence. Names of zones stay as they are. */
export const capital = (sentence: string): string => sentence.replace(/^the root/, 'The root')

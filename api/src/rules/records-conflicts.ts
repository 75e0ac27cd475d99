/**
 * What can stand beside what: domains with their wildcards, the records of the service, and the records of users.
 *
 * The rules look at the state after a change, so that the order of the operations of a batch does not matter.
 */
import { nameServersOf } from './records-values.ts'

/** What stands at an owner name. */
export interface StandingSet {
  readonly type: string
  readonly values: readonly string[]
  /** False: the service made it, and its owner cannot change it. */
  readonly isUsers: boolean
}

export interface RecordPlace {
  /** The domain or zone at and below which the records lie, in stored form. */
  readonly fqdn: string
  readonly kind: 'domain' | 'zone'
}

const parentOf = (name: string) => name.slice(name.indexOf('.') + 1)

/** Owner names are ASCII. */
const reversed = (name: string) => Buffer.from(name, 'latin1').reverse().toString('latin1')

/**
 * Names, of which those below another name are wanted. Reversed and sorted, they are neighbours: '.' and '/' are
 * neighbours in ASCII. A map from each name to those below it would have an entry for each label.
 */
class NamesBelow {
  readonly #names = new Set<string>()
  #sorted: { readonly name: string; readonly key: string }[] | undefined

  add(name: string): void {
    this.#names.add(name)
    this.#sorted = undefined
  }

  /** The order of the others stays: sorting 10,000 names again for each one that goes would block the process for half a minute. */
  delete(name: string): void {
    this.#names.delete(name)
  }

  has(name: string): boolean {
    return this.#names.has(name)
  }

  *below(name: string): Generator<string> {
    this.#sorted ??= Array.from(this.#names, (each) => ({ name: each, key: reversed(each) })).sort(
      (a, b) => (a.key < b.key ? -1 : 1),
    )
    const first = `${reversed(name)}.`
    let [low, high] = [0, this.#sorted.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#sorted[middle]?.key ?? '') < first) low = middle + 1
      else high = middle
    }
    for (let at = low; this.#sorted[at]?.key.startsWith(first) === true; at += 1) {
      const below = this.#sorted[at]?.name ?? ''
      if (this.#names.has(below)) yield below
    }
  }
}

/** The domains and records at and below a place. Names are found by the names above them. */
export class Standing {
  readonly place: RecordPlace
  readonly #sets = new Map<string, Map<string, StandingSet>>()
  readonly #domains = new NamesBelow()
  readonly #owners = new NamesBelow()

  constructor(place: RecordPlace, domains: Iterable<string>) {
    this.place = place
    for (const fqdn of domains) this.#domains.add(fqdn)
  }

  /** The names above an owner name, nearest first, up to and including the place. */
  namesAbove(owner: string): string[] {
    const names: string[] = []
    for (let name = owner; name.length > this.place.fqdn.length;) {
      name = parentOf(name)
      names.push(name)
    }
    return names
  }

  put(owner: string, set: StandingSet): void {
    const sets = this.#sets.get(owner)
    if (sets !== undefined) {
      sets.set(set.type, set)
      return
    }
    this.#sets.set(owner, new Map([[set.type, set]]))
    this.#owners.add(owner)
  }

  remove(owner: string, type: string): void {
    const sets = this.#sets.get(owner)
    sets?.delete(type)
    if (sets?.size !== 0) return
    this.#sets.delete(owner)
    this.#owners.delete(owner)
  }

  find(owner: string, type: string): StandingSet | undefined {
    return this.#sets.get(owner)?.get(type)
  }

  at(owner: string): StandingSet[] {
    return [...(this.#sets.get(owner)?.values() ?? [])]
  }

  hasDomain(fqdn: string): boolean {
    return this.#domains.has(fqdn)
  }

  ownersBelow(owner: string): Iterable<string> {
    return this.#owners.below(owner)
  }

  domainsBelow(owner: string): Iterable<string> {
    return this.#domains.below(owner)
  }

  /** The domain at or above an owner name, without wildcards. */
  domainOf(owner: string): string | undefined {
    return [owner, ...this.namesAbove(owner)].find(
      (name) => !name.startsWith('*.') && this.#domains.has(name),
    )
  }

  /** The delegation above an owner name, which answers for it. */
  delegationAbove(owner: string): string | undefined {
    return this.namesAbove(owner).find((name) => this.isDelegation(name))
  }

  isDelegation(name: string): boolean {
    return name !== this.place.fqdn && this.find(name, 'NS')?.isUsers === true
  }

  /** Whether an owner name is a name server of the delegation above it, whose address the parent zone gives (glue). */
  isGlueName(owner: string): boolean {
    const delegation = this.delegationAbove(owner)
    if (delegation === undefined) return false
    return nameServersOf(this.find(delegation, 'NS')?.values ?? []).includes(owner)
  }
}

/** An RRset that is to stand. */
export interface WantedSet {
  readonly owner: string
  readonly type: string
}

/** Why an RRset cannot stand, and the field that says so. */
export interface RecordConflict {
  readonly field: 'owner' | 'type'
  readonly message: string
}

type Rule = (wanted: WantedSet, standing: Standing) => RecordConflict | undefined

const byOwner = (message: string): RecordConflict => ({ field: 'owner', message })
const byType = (message: string): RecordConflict => ({ field: 'type', message })

const isAddress = (type: string) => type === 'A' || type === 'AAAA'
const takesOver = (type: string) => type === 'CNAME' || type === 'NS'

function ofTheService({ owner, type }: WantedSet, standing: Standing) {
  const system = standing.at(owner).filter((set) => !set.isUsers)
  if (system.some((set) => set.type === type)) {
    return byType(`The service makes the ${type} records of ${owner}. They cannot be changed.`)
  }
  return undefined
}

function addressesOfDomains({ owner, type }: WantedSet, standing: Standing) {
  if (!isAddress(type) || standing.delegationAbove(owner) !== undefined) return undefined
  return byType(
    standing.hasDomain(owner)
      ? `${type} records are the addresses of domains. Set the address of the domain ${owner} instead.`
      : `${type} records are the addresses of domains. Register ${owner} as a domain and set its address.`,
  )
}

function atThePlace({ owner, type }: WantedSet, { place }: Standing) {
  if (owner !== place.fqdn || !takesOver(type)) return undefined
  return byOwner(
    place.kind === 'zone'
      ? `${owner} is the zone apex, which has SOA and NS records. Create ${type} records below it.`
      : `${owner} is a domain. Create ${type} records below it.`,
  )
}

function onDomains({ owner, type }: WantedSet, standing: Standing) {
  if (!takesOver(type)) return undefined
  if (standing.hasDomain(owner)) {
    const what = owner.startsWith('*.') ? 'wildcard' : 'domain'
    return byOwner(`${owner} is a ${what}. A ${type} record cannot stand where a ${what} stands.`)
  }
  const [below] = standing.domainsBelow(owner)
  if (below === undefined) return undefined
  return byOwner(`${owner} is above the domain ${below}, so it cannot have ${type} records.`)
}

function besideAlias({ owner, type }: WantedSet, standing: Standing) {
  const others = standing.at(owner).filter((set) => set.type !== type)
  if (type === 'CNAME' && others.length > 0) {
    const types = others.map((set) => set.type).join(', ')
    return byType(
      `${owner} has ${types} records, so it cannot have a CNAME record (RFC 1034 §3.6.2).`,
    )
  }
  if (others.every((set) => set.type !== 'CNAME')) return undefined
  return byType(`${owner} has a CNAME record, so it cannot have other records (RFC 1034 §3.6.2).`)
}

function besideDelegation({ owner, type }: WantedSet, standing: Standing) {
  const others = standing.at(owner).filter((set) => set.type !== type)
  if (type === 'NS' && others.length > 0) {
    const types = others.map((set) => set.type).join(', ')
    return byType(`${owner} has ${types} records, which NS records would hide. Delete them first.`)
  }
  if (type === 'NS' || !standing.isDelegation(owner)) return undefined
  return byOwner(
    `${owner} is delegated to other name servers by its NS records, so they answer for its ${type} records.`,
  )
}

function belowDelegation({ owner, type }: WantedSet, standing: Standing) {
  const delegation = standing.delegationAbove(owner)
  if (delegation === undefined) return undefined
  if (isAddress(type) && standing.isGlueName(owner)) return undefined
  return byOwner(
    `${owner} is below ${delegation}, which is delegated to other name servers by its NS records. Only the addresses of these name servers are possible below it.`,
  )
}

/** NS records hide what stands below them, except for the addresses of their name servers. */
function aboveRecords({ owner, type }: WantedSet, standing: Standing) {
  if (type !== 'NS') return undefined
  for (const below of standing.ownersBelow(owner)) {
    const hidden = standing
      .at(below)
      .find((set) => !isAddress(set.type) || !standing.isGlueName(below))
    if (hidden === undefined) continue
    return byOwner(
      `The NS records of ${owner} would hide the ${hidden.type} records of ${below}. Delete those first.`,
    )
  }
  return undefined
}

function pointers({ type }: WantedSet, { place }: Standing) {
  if (type !== 'PTR' || place.kind === 'zone') return undefined
  return byType('PTR records are possible only in your own zones.')
}

function wildcards({ owner, type }: WantedSet, standing: Standing) {
  if (!owner.startsWith('*.')) return undefined
  // RFC 4592 §4.2 leaves open what they would mean.
  if (type === 'NS') return byOwner('A wildcard cannot have NS records.')
  const domain = standing.domainOf(owner)
  if (domain === undefined || standing.hasDomain(`*.${domain}`)) return undefined
  return byOwner(`${domain} has no wildcard. Create its wildcard before records with a star.`)
}

/** The more specific reason first. */
const RULES: readonly Rule[] = [
  ofTheService,
  pointers,
  wildcards,
  atThePlace,
  onDomains,
  belowDelegation,
  addressesOfDomains,
  besideAlias,
  besideDelegation,
  aboveRecords,
]

/** Why an RRset cannot stand where it stands in `standing`; undefined: it can. */
export function conflictOf(wanted: WantedSet, standing: Standing): RecordConflict | undefined {
  for (const rule of RULES) {
    const conflict = rule(wanted, standing)
    if (conflict !== undefined) return conflict
  }
  return undefined
}

/**
 * Why NS records cannot end or lose a name server: the addresses of their name servers would be left alone.
 *
 * @param standing the state afterwards
 */
export function orphansOf(owner: string, standing: Standing): RecordConflict | undefined {
  for (const below of standing.ownersBelow(owner)) {
    const orphan = standing
      .at(below)
      .find(({ type, isUsers }) => isUsers && isAddress(type) && !standing.isGlueName(below))
    if (orphan === undefined) continue
    return byOwner(
      `The ${orphan.type} record of ${below} is the address of a name server of ${owner}. Delete it first.`,
    )
  }
  return undefined
}

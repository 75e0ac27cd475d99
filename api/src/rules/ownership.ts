/**
 * Which proof of ownership counts, and when.
 *
 * The delegation itself is a proof for one claimant: who can change the name servers at the registrar after the claim
 * owns the domain. It says nothing if several accounts claim the domain, because the delegation names none of them, or
 * if the domain was delegated to us before the claim, because somebody else did that. Then the claimant must publish a
 * token that only this claim has: as a TXT record while the domain is hosted elsewhere, or at the parent zone as a third
 * name server.
 *
 * Such a proof counts against every other claim, also against the account that proved the domain before: domains change
 * hands.
 */
import type { OwnershipProof } from '@homing/openapi/vocabulary'

/** The label below a domain at which the TXT record for the proof of ownership is. */
export const OWNERSHIP_LABEL = '_homing-verify'
/** The label in the provider's first zone, below which each token is a host name. */
export const VERIFY_LABEL = 'verify'

/** What is known about a claim when it is examined. */
export interface Claimant {
  readonly name: string
  readonly token: string
  /** Whether the domain was delegated to us before the claim. Null: no check could examine it. */
  readonly wasDelegated: boolean | null
  /** Live claims of the domain, of all accounts, with this one. */
  readonly liveClaims: number
  /** The provider's first zone. */
  readonly firstZone: string
}

/** What a check found. */
export interface Evidence {
  /** Whether the parent zone delegates the domain to the expected name servers, and everything is right. */
  readonly isDelegationRight: boolean
  /** The texts of the TXT record at the name servers that the domain has now. Undefined: they are ours, or were not asked. */
  readonly txt: readonly string[] | undefined
  /** The name servers at the parent zone. */
  readonly parentNs: readonly string[]
}

/** One way to prove the ownership: a record, and where to create it. */
export interface ProofTask {
  readonly method: OwnershipProof
  readonly name: string
  readonly type: 'TXT' | 'NS'
  readonly values: string[]
  readonly description: string
}

type Named = Pick<Claimant, 'name' | 'token' | 'firstZone'>

/** The owner name of the TXT record. */
const txtNameOf = (name: string): string => `${OWNERSHIP_LABEL}.${name}`

/** The third name server of a claim. */
export const verifyHostOf = ({ token, firstZone }: Pick<Named, 'token' | 'firstZone'>): string =>
  `${token}.${VERIFY_LABEL}.${firstZone}`

const plain = (name: string) => name.toLowerCase().replace(/\.$/, '')

/** Whether another account claims the domain, or it was delegated before the claim: then the delegation proves nothing. */
export const isContested = ({ wasDelegated, liveClaims }: Claimant): boolean =>
  liveClaims > 1 || wasDelegated === true

/** The proof that a check found; undefined when it found none. */
export function proofIn(claimant: Claimant, found: Evidence): OwnershipProof | undefined {
  if (found.parentNs.map(plain).includes(plain(verifyHostOf(claimant)))) return 'ns'
  if (found.txt?.some((text) => text.trim() === claimant.token) === true) return 'txt'
  // Not yet examined is not enough: the delegation must have become right after the claim.
  const isAlone = claimant.liveClaims === 1 && claimant.wasDelegated === false
  return isAlone && found.isDelegationRight ? 'delegation' : undefined
}

/** The owner's own change at the registrar. */
const byDelegation = (name: string, servers: readonly string[]): ProofTask => ({
  method: 'delegation',
  name,
  type: 'NS',
  values: servers.map((server) => `${server}.`),
  description: servers.some((server) => server.endsWith(`.${name}`))
    ? `Set these name servers and their addresses (glue records) for ${name} at your registrar.`
    : `Set these name servers for ${name} at your registrar.`,
})

const byTxt = ({ name, token }: Claimant, description: string): ProofTask => ({
  method: 'txt',
  name: txtNameOf(name),
  type: 'TXT',
  values: [token],
  description,
})

/**
 * The proofs that count now. The TXT record always does while the domain is hosted elsewhere: with it, the owner of a domain
 * in use can fill the zone before the change of the name servers.
 *
 * @param servers the host names of the zone's name servers
 */
export function ownershipTasks(claimant: Claimant, servers: readonly string[]): ProofTask[] {
  const { name } = claimant
  if (!isContested(claimant)) {
    const description = `If ${name} is in use: create this TXT record where it is hosted now, so that you can fill the zone before you change the name servers.`
    return [byDelegation(name, servers), byTxt(claimant, description)]
  }
  const description = `Create this TXT record where ${name} is hosted now, before you change its name servers.`
  return [
    byTxt(claimant, description),
    {
      method: 'ns',
      name,
      type: 'NS',
      values: [`${verifyHostOf(claimant)}.`],
      description: `Add this name server for ${name} at your registrar, beside ${servers.join(' and ')}. Remove it when the zone is active.`,
    },
  ]
}

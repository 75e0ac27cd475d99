/** Where records stand: at and below a domain, or in an own zone. */
import type { components } from '@homing/openapi/client'
import type { ApiClient } from './client.ts'
import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { bodyOf, listOf } from './api.ts'
import { canonicalName } from './canonical-name.ts'
import { EXIT } from './exit-codes.ts'
import { CommandFailure, usage } from './failure.ts'
import { wholeName } from './names.ts'
import { printable } from './text.ts'

type OwnZone = components['schemas']['OwnZone']

export interface Place {
  readonly kind: 'domain' | 'zone'
  /** The id of the domain, or of the own zone. */
  readonly id: string
  /** Its full name, without a final dot. */
  readonly name: string
  /** The caller is a key that reaches records below the domain, but neither its address nor its history. */
  readonly recordsOnly?: true
}

export const placeArgument = Args.string({
  description: 'your domain, in full or its first label, or your own zone',
  required: true,
})

export const placeFlags = {
  domain: Flags.boolean({
    description: 'use the domain if an own zone has the same name',
    exclusive: ['zone'],
  }),
  zone: Flags.boolean({ description: 'use the own zone if a domain has the same name' }),
}

interface PlaceFlags {
  readonly domain?: boolean
  readonly zone?: boolean
}

/** The newest claim of this zone; one that ended only if there is no other. */
export function claimOf(zones: readonly OwnZone[], typed: string): OwnZone | undefined {
  const name = canonicalName(typed)
  const claims = zones.filter(({ zone }) => zone === name)
  const isEnded = ({ state }: OwnZone) => state === 'lost' || state === 'expired'
  return claims.find((claim) => !isEnded(claim)) ?? claims.at(-1)
}

/** Why a claim has no records yet, or no more; undefined: it has. */
function reasonAgainst({ zone, state }: OwnZone): string | undefined {
  if (state === 'active' || state === 'withheld') return undefined
  if (state === 'pending') return `Prove that you own ${zone} first: homing zones verify ${zone}`
  return `Your claim of ${zone} has ended. Claim it again: homing zones add ${zone}`
}

/** A place, or the reason why the own zone has no records. */
async function zonePlace(api: ApiClient, name: string): Promise<Place | string | undefined> {
  const claim = claimOf(listOf(await api.GET('/api/zones'), 'id', 'zone', 'state'), name)
  if (claim === undefined) return undefined
  return reasonAgainst(claim) ?? { kind: 'zone', id: claim.id, name: claim.zone }
}

async function domainPlace(api: ApiClient, fqdn: string): Promise<Place | undefined> {
  const answer = await api.GET('/api/domains/fqdn/{fqdn}', { params: { path: { fqdn } } })
  if (answer.error?.code === 'not-found') return undefined
  const { id, fqdn: name } = bodyOf(answer, 'id', 'fqdn')
  return { kind: 'domain', id, name }
}

/** A domain that the caller's key does not reach, with owner names that it does reach. */
async function recordsOnlyPlace(api: ApiClient, fqdn: string): Promise<Place | undefined> {
  const answer = await api.GET('/api/records/domains/{fqdn}', { params: { path: { fqdn } } })
  if (answer.error?.code === 'not-found') return undefined
  const { id, fqdn: name } = bodyOf(answer, 'id', 'fqdn')
  return { kind: 'domain', id, name, recordsOnly: true }
}

/**
 * The domain or own zone of the caller with this name.
 *
 * @throws CommandFailure if neither exists, or if both exist and no flag says which
 */
export async function findPlace(api: ApiClient, typed: string, flags: PlaceFlags): Promise<Place> {
  const name = await wholeName(api, typed)
  const [domain, zone] = await Promise.all([
    flags.zone === true ? undefined : domainPlace(api, name),
    flags.domain === true ? undefined : zonePlace(api, name),
  ])
  if (domain !== undefined && typeof zone === 'object') {
    throw usage(`${name} is a domain and an own zone. Give --domain or --zone.`)
  }
  const withRecords = async () => (flags.zone === true ? undefined : recordsOnlyPlace(api, name))
  const found = domain ?? zone ?? (await withRecords())
  if (typeof found === 'object') return found
  if (found !== undefined) throw new CommandFailure(EXIT.refused, found)
  throw new CommandFailure(EXIT.notFound, nowhere(printable(name), flags))
}

function nowhere(name: string, flags: PlaceFlags): string {
  if (flags.zone === true) return `You have no own zone ${name}. List yours: homing zones list`
  const what = flags.domain === true ? 'no domain' : 'no domain and no own zone'
  return `You have ${what} ${name}. List your domains: homing domains`
}

/** The full owner name of what a user types: relative to the place, `@`, or the full name. */
export function fullOwner({ name }: Place, typed: string): string {
  const owner = canonicalName(typed)
  if (owner === '@') return name
  return owner === name || owner.endsWith(`.${name}`) ? owner : `${owner}.${name}`
}

/** The owner as a zone file writes it below the place: `@`, or the labels before its name. */
export function relativeOwner({ name }: Place, owner: string): string {
  if (owner === name) return '@'
  return owner.endsWith(`.${name}`) ? owner.slice(0, -name.length - 1) : owner
}

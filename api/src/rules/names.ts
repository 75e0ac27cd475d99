/**
 * The names that users register: from the user's input to an owner name below a zone.
 *
 * The grammar of labels is in `@homing/dnsd/names`. This module adds the provider's rules: at most
 * three labels below the zone, reserved labels, no impersonation of another party, and neither the
 * zone's apex nor names in other zones.
 */
import { HOST_LABELS_LIMIT, NameError, parseHostName } from '@homing/dnsd/names'
import { Refusal } from './errors.ts'
import { LOOKALIKE_RULES, type LookalikeNames } from './lookalike-names.ts'
import { isReservedLabel } from './reserved-labels.ts'

/** A name that can be registered if it is free. */
export interface OwnerName {
  /** Lower case, A-labels, no final dot. */
  readonly fqdn: string
  /** The zone's origin in the same form. */
  readonly zone: string
  /** The label directly below the zone: `home` for `x.home.<zone>`. Empty for the apex of an own zone. */
  readonly labelBelowZone: string
  /** Whether the zone is a user's own, in which only its owner registers names. */
  readonly isInOwnZone: boolean
}

function notAllowed(field: string, message: string): Refusal {
  return new Refusal('name-not-allowed', message, { faults: [{ field, message }] })
}

/**
 * Parses a host name and returns it in stored form.
 *
 * @param field the caller's name for the input, for the message
 * @throws Refusal `name-not-allowed`, whose message says what is wrong and what was expected
 */
export function parseName(text: string, field: string): string {
  try {
    return parseHostName(text)
  } catch (error) {
    if (error instanceof NameError) throw notAllowed(field, error.message)
    throw error
  }
}

/**
 * The name of a requested domain: as `parseName`, or a wildcard's `*.<name>`. Undefined when the
 * text cannot be the name of a domain.
 */
export function domainNameAsked(text: string): string | undefined {
  const isWildcard = text.startsWith('*.')
  try {
    return isWildcard ? wildcardOf(parseHostName(text.slice(2))) : parseHostName(text)
  } catch (error) {
    if (error instanceof NameError) return undefined
    throw error
  }
}

/** The owner name of a base's wildcard (RFC 4592 §2.1.1). */
export const wildcardOf = (fqdn: string): string => `*.${fqdn}`

/**
 * Every name at or above `fqdn`, longest first: one of them is its zone.
 * `a.b.c` → `a.b.c`, `b.c`, `c`.
 */
export function namesAtOrAbove(fqdn: string): string[] {
  const labels = fqdn.split('.')
  return labels.map((_, at) => labels.slice(at).join('.'))
}

/** The longest of `zones` that contains a name or equals it: the zone that answers for the name. */
export function zoneHolding(fqdn: string, zones: ReadonlySet<string>): string | undefined {
  return namesAtOrAbove(fqdn).find((name) => zones.has(name))
}

/**
 * Names strictly between a name and its zone; the one nearest to the zone is last. `a.b.c.<zone>` → `b.c.<zone>`,
 * `c.<zone>`.
 */
export function namesBetween({ fqdn, zone }: OwnerName): string[] {
  return namesAtOrAbove(fqdn)
    .slice(1)
    .filter((name) => name.length > zone.length)
}

/** The label directly below the zone: `home` for `x.home.<zone>`. */
export function labelBelowZone(fqdn: string, zone: string): string {
  return (
    fqdn
      .slice(0, -zone.length - 1)
      .split('.')
      .at(-1) ?? ''
  )
}

/** For a name that is known to be in a zone. */
export const ownerNameOf = (fqdn: string, zone: string, isInOwnZone = false): OwnerName => ({
  fqdn,
  zone,
  labelBelowZone: labelBelowZone(fqdn, zone),
  isInOwnZone,
})

function requirePlaceInZone(name: string, zone: string, isInOwnZone: boolean): void {
  if (isInOwnZone && name === zone) return
  if (name === zone) {
    throw notAllowed(
      'fqdn',
      `${zone} is the zone itself. Add a label before it, such as home.${zone}.`,
    )
  }
  if (!name.endsWith(`.${zone}`)) {
    throw notAllowed('fqdn', `${name} is not in the zone ${zone}. It must end in .${zone}.`)
  }
  const labels = name.slice(0, -zone.length - 1).split('.')
  if (!isInOwnZone && labels.length > HOST_LABELS_LIMIT) {
    throw notAllowed(
      'fqdn',
      `${name} has ${labels.length} labels before ${zone}. Expected at most ${HOST_LABELS_LIMIT}.`,
    )
  }
}

/**
 * Parses a requested name below a zone. A single label without a final dot means the label directly
 * below the zone; anything longer is the whole name.
 *
 * @param zone in stored form
 * @param isInOwnZone in a user's own zone, the apex and any number of labels are allowed
 * @throws Refusal `name-not-allowed` for a malformed name, the apex, a name in another zone and
 * more than three labels
 */
export function parseOwnerName(text: string, zone: string, isInOwnZone = false): OwnerName {
  const typed = parseName(text.trim(), 'fqdn')
  const isLabel = !typed.includes('.') && !/[.\u3002\uFF0E\uFF61]/.test(text)
  const fqdn = isLabel ? parseName(`${typed}.${zone}`, 'fqdn') : typed
  requirePlaceInZone(fqdn, zone, isInOwnZone)
  return ownerNameOf(fqdn, zone, isInOwnZone)
}

/** Why a well-formed name cannot be registered. Refusals are counted by rule. */
export const NAME_RULES = ['reserved', ...LOOKALIKE_RULES] as const
export type NameRule = (typeof NAME_RULES)[number]

/** Labels below an own zone that stay free for its vanity name servers. */
const NAME_SERVER_LABELS: ReadonlySet<string> = new Set(['ns1', 'ns2'])

/**
 * The rule that forbids the registration of a name; undefined when it is allowed. In an own zone, its owner decides about
 * the names, except those of its name servers.
 *
 * @param lookalikes undefined for callers who are exempt from protected words
 */
export function ruleAgainst(
  { fqdn, zone, labelBelowZone: label, isInOwnZone }: OwnerName,
  lookalikes: LookalikeNames | undefined,
): NameRule | undefined {
  if (isInOwnZone) return NAME_SERVER_LABELS.has(label) ? 'reserved' : undefined
  if (isReservedLabel(label)) return 'reserved'
  return lookalikes?.ruleBroken(fqdn.slice(0, -zone.length - 1))
}

/**
 * One message for all of these rules, so that a client that tries names cannot learn which rule to
 * evade.
 */
export const nameKept = (field: string, fqdn: string): Refusal =>
  notAllowed(field, `${fqdn} is reserved. Choose another name.`)

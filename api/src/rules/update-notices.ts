/** The notices about update clients: refused calls, calls that stopped, and the first steps of a new account. */
import type { NoticeSeverity } from '@homing/openapi/vocabulary'
import { named, plural } from './notice-words.ts'

/** Domains: how many, the names of some, the id of the first, and the time of the latest occurrence. */
export interface UpdatedGroup {
  readonly count: number
  readonly names: readonly string[] | null
  readonly id: string | null
  readonly at: string | null
}

export interface FirstSteps {
  readonly hasDomain: boolean
  /** Whether an update call was accepted. */
  readonly hasUpdate: boolean
  /** Whether a domain ever had an address. */
  readonly hasAddress: boolean
  /** The oldest domain. */
  readonly id: string | null
}

export interface NoticeStep {
  readonly label: string
  readonly is_done: boolean
}

interface UpdateNotice {
  readonly severity: NoticeSeverity
  readonly title: string
  readonly text: string
  readonly action: { readonly label: string; readonly url: string }
  readonly at: string | Date | null
  readonly steps?: readonly NoticeStep[]
}

const howTo = (id: string | null) => ({
  label: 'How to Update',
  url: `/#dashboard?dialog=how-to&id=${id}`,
})

const BY_LAST_UPDATE = { label: 'View Domains', url: '/#dashboard?sort=last_update_at' }

const actionFor = ({ count, id }: UpdatedGroup) => (count === 1 ? howTo(id) : BY_LAST_UPDATE)

/** The newest call for these domains was refused within the last day, and nothing was accepted since. */
export function refusedUpdates(group: UpdatedGroup): UpdateNotice | undefined {
  const { count, names, at } = group
  if (count === 0) return undefined
  return {
    severity: 'warning',
    title: `An update of ${named(names, count, 'domain')} was refused`,
    text: 'A device sent a wrong password (badauth). If it is yours, enter the update token of the domain as its password.',
    action: actionFor(group),
    at,
  }
}

/** These domains had no update for several times their usual gap. */
export function lateUpdates(group: UpdatedGroup): UpdateNotice | undefined {
  const { count, names, at } = group
  if (count === 0) return undefined
  return {
    severity: 'warning',
    title: `${named(names, count, 'domain')} ${plural(count, 'was', 'were')} not updated as usual`,
    text: `${plural(count, 'The domain has', 'The domains have')} not been updated for more than five times the usual interval. DNS still answers with the last address. Check the router or the program that sends the updates.`,
    action: actionFor(group),
    at,
  }
}

/** Calls for these domains reported both addresses before, and now only one. */
export function oneFamilyUpdates(group: UpdatedGroup): UpdateNotice | undefined {
  const { count, names, at } = group
  if (count === 0) return undefined
  return {
    severity: 'warning',
    title: `Only one address of ${named(names, count, 'domain')} is updated`,
    text: 'For 3 days, update calls have contained only one address, IPv4 or IPv6. DNS still answers with both. Let the device send both, or remove the address that is out of date.',
    action: actionFor(group),
    at,
  }
}

/** @param steps null for accounts that know the way */
export function firstSteps(steps: FirstSteps | null, createdAt: Date): UpdateNotice | undefined {
  if (steps === null) return undefined
  const { hasDomain, hasUpdate, hasAddress, id } = steps
  if (hasDomain && hasUpdate && hasAddress) return undefined
  return {
    severity: 'info',
    title: 'First steps',
    text: hasDomain
      ? 'Your router reports its address, so that the domain follows it.'
      : 'A domain is a name for your network.',
    action: hasDomain ? howTo(id) : { label: 'Add Domain', url: '/#dashboard?dialog=add' },
    at: createdAt,
    steps: [
      { label: 'Add a domain', is_done: hasDomain },
      { label: 'Set up your router or program', is_done: hasUpdate },
      { label: 'DNS answers with your address', is_done: hasAddress },
    ],
  }
}

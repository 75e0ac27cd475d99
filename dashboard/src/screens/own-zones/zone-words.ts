/** The states of own zones, and what a check of a delegation found, in words. */
import { lengthText } from '@homing/theme/formats'
import type { IconName } from '@homing/theme/parts/Icon.tsx'
import type { DelegationFact, OwnZone, ParentServerAnswer } from '../../api/own-zones.ts'

interface Look {
  readonly word: string
  readonly icon: IconName
  readonly tone: 'good' | 'bad' | 'warn' | 'plain'
}

const STATES: Readonly<Record<OwnZone['state'], Look>> = {
  pending: { word: 'Pending', icon: 'wait', tone: 'plain' },
  active: { word: 'Active', icon: 'success', tone: 'good' },
  withheld: { word: 'Withheld', icon: 'pause', tone: 'bad' },
  lost: { word: 'Lost', icon: 'failure', tone: 'bad' },
  expired: { word: 'Expired', icon: 'failure', tone: 'plain' },
}

/** Whether the delegation of an active zone broke. */
export const isBroken = ({ state, last_check }: OwnZone): boolean =>
  state === 'active' && last_check?.is_right === false

/** Whether an active zone will be withheld, because the plan does not include it any more. */
export const isEnding = ({ state, withheld_at }: OwnZone): boolean =>
  state === 'active' && withheld_at !== null

export function lookOf(zone: OwnZone): Look {
  if (isBroken(zone)) return { word: 'Active, check failed', icon: 'warning', tone: 'warn' }
  if (isEnding(zone)) return { word: 'Active, ending', icon: 'warning', tone: 'warn' }
  return STATES[zone.state]
}

/** The claim is over: it has no zone, no records and no domains. */
export const isOver = ({ state }: OwnZone): boolean => state === 'lost' || state === 'expired'

/** Whether the service checks the zone, by itself and on request. */
export const isChecked = ({ state }: OwnZone): boolean => state === 'pending' || state === 'active'

export const FACT_TITLES: Readonly<Record<DelegationFact['fact'], string>> = {
  delegated: 'Delegation',
  names: 'Name servers',
  glue: 'Glue records',
  ipv4: 'IPv4 addresses',
  ipv6: 'IPv6 addresses',
  authoritative: 'Authoritative answers',
  'no-ds': 'No DS record',
}

export const FACT_LOOKS: Readonly<Record<DelegationFact['state'], Look>> = {
  right: { word: 'Right', icon: 'success', tone: 'good' },
  incomplete: { word: 'Incomplete', icon: 'warning', tone: 'warn' },
  wrong: { word: 'Wrong', icon: 'failure', tone: 'bad' },
  unknown: { word: 'Not checked', icon: 'unknown', tone: 'plain' },
}

export const OUTCOME_LOOKS: Readonly<Record<ParentServerAnswer['outcome'], Look>> = {
  delegates: { word: 'Delegates', icon: 'success', tone: 'good' },
  'does-not-delegate': { word: 'Does not delegate', icon: 'failure', tone: 'bad' },
  lame: { word: 'Does not serve the zone', icon: 'warning', tone: 'warn' },
  'no-answer': { word: 'No answer', icon: 'warning', tone: 'warn' },
}

/** The name of the root zone is a dot, which is easy to overlook. */
export const zoneText = (zone: string): string => (zone === '.' ? 'the root zone' : zone)

/** When something is due: `in 10 min`, `in 2 days 3 h`; `now` if its time has come. */
export function dueText(time: string, nowMs: number): string {
  const minutes = Math.ceil((Date.parse(time) - nowMs) / 60_000)
  return minutes <= 0 ? 'now' : `in ${lengthText(minutes * 60)}`
}

/** Whether a host name is in the domain. A name server in the domain needs glue records. */
export const isInside = (hostname: string, zone: string): boolean =>
  hostname === zone || hostname.endsWith(`.${zone}`)

/** The facts that concern what the user sets at the registrar. */
const AT_REGISTRAR: readonly DelegationFact['fact'][] = [
  'delegated',
  'names',
  'glue',
  'ipv4',
  'ipv6',
]

/** Whether nothing about a fact is wrong or unknown. */
const isGoodEnough = ({ state }: DelegationFact): boolean =>
  state === 'right' || state === 'incomplete'

/** Whether the last check found the name servers and glue records of the registrar right. */
export function isRegistrarDone({ last_check }: OwnZone): boolean {
  const facts = last_check?.facts.filter(({ fact }) => AT_REGISTRAR.includes(fact)) ?? []
  return facts.length > 0 && facts.every(isGoodEnough)
}

/** The tasks that must be done where the name servers themselves do not prove the ownership. */
export const extraTasks = ({ tasks }: Pick<OwnZone, 'tasks'>) =>
  tasks.some(({ method }) => method === 'delegation') ? [] : tasks

/** The task with which the owner of a domain in use can fill the zone before the change of the name servers. */
export const earlyTask = ({ tasks }: Pick<OwnZone, 'tasks'>) =>
  extraTasks({ tasks }).length === 0 ? tasks.find(({ method }) => method === 'txt') : undefined

/** Which arguments and flags take a name of the account, a word of a closed list, or a file. */
import { PAID_PLANS, USER_RECORD_TYPES } from '@homing/openapi/vocabulary'
import { argumentLabel } from '../lib/argument-label.ts'
import { PAGE_WORDS } from '../lib/pages.ts'
import type { FlagFacts } from './line.ts'

/** Names that only the account or this machine knows. `zones` are those of the account's domains. */
export type LiveKind = 'domains' | 'ownZones' | 'zones' | 'profiles'

export interface ValueKind {
  readonly live?: readonly LiveKind[]
  readonly words?: readonly string[]
  readonly isFile?: boolean
}

/** Commands whose domain does not exist yet, or no more. */
const OTHER_DOMAIN = /^domains:(?:add|restore)$/

/** By command and argument. The keys are part of `command-snapshot.json` and stay. */
const BY_ARGUMENT: readonly (readonly [pattern: RegExp, kind: ValueKind])[] = [
  [/ file$/, { isFile: true }],
  [/^records(?::\w+)? name$/, { live: ['domains', 'ownZones'] }],
  [/^records:\w+ type$/, { words: USER_RECORD_TYPES }],
  [/^(?:resolve|update-calls|keys:test) name$/, { live: ['domains'] }],
  [/^zones:(?!add )\w+ zone$/, { live: ['ownZones'] }],
  [/^open thing$/, { words: PAGE_WORDS, live: ['domains'] }],
  [/^plan:change plan$/, { words: PAID_PLANS }],
]

/** What an argument takes. @param command its id */
export function argumentKind(command: string, key: string): ValueKind {
  const found = BY_ARGUMENT.find(([pattern]) => pattern.test(`${command} ${key}`))?.[1]
  if (found !== undefined) return found
  const isDomain = argumentLabel(command, key) === 'domain' && !OTHER_DOMAIN.test(command)
  return isDomain ? { live: ['domains'] } : {}
}

/** What a flag with a value takes. */
export function flagKind({ name, helpValue, options }: FlagFacts): ValueKind {
  if (options !== undefined) return { words: options }
  if (helpValue === 'FILE') return { isFile: true }
  if (helpValue === 'DOMAIN') return { live: ['domains'] }
  if (name === 'profile') return { live: ['profiles'] }
  return name === 'zone' ? { live: ['zones'] } : {}
}

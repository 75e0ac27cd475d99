/** The scope of a key, as the user enters it. */
import {
  KEY_ACTIONS,
  type KeyAction,
  RECORD_TYPES,
  SCOPE_RECORD_TYPES,
  type ScopeRecordType,
} from '@homing/openapi/vocabulary'
import type { KeyScope } from '../../../api/api-keys.ts'
import { ApiProblem } from '../../../api/problem.ts'

export interface ScopeDraft {
  /** One domain or pattern on each line; empty for all domains. */
  readonly domains: string
  readonly actions: readonly KeyAction[]
  readonly recordTypes: readonly ScopeRecordType[]
  /** One address or network on each line; empty for all. */
  readonly networks: string
}

export type PresetName = 'router' | 'ci' | 'read-only' | 'full'

interface Preset {
  readonly name: PresetName
  readonly title: string
  readonly text: string
  readonly actions: readonly KeyAction[]
  readonly recordTypes: readonly ScopeRecordType[]
}

export const PRESETS: readonly Preset[] = [
  {
    name: 'router',
    title: 'Router',
    text: 'Reports new addresses.',
    actions: ['update'],
    recordTypes: RECORD_TYPES,
  },
  {
    name: 'ci',
    title: 'CI',
    text: 'Reads and changes domains.',
    actions: ['read', 'update'],
    recordTypes: SCOPE_RECORD_TYPES,
  },
  {
    name: 'read-only',
    title: 'Read-only',
    text: 'Changes nothing.',
    actions: ['read'],
    recordTypes: SCOPE_RECORD_TYPES,
  },
  {
    name: 'full',
    title: 'Full',
    text: 'Also adds and deletes domains.',
    actions: KEY_ACTIONS,
    recordTypes: SCOPE_RECORD_TYPES,
  },
]

const isSame = (some: readonly string[], others: readonly string[]) =>
  some.length === others.length && some.every((one) => others.includes(one))

/** The preset with the actions of a draft; undefined for other combinations. */
export const presetOf = ({ actions }: ScopeDraft): PresetName | undefined =>
  PRESETS.find((preset) => isSame(preset.actions, actions))?.name

export const EMPTY_SCOPE: ScopeDraft = {
  domains: '',
  actions: ['read', 'update'],
  recordTypes: SCOPE_RECORD_TYPES,
  networks: '',
}

export const scopeDraftOf = (scope: KeyScope): ScopeDraft => ({
  domains: scope.domains?.join('\n') ?? '',
  actions: scope.actions ?? KEY_ACTIONS,
  recordTypes: scope.record_types ?? SCOPE_RECORD_TYPES,
  networks: scope.networks?.join('\n') ?? '',
})

/** The entries of a field that takes one on each line. Commas and spaces separate entries too. */
const entriesOf = (text: string): string[] => text.split(/[\s,;]+/).filter((entry) => entry !== '')

const orNull = <T>(items: T[]): T[] | null => (items.length === 0 ? null : items)

/** The scope for the service: null for a list that has everything. */
export function scopeOf({ domains, actions, recordTypes, networks }: ScopeDraft): KeyScope {
  const chosen = KEY_ACTIONS.filter((action) => actions.includes(action))
  const types = SCOPE_RECORD_TYPES.filter((type) => recordTypes.includes(type))
  return {
    domains: orNull(entriesOf(domains)),
    actions: chosen.length === KEY_ACTIONS.length ? null : chosen,
    record_types: types.length === SCOPE_RECORD_TYPES.length ? null : types,
    networks: orNull(entriesOf(networks)),
  }
}

/** The fields of the form, by the names of the contract. */
export type ScopeField = 'domains' | 'actions' | 'record_types' | 'networks'
export type ScopeFaults = Readonly<Partial<Record<ScopeField, string>>>

const DOMAINS_LIMIT = 100
const NETWORKS_LIMIT = 50

/** What is wrong with a draft, before the service sees it. */
export function faultsInScope(draft: ScopeDraft): ScopeFaults {
  const domains = entriesOf(draft.domains).length
  const networks = entriesOf(draft.networks).length
  return {
    ...(domains > DOMAINS_LIMIT && {
      domains: `A key can have at most ${DOMAINS_LIMIT} domains and patterns. You entered ${domains}.`,
    }),
    ...(draft.actions.length === 0 && { actions: 'Choose at least one action.' }),
    ...(draft.recordTypes.length === 0 && { record_types: 'Choose at least one record type.' }),
    ...(networks > NETWORKS_LIMIT && {
      networks: `A key can have at most ${NETWORKS_LIMIT} networks. You entered ${networks}.`,
    }),
  }
}

/** What the service found wrong, by field. */
export function scopeFaultsOf(error: Error | null): ScopeFaults {
  if (!(error instanceof ApiProblem)) return {}
  const faults: Partial<Record<ScopeField, string>> = {}
  for (const { field, message } of error.fields) {
    const [, name] = /^scope\.(domains|actions|record_types|networks)/.exec(field) ?? []
    if (name !== undefined) {
      const before = faults[name as ScopeField]
      faults[name as ScopeField] = before === undefined ? message : `${before} ${message}`
    }
  }
  return faults
}

/** The fields of an error that the form shows beside a field of the scope. */
export const shownFields = (error: Error | null): string[] =>
  error instanceof ApiProblem
    ? error.fields.map(({ field }) => field).filter((field) => field.startsWith('scope.'))
    : []

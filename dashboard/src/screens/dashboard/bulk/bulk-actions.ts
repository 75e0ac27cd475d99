/** What can be done to several domains at once: texts, and the operations of the batch. */
import type { BatchOperation } from '../../../api/domain-file.ts'
import { counted } from '@homing/theme/formats'
import { addressesIn, type TypedAddresses } from '../address-change.ts'
import type { SelectedDomain } from '../table/use-selection.ts'
import type { BulkLine } from './run-batches.ts'

export type BulkAction =
  | 'address'
  | 'pause'
  | 'resume'
  | 'monitor-on'
  | 'monitor-off'
  | 'tags'
  | 'delete'

interface ActionTexts {
  readonly title: (count: number) => string
  readonly submit: string
  readonly busy: string
  /** Follows the number of domains. */
  readonly done: string
}

export const ACTION_TEXTS: Readonly<Record<BulkAction, ActionTexts>> = {
  address: {
    title: (count) => `Set the address of ${counted(count, 'domain')}`,
    submit: 'Set Address',
    busy: 'Saving...',
    done: 'updated',
  },
  pause: {
    title: (count) => `Pause ${counted(count, 'domain')}?`,
    submit: 'Pause',
    busy: 'Pausing...',
    done: 'paused',
  },
  resume: {
    title: (count) => `Resume ${counted(count, 'domain')}?`,
    submit: 'Resume',
    busy: 'Resuming...',
    done: 'resumed',
  },
  'monitor-on': {
    title: (count) => `Turn on monitoring for ${counted(count, 'domain')}?`,
    submit: 'Turn On',
    busy: 'Turning on...',
    done: 'monitored',
  },
  'monitor-off': {
    title: (count) => `Turn off monitoring for ${counted(count, 'domain')}?`,
    submit: 'Turn Off',
    busy: 'Turning off...',
    done: 'no longer monitored',
  },
  tags: {
    title: (count) => `Change the tags of ${counted(count, 'domain')}`,
    submit: 'Change Tags',
    busy: 'Saving...',
    done: 'tagged',
  },
  delete: {
    title: (count) => `Delete ${counted(count, 'domain')}?`,
    submit: 'Delete',
    busy: 'Deleting...',
    done: 'deleted',
  },
}

export type Family = keyof TypedAddresses
export const FAMILY_NAMES: Readonly<Record<Family, string>> = { ipv4: 'IPv4', ipv6: 'IPv6' }

/** What the user typed. */
export interface BulkValues {
  readonly addresses: string
  /** The families whose addresses are removed. */
  readonly removed: readonly Family[]
  /** Separated by commas. */
  readonly addedTags: string
  readonly removedTags: string
}

export const NO_VALUES: BulkValues = { addresses: '', removed: [], addedTags: '', removedTags: '' }

/** The families that are set and removed at once. */
export const contradictions = ({ addresses, removed }: BulkValues): readonly Family[] => {
  const typed = addressesIn(addresses)
  return removed.filter((family) => typed[family] !== '')
}

const tagsIn = (text: string): string[] =>
  text
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '')

/** Whether the user says what to change; the other actions only ask. */
export const hasFields = (action: BulkAction): boolean => action === 'address' || action === 'tags'

/** Whether the form says what to change. */
export function isComplete(action: BulkAction, values: BulkValues): boolean {
  if (action === 'address') {
    const isEmpty = values.addresses.trim() === '' && values.removed.length === 0
    return !isEmpty && contradictions(values).length === 0
  }
  if (action !== 'tags') return true
  return [...tagsIn(values.addedTags), ...tagsIn(values.removedTags)].length > 0
}

function operationFor(action: BulkAction, values: BulkValues, id: string): BatchOperation {
  if (action === 'delete') return { op: 'delete', id }
  if (action === 'pause' || action === 'resume') {
    return { op: 'change', id, paused: action === 'pause' }
  }
  if (action === 'monitor-on' || action === 'monitor-off') {
    return { op: 'change', id, monitor: action === 'monitor-on' }
  }
  if (action === 'tags') {
    const [added, removed] = [tagsIn(values.addedTags), tagsIn(values.removedTags)]
    return {
      op: 'change',
      id,
      ...(added.length > 0 && { add_tags: added }),
      ...(removed.length > 0 && { remove_tags: removed }),
    }
  }
  const { ipv4, ipv6 } = addressesIn(values.addresses)
  return {
    op: 'change',
    id,
    ...(values.removed.includes('ipv4') && { record_ipv4: null }),
    ...(values.removed.includes('ipv6') && { record_ipv6: null }),
    ...(ipv4 !== '' && { record_ipv4: ipv4 }),
    ...(ipv6 !== '' && { record_ipv6: ipv6 }),
  }
}

/**
 * The domains that an action changes. A wildcard follows its domain in everything, and is deleted with it; without its
 * domain, it can only be deleted.
 */
export function subjectsOf(
  action: BulkAction,
  selected: readonly SelectedDomain[],
): readonly SelectedDomain[] {
  if (action !== 'delete') return selected.filter(({ is_wildcard }) => !is_wildcard)
  const names = new Set(selected.map(({ fqdn }) => fqdn))
  return selected.filter(({ fqdn, is_wildcard }) => !is_wildcard || !names.has(fqdn.slice(2)))
}

export const linesOf = (
  action: BulkAction,
  values: BulkValues,
  subjects: readonly SelectedDomain[],
): BulkLine[] =>
  subjects.map((domain) => ({ domain, operation: operationFor(action, values, domain.id) }))

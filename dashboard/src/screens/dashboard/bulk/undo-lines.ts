/** The changes that undo a change of several domains. */
import type { BatchOperation } from '../../../api/domain-file.ts'
import type { Domain } from '../../../api/domains.ts'
import type { BulkLine } from './run-batches.ts'

const hasTag = (tags: readonly string[], tag: string): boolean =>
  tags.some((each) => each.toLowerCase() === tag.toLowerCase())

/** What leads from one state of a domain back to an earlier one; undefined if they do not differ. */
function operationBack(now: Domain, before: Domain): BatchOperation | undefined {
  const added = before.tags.filter((tag) => !hasTag(now.tags, tag))
  const removed = now.tags.filter((tag) => !hasTag(before.tags, tag))
  const values = {
    ...(now.record_ipv4 !== before.record_ipv4 && { record_ipv4: before.record_ipv4 }),
    ...(now.record_ipv6 !== before.record_ipv6 && { record_ipv6: before.record_ipv6 }),
    ...(now.paused !== before.paused && { paused: before.paused }),
    ...(now.monitor_enabled !== before.monitor_enabled && { monitor: before.monitor_enabled }),
    ...(added.length > 0 && { add_tags: added }),
    ...(removed.length > 0 && { remove_tags: removed }),
  }
  if (Object.keys(values).length === 0) return undefined
  return { op: 'change', id: now.id, version: now.version, ...values }
}

export interface UndoLines {
  readonly lines: readonly BulkLine[]
  /** The number of domains that another client has changed or deleted since; they stay as they are. */
  readonly moved: number
}

/**
 * The lines that undo a change of several domains. Their versions keep them from overwriting a later change.
 *
 * @param done the lines of the change
 * @param before the domains before the change, by their ids
 * @param now the domains as they are at the service
 */
export function undoLines(
  done: readonly BulkLine[],
  before: ReadonlyMap<string, Domain>,
  now: readonly Domain[],
): UndoLines {
  const current = new Map(now.map((domain) => [domain.id, domain]))
  let moved = 0
  const lines = done.flatMap(({ domain }): BulkLine[] => {
    const [was, is] = [before.get(domain.id), current.get(domain.id)]
    // A monitor is not part of the version. Otherwise, the domain already was as the change wanted it.
    const isSame = was !== undefined && is?.version === was.version
    if (isSame && is.monitor_enabled === was.monitor_enabled) return []
    if (was === undefined || is === undefined || !(isSame || is.version === was.version + 1)) {
      moved += 1
      return []
    }
    const operation = operationBack(is, was)
    return operation === undefined ? [] : [{ domain, operation }]
  })
  return { lines, moved }
}

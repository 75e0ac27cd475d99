/** Undoes a change of several domains: by batches, or for deleted domains one by one, as their restoration is a call each. */
import { counted } from '@homing/theme/formats'
import { sendBatch } from '../../../api/domain-batch.ts'
import { restoreDomain } from '../../../api/deleted-domains.ts'
import { createWildcard, type Domain, readMatching } from '../../../api/domains.ts'
import { textOf } from '../../../api/problem.ts'
import { RepeatableChange } from '../../../api/repeatable-change.ts'
import type { SelectedDomain } from '../table/use-selection.ts'
import { type BulkLine, type BulkReport, runBatches } from './run-batches.ts'
import { undoLines } from './undo-lines.ts'

/** What an undo did, for people. */
export interface UndoOutcome {
  readonly isWhole: boolean
  readonly text: string
}

const reasonOf = (error: unknown): string =>
  error instanceof Error ? textOf(error, 'Please try again.') : String(error)

/** A wildcard alone has nothing to restore, so it is created again. */
const restored = async ({ id, fqdn, is_wildcard }: SelectedDomain): Promise<Domain> =>
  is_wildcard ? createWildcard(fqdn.slice(2)) : restoreDomain(id)

async function restoreAll(domains: readonly SelectedDomain[]): Promise<UndoOutcome> {
  let count = 0
  try {
    for (const domain of domains) {
      // One after another: the service changes the domains of an account one at a time.
      // oxlint-disable-next-line no-await-in-loop
      await restored(domain)
      count += 1
    }
  } catch (error) {
    const text = `${counted(count, 'domain')} of ${domains.length} restored. ${domains[count]?.fqdn}: ${reasonOf(error)} The others are in Deleted Domains.`
    return { isWhole: false, text }
  }
  return {
    isWhole: true,
    text: count === 1 ? '1 domain was restored.' : `${counted(count, 'domain')} were restored.`,
  }
}

async function run(lines: readonly BulkLine[]): Promise<BulkReport> {
  const change = new RepeatableChange()
  return runBatches(lines, {
    send: async (operations) => change.send({ operations }, sendBatch),
    onProgress: () => undefined,
    isStopped: () => false,
  })
}

/** Domains that another client changed since stay as they are. */
async function changeBack(
  done: readonly BulkLine[],
  before: ReadonlyMap<string, Domain>,
): Promise<UndoOutcome> {
  const { lines, moved } = undoLines(done, before, await readMatching(''))
  const first = await run(lines)
  // A refused line holds back its batch.
  const second = first.held.length === 0 ? undefined : await run(first.held)
  const count = first.done.length + (second?.done.length ?? 0)
  const refused = [...first.refused, ...(second?.refused ?? [])]
  const error = first.error ?? second?.error
  const isWhole = count === lines.length && moved === 0
  const sentences = [
    `The change of ${counted(count, 'domain')} was undone.`,
    ...(moved > 0 ? [`${counted(moved, 'domain')} changed since and kept the new values.`] : []),
    ...refused.map(({ domain, reason }) => `${domain.fqdn}: ${reason}`).slice(0, 3),
    ...(error === undefined ? [] : [reasonOf(error)]),
  ]
  return { isWhole, text: sentences.join(' ') }
}

/** @param before the domains before their change, by their ids */
export async function undoBulk(
  done: readonly BulkLine[],
  before: ReadonlyMap<string, Domain>,
): Promise<UndoOutcome> {
  const deleted = done.filter(({ operation }) => operation.op === 'delete')
  try {
    return deleted.length > 0
      ? await restoreAll(deleted.map(({ domain }) => domain))
      : await changeBack(done, before)
  } catch (error) {
    return { isWhole: false, text: `The change was not undone. ${reasonOf(error)}` }
  }
}

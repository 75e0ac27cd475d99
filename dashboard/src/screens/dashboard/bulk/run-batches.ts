/** Applies one change to many domains, in batches. Each batch is applied as a whole, or not at all. */
import { BATCH_LIMIT, type BatchOperation } from '../../../api/domain-file.ts'
import type { BatchAnswer } from '../../../api/domain-batch.ts'
import type { SelectedDomain } from '../table/use-selection.ts'

export interface BulkLine {
  readonly domain: SelectedDomain
  readonly operation: BatchOperation
}

export interface RefusedLine {
  readonly domain: SelectedDomain
  /** What is wrong, for people. */
  readonly reason: string
}

/** What became of the lines. */
export interface BulkReport {
  readonly done: readonly BulkLine[]
  readonly refused: readonly RefusedLine[]
  /** The rules allow them, but their batch had refused lines. */
  readonly held: readonly BulkLine[]
  /** Not sent, or sent without an answer. */
  readonly waiting: readonly BulkLine[]
  /** Why the batches ended early; undefined if they did not, or if the user stopped them. */
  readonly error: Error | undefined
}

export const NOTHING_DONE: BulkReport = {
  done: [],
  refused: [],
  held: [],
  waiting: [],
  error: undefined,
}

interface BatchRun {
  readonly send: (operations: BatchOperation[]) => Promise<BatchAnswer>
  /** @param count of lines that have an answer */
  readonly onProgress: (count: number) => void
  /** Checked before each batch. */
  readonly isStopped: () => boolean
}

/** The report with the answer to one batch. */
function withAnswer(
  report: BulkReport,
  batch: readonly BulkLine[],
  answer: BatchAnswer,
): BulkReport {
  if (answer.isApplied) return { ...report, done: [...report.done, ...batch] }
  const verdicts = new Map(answer.verdicts.map((verdict) => [verdict.index, verdict]))
  const isHeld = (_: BulkLine, n: number) => verdicts.get(n)?.ok === true
  const refused = batch.flatMap(({ domain }, n) => {
    const verdict = verdicts.get(n)
    if (verdict?.ok === true) return []
    return [{ domain, reason: verdict?.detail ?? 'The service refused it.' }]
  })
  return {
    ...report,
    refused: [...report.refused, ...refused],
    held: [...report.held, ...batch.filter(isHeld)],
  }
}

/** Sends the lines. An error ends the batches; what is done stays in the report. */
export async function runBatches(
  lines: readonly BulkLine[],
  { send, onProgress, isStopped }: BatchRun,
): Promise<BulkReport> {
  let report = NOTHING_DONE
  for (let at = 0; at < lines.length; at += BATCH_LIMIT) {
    const waiting = lines.slice(at)
    if (isStopped()) return { ...report, waiting }
    const batch = waiting.slice(0, BATCH_LIMIT)
    try {
      // One after another: the batches of an account wait for each other anyway.
      // oxlint-disable-next-line no-await-in-loop
      const answer = await send(batch.map(({ operation }) => operation))
      report = withAnswer(report, batch, answer)
    } catch (error) {
      return {
        ...report,
        waiting,
        error: error instanceof Error ? error : new Error(String(error)),
      }
    }
    onProgress(Math.min(at + BATCH_LIMIT, lines.length))
  }
  return report
}

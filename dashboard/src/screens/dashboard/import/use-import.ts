/** Reads a file of domains, checks it with a dry run, and applies it: every line, or nothing. */
import { FileFault, type FileRow, operationOf, pastedRowsOf } from '../../../api/domain-file.ts'
import { useWrite } from '@homing/theme/parts/use-write.ts'
import { useState } from 'react'
import { type BatchAnswer, sendBatch } from '../../../api/domain-batch.ts'
import { readMatching } from '../../../api/domains.ts'
import { RepeatableChange } from '../../../api/repeatable-change.ts'

type BatchVerdict = BatchAnswer['verdicts'][number]

/** A line of the file, and what the rules say about it. */
export interface CheckedLine {
  readonly row: FileRow
  readonly verdict: BatchVerdict
}

/** @throws FileFault, ApiProblem, NetworkFailure */
async function operationsOf(rows: readonly FileRow[]) {
  const owned = await readMatching('')
  const names = new Set(owned.map(({ fqdn }) => fqdn))
  return rows.map((row) => operationOf(row, names))
}

const withVerdicts = (rows: readonly FileRow[], verdicts: readonly BatchVerdict[]) =>
  verdicts.flatMap((verdict): CheckedLine[] => {
    const row = rows[verdict.index]
    return row === undefined ? [] : [{ row, verdict }]
  })

interface ImportOptions {
  readonly onImported: (count: number) => void
}

export function useImport({ onImported }: ImportOptions) {
  const [text, setText] = useState('')
  const [lines, setLines] = useState<readonly CheckedLine[]>()
  // The same lines, sent again because the answer was lost, are imported once.
  const [change] = useState(() => new RepeatableChange())
  const check = useWrite({
    async mutationFn(typed: string) {
      const rows = pastedRowsOf(typed)
      const operations = await operationsOf(rows)
      const { verdicts } = await sendBatch({ operations, dry_run: true })
      return withVerdicts(rows, verdicts)
    },
    onSuccess: setLines,
  })
  const apply = useWrite({
    async mutationFn(rows: readonly FileRow[]) {
      const operations = await operationsOf(rows)
      const { isApplied, verdicts } = await change.send({ operations }, sendBatch)
      return { isApplied, lines: withVerdicts(rows, verdicts) }
    },
    onSuccess(answer) {
      if (answer.isApplied) onImported(answer.lines.length)
      // Something has changed since the check.
      else setLines(answer.lines)
    },
  })
  const error = apply.error ?? check.error
  return {
    text,
    lines,
    fault: error instanceof FileFault ? error.message : undefined,
    error: error instanceof FileFault ? null : error,
    isBusy: check.isPending || apply.isPending,
    type: (typed: string) => {
      check.reset()
      apply.reset()
      setLines(undefined)
      setText(typed)
    },
    check: () => check.mutate(text),
    /** Imports the lines that the rules allow. */
    apply: () =>
      apply.mutate((lines ?? []).filter(({ verdict }) => verdict.ok).map(({ row }) => row)),
  }
}

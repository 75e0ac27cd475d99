/** Runs a change of several domains, and keeps what became of them. */
import { useLock } from '@homing/theme/parts/use-lock.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { sendBatch } from '../../../api/domain-batch.ts'
import { type Domain, readMatching } from '../../../api/domains.ts'
import { RepeatableChange } from '../../../api/repeatable-change.ts'
import { reloadDomains } from '../reload-domains.ts'
import { type BulkLine, type BulkReport, NOTHING_DONE, runBatches } from './run-batches.ts'

export interface Bulk {
  /** Undefined before the first run. */
  readonly report: BulkReport | undefined
  readonly progress: { readonly done: number; readonly total: number } | undefined
  readonly isStopping: boolean
  readonly run: (lines: readonly BulkLine[]) => void
  /** The batch that is on its way still ends. */
  readonly stop: () => void
}

/** What an earlier run and the run of these lines did together. */
function together(earlier: BulkReport, later: BulkReport, lines: readonly BulkLine[]): BulkReport {
  const again = new Set(lines.map(({ domain }) => domain.id))
  return {
    ...later,
    done: [...earlier.done, ...later.done],
    refused: [...earlier.refused.filter(({ domain }) => !again.has(domain.id)), ...later.refused],
  }
}

/** All domains of the account, by their ids. @throws ApiProblem, NetworkFailure */
async function readAll(): Promise<ReadonlyMap<string, Domain>> {
  const domains = await readMatching('')
  return new Map(domains.map((domain) => [domain.id, domain]))
}

const isChange = ({ operation }: BulkLine): boolean => operation.op === 'change'

/** @param onReport gets the report after each run, and the changed domains before their change, by their ids */
export function useBulk(
  onReport: (report: BulkReport, before: ReadonlyMap<string, Domain>) => void,
): Bulk {
  const queries = useQueryClient()
  const lock = useLock()
  const [report, setReport] = useState<BulkReport>()
  const [progress, setProgress] = useState<Bulk['progress']>()
  const [isStopping, setStopping] = useState(false)
  const isStopped = useRef(false)
  const before = useRef<ReadonlyMap<string, Domain>>(new Map())
  // A batch whose answer was lost keeps its key, so it is applied once.
  const [change] = useState(() => new RepeatableChange())

  async function start(lines: readonly BulkLine[]): Promise<void> {
    isStopped.current = false
    setStopping(false)
    const total = lines.length
    setProgress({ done: 0, total })
    const ended = await sendLines(lines, (done) => setProgress({ done, total }))
    const whole = together(report ?? NOTHING_DONE, ended, lines)
    setProgress(undefined)
    setReport(whole)
    void reloadDomains(queries)
    onReport(whole, before.current)
  }
  /** Reads the domains first, so that the change can be undone. */
  async function sendLines(
    lines: readonly BulkLine[],
    onProgress: (done: number) => void,
  ): Promise<BulkReport> {
    try {
      if (before.current.size === 0 && lines.some(isChange)) before.current = await readAll()
    } catch (error) {
      const reason = error instanceof Error ? error : new Error(String(error))
      return { ...NOTHING_DONE, waiting: lines, error: reason }
    }
    return runBatches(lines, {
      send: async (operations) => change.send({ operations }, sendBatch),
      onProgress,
      isStopped: () => isStopped.current,
    })
  }
  return {
    report,
    progress,
    isStopping,
    run: (lines) => void lock(async () => start(lines)),
    stop() {
      isStopped.current = true
      setStopping(true)
    },
  }
}

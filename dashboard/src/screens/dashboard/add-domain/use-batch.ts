/** Checks the lines of a list at the service, and registers them: all of them, or none. */
import { useState } from 'react'
import { type BatchAnswer, type DomainBatch, sendBatch } from '../../../api/domain-batch.ts'
import { RepeatableChange } from '../../../api/repeatable-change.ts'
import { useWrite } from '@homing/theme/parts/use-write.ts'
import { operationOf, type PastedLine } from './pasted-lines.ts'

/** What the service said about a list. */
interface Checked {
  readonly lines: readonly PastedLine[]
  /** The reason why each refused line is refused, by its number. */
  readonly refusals: ReadonlyMap<number, string>
}

interface Sent {
  readonly lines: readonly PastedLine[]
  readonly isDryRun: boolean
}

const REFUSED = 'The service refuses this line.'

function refusalsIn(sent: readonly PastedLine[], { verdicts }: BatchAnswer): Map<number, string> {
  const refused = verdicts.filter(({ ok }) => !ok)
  return new Map(refused.map(({ index, detail }) => [sent[index]?.number ?? 0, detail ?? REFUSED]))
}

/**
 * @param zones the zones on offer
 * @param onAdded after all lines were registered
 */
export function useBatch(
  zones: readonly string[],
  onAdded: (lines: readonly PastedLine[]) => void,
) {
  const [checked, setChecked] = useState<Checked>()
  const [change] = useState(() => new RepeatableChange())
  const write = useWrite({
    async mutationFn({ lines, isDryRun }: Sent): Promise<BatchAnswer> {
      const operations = lines.map((line) => operationOf(line, zones))
      const batch: DomainBatch = { operations, dry_run: isDryRun }
      return isDryRun ? sendBatch(batch) : change.send(batch, sendBatch)
    },
    onSuccess(answer, { lines }) {
      setChecked({ lines, refusals: refusalsIn(lines, answer) })
      if (answer.isApplied) onAdded(lines)
    },
  })
  return { ...write, checked }
}

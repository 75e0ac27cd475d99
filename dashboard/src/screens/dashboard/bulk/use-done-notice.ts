/** After several domains were changed: a notice with Undo. */
import { counted } from '@homing/theme/formats'
import { notify } from '@homing/theme/parts/Notices.tsx'
import { useQueryClient } from '@tanstack/react-query'
import type { Domain } from '../../../api/domains.ts'
import { reloadDomains } from '../reload-domains.ts'
import type { BulkLine } from './run-batches.ts'
import { undoBulk } from './undo-bulk.ts'

type Done = (done: readonly BulkLine[], before: ReadonlyMap<string, Domain>) => void

/** @param word follows the number of domains: `paused` */
export function useDoneNotice(word: string): Done {
  const queries = useQueryClient()
  return (done, before) => {
    const undo = async () => {
      const { isWhole, text } = await undoBulk(done, before)
      notify({ kind: isWhole ? 'success' : 'failure', text })
      void reloadDomains(queries)
    }
    notify({
      kind: 'success',
      text: `${counted(done.length, 'domain')} ${word}.`,
      action: { label: 'Undo', run: () => void undo() },
    })
  }
}

import { useQueryClient } from '@tanstack/react-query'
import { type AccountNotice, dismissNotice, noticesQuery } from '../../api/notices.ts'
import { notify } from '@homing/theme/parts/Notices.tsx'
import { useWrite } from '@homing/theme/parts/use-write.ts'

/** Dismisses a notice. @param onDismissed gets the notices that are left */
export function useDismissal(onDismissed: (left: readonly AccountNotice[]) => void) {
  const queries = useQueryClient()
  return useWrite({
    mutationFn: dismissNotice,
    onSuccess(_, id) {
      const left = (queries.getQueryData(noticesQuery.queryKey) ?? []).filter(
        (notice) => notice.id !== id,
      )
      queries.setQueryData(noticesQuery.queryKey, left)
      onDismissed(left)
    },
    onError: (error) =>
      notify({ kind: 'failure', text: `The notice was not dismissed. ${error.message}` }),
  })
}

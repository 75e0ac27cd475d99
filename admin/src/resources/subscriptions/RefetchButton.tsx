import { useWrite } from '@homing/theme/parts/use-write.ts'
import Button from '@mui/material/Button'
import { useDataProvider, useNotify, useRefresh } from 'react-admin'
import type { AdminSubscription } from '../../api/client.ts'
import { messageOf } from '../../api/problem.ts'
import type { AdminDataProvider } from '../../dataProvider.ts'
import { STATES } from './words.ts'

/** Reads the state of a subscription at its provider. It changes nothing there. */
export function RefetchButton({ subscription }: { subscription: AdminSubscription }) {
  const { id, provider_id } = subscription
  const provider = useDataProvider<AdminDataProvider>()
  const notify = useNotify()
  const refresh = useRefresh()
  const { mutate, isPending } = useWrite({
    mutationFn: () => provider.refetchSubscription(id),
    onSuccess({ state }) {
      notify(`${provider_id} was read at the provider: ${STATES[state]}.`, { type: 'success' })
      refresh()
    },
    onError: (error) => notify(messageOf(error), { type: 'error', autoHideDuration: null }),
  })
  return (
    <Button
      variant="outlined"
      size="small"
      aria-label={`Refetch ${provider_id}`}
      aria-disabled={isPending}
      onClick={() => mutate()}
    >
      {isPending ? 'Refetching…' : 'Refetch'}
    </Button>
  )
}

import { useWrite } from '@homing/theme/parts/use-write.ts'
import Button from '@mui/material/Button'
import { useState } from 'react'
import { useDataProvider, useNotify, useRefresh } from 'react-admin'
import type { BlockedTarget } from '../../api/client.ts'
import { messageOf } from '../../api/problem.ts'
import type { AdminDataProvider } from '../../dataProvider.ts'
import { Confirm } from '../../layout/Confirm.tsx'

const UNBLOCKING =
  'Users can forward to the target again. The forwards that the block stopped start again, unless another block covers their target.'

/** Ends a block after confirmation. */
export function UnblockButton({ block: { id, host, path } }: { block: BlockedTarget }) {
  const [isAsked, setAsked] = useState(false)
  const provider = useDataProvider<AdminDataProvider>()
  const notify = useNotify()
  const refresh = useRefresh()
  const target = host + path
  const { mutate, isPending } = useWrite({
    mutationFn: () => provider.unblockTarget(id),
    onSuccess() {
      notify(`The block of ${target} was ended.`, { type: 'success' })
      refresh()
    },
    onError: (error) => notify(messageOf(error), { type: 'error', autoHideDuration: null }),
  })
  return (
    <>
      <Button
        variant="outlined"
        size="small"
        aria-label={`End the block of ${target}`}
        onClick={() => setAsked(true)}
      >
        End
      </Button>
      {isAsked && (
        <Confirm
          title={`End the block of ${target}?`}
          action="End"
          isBusy={isPending}
          onConfirm={() => mutate(undefined, { onSettled: () => setAsked(false) })}
          onCancel={() => setAsked(false)}
        >
          {UNBLOCKING}
        </Confirm>
      )}
    </>
  )
}

import { useWrite } from '@homing/theme/parts/use-write.ts'
import Button from '@mui/material/Button'
import { useState } from 'react'
import { useDataProvider, useNotify, useRefresh } from 'react-admin'
import type { LockedName } from '../../api/client.ts'
import type { AdminDataProvider } from '../../dataProvider.ts'
import { Confirm } from '../../layout/Confirm.tsx'
import { messageOf } from '../../api/problem.ts'

const REGISTERING = 'Users can register this name and the names below it again.'
const UNLOCKING =
  'DNS serves the domain again, unless it is withheld for another reason. Users can register names below it again.'

function useClearLock({ id, fqdn }: LockedName) {
  const provider = useDataProvider<AdminDataProvider>()
  const notify = useNotify()
  const refresh = useRefresh()
  return useWrite({
    mutationFn: () => provider.clearLock(id),
    onSuccess() {
      notify(`The lock of ${fqdn} was cleared.`, { type: 'success' })
      refresh()
    },
    onError: (error) => notify(messageOf(error), { type: 'error', autoHideDuration: null }),
  })
}

/** Clears a lock after confirmation. */
export function ClearLockButton({ lock }: { lock: LockedName }) {
  const [isAsked, setAsked] = useState(false)
  const { mutate, isPending } = useClearLock(lock)
  return (
    <>
      <Button
        variant="outlined"
        size="small"
        aria-label={`Clear the lock of ${lock.fqdn}`}
        onClick={() => setAsked(true)}
      >
        Clear
      </Button>
      {isAsked && (
        <Confirm
          title={`Clear the lock of ${lock.fqdn}?`}
          action="Clear"
          isBusy={isPending}
          onConfirm={() => mutate(undefined, { onSettled: () => setAsked(false) })}
          onCancel={() => setAsked(false)}
        >
          {lock.domain_id === null ? REGISTERING : UNLOCKING}
        </Confirm>
      )}
    </>
  )
}

/** Disables a web forward with a reason for its owner, or enables it again. */
import { useWrite } from '@homing/theme/parts/use-write.ts'
import Button from '@mui/material/Button'
import { useState } from 'react'
import { useDataProvider, useNotify, useRefresh } from 'react-admin'
import { Link } from 'react-router'
import type { AdminWebForward } from '../../api/client.ts'
import { messageOf } from '../../api/problem.ts'
import type { AdminDataProvider } from '../../dataProvider.ts'
import { Confirm } from '../../layout/Confirm.tsx'
import { DisableDialog } from './DisableDialog.tsx'

const ENABLING =
  'DNS resolves the domain to the forwarding servers again, unless its owner paused the forward or the domain is withheld. Users can create forwards to its target again, unless the target is blocked for everybody.'

interface EnableDialogProps {
  readonly forward: AdminWebForward
  readonly onClose: () => void
}

function EnableDialog({ forward: { id, fqdn }, onClose }: EnableDialogProps) {
  const provider = useDataProvider<AdminDataProvider>()
  const notify = useNotify()
  const refresh = useRefresh()
  const { mutate, isPending } = useWrite({
    mutationFn: () => provider.moderateForward(id, { is_disabled: false }),
    onSuccess() {
      notify(`The web forward of ${fqdn} is enabled.`, { type: 'success' })
      refresh()
    },
    onError: (error) => notify(messageOf(error), { type: 'error', autoHideDuration: null }),
  })
  return (
    <Confirm
      title={`Enable the web forward of ${fqdn}?`}
      action="Enable"
      isBusy={isPending}
      onConfirm={() => mutate(undefined, { onSettled: onClose })}
      onCancel={onClose}
    >
      {ENABLING}
    </Confirm>
  )
}

export function ModerateButton({ forward }: { forward: AdminWebForward }) {
  const [isAsked, setAsked] = useState(false)
  if (forward.blocked_target_id !== null) return <Link to="/blocked-targets">Blocked target</Link>
  const verb = forward.is_disabled ? 'Enable' : 'Disable'
  const Dialog = forward.is_disabled ? EnableDialog : DisableDialog
  return (
    <>
      <Button
        variant="outlined"
        size="small"
        color={forward.is_disabled ? 'primary' : 'error'}
        aria-label={`${verb} the web forward of ${forward.fqdn}`}
        onClick={() => setAsked(true)}
      >
        {verb}
      </Button>
      {isAsked && <Dialog forward={forward} onClose={() => setAsked(false)} />}
    </>
  )
}

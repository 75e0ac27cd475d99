/** Disables a web forward with a reason for its owner, or enables it again. */
import { useWrite } from '@homing/theme/parts/use-write.ts'
import { FORWARD_TEXT_LIMITS } from '@homing/openapi/vocabulary'
import Button from '@mui/material/Button'
import { useState } from 'react'
import { useDataProvider, useNotify, useRefresh } from 'react-admin'
import type { AdminWebForward, WebForwardModeration } from '../../api/client.ts'
import { messageOf } from '../../api/problem.ts'
import type { AdminDataProvider } from '../../dataProvider.ts'
import { Confirm } from '../../layout/Confirm.tsx'
import { ReasonDialog } from '../../layout/ReasonDialog.tsx'

const DISABLING =
  'The forward ends at once, and DNS resolves the domain to its own addresses. The owner can neither change nor delete the forward, nor delete the domain. Nobody can create another forward to its target. Other forwards to it continue.'
const ENABLING =
  'DNS resolves the domain to the forwarding servers again, unless its owner paused the forward or the domain is withheld. Users can create forwards to its target again.'

interface ModerationProps {
  readonly forward: AdminWebForward
  readonly onClose: () => void
}

function useModeration({ forward: { id, fqdn }, onClose }: ModerationProps) {
  const provider = useDataProvider<AdminDataProvider>()
  const notify = useNotify()
  const refresh = useRefresh()
  return useWrite({
    mutationFn: (moderation: WebForwardModeration) => provider.moderateForward(id, moderation),
    onSuccess({ is_disabled }) {
      const state = is_disabled ? 'disabled' : 'enabled'
      notify(`The web forward of ${fqdn} is ${state}.`, { type: 'success' })
      refresh()
      onClose()
    },
  })
}

function DisableDialog(props: ModerationProps) {
  const { fqdn, target_url } = props.forward
  const { mutate, isPending, error } = useModeration(props)
  return (
    <ReasonDialog
      title={`Disable the web forward of ${fqdn}?`}
      submit={{ label: 'Disable', busyLabel: 'Disabling…' }}
      help="The owner reads it."
      maxLength={FORWARD_TEXT_LIMITS.disabled_reason}
      isBusy={isPending}
      error={error}
      onSubmit={(reason) => mutate({ is_disabled: true, reason })}
      onClose={props.onClose}
    >
      <p className="monospace">{target_url}</p>
      <p>{DISABLING}</p>
    </ReasonDialog>
  )
}

function EnableDialog(props: ModerationProps) {
  const notify = useNotify()
  const { mutate, isPending } = useModeration(props)
  return (
    <Confirm
      title={`Enable the web forward of ${props.forward.fqdn}?`}
      action="Enable"
      isBusy={isPending}
      onConfirm={() =>
        mutate(
          { is_disabled: false },
          {
            onError(error) {
              notify(messageOf(error), { type: 'error', autoHideDuration: null })
              props.onClose()
            },
          },
        )
      }
      onCancel={props.onClose}
    >
      {ENABLING}
    </Confirm>
  )
}

export function ModerateButton({ forward }: { forward: AdminWebForward }) {
  const [isAsked, setAsked] = useState(false)
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

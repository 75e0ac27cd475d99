import { useQuery, useQueryClient } from '@tanstack/react-query'
import { isDeclined } from '../../../api/confirmation.ts'
import { type Passkey, removePasskey } from '../../../api/passkeys.ts'
import { deletionOf } from '../../../api/problem.ts'
import { secondFactorsQuery } from '../../../api/second-factors.ts'
import { Failure } from '@homing/theme/parts/Failure.tsx'
import { Modal } from '@homing/theme/parts/Modal.tsx'
import { notify } from '@homing/theme/parts/Notices.tsx'
import { useWrite } from '@homing/theme/parts/use-write.ts'
import { focusHeading } from '../use-focus-on-mount.ts'

interface RemovePasskeyDialogProps {
  readonly passkey: Passkey
  readonly onClose: () => void
}

export function RemovePasskeyDialog({ passkey, onClose }: RemovePasskeyDialogProps) {
  const queries = useQueryClient()
  const { data: factors } = useQuery(secondFactorsQuery)
  const isLastFactor = factors?.passkeys === 1 && factors.totp_since === null
  const { mutate, isPending, error } = useWrite({
    mutationFn: async () => deletionOf(removePasskey(passkey.id)),
    onSuccess() {
      notify({ kind: 'success', text: `The passkey “${passkey.name}” was removed.` })
      onClose()
      // The change also ends other sessions.
      void queries.invalidateQueries()
      requestAnimationFrame(focusHeading)
    },
  })
  return (
    <Modal
      title="Remove passkey?"
      submit={{ label: 'Remove', busyLabel: 'Removing...', isDanger: true }}
      isBusy={isPending}
      onClose={onClose}
      onSubmit={() => mutate()}
    >
      {error && !isDeclined(error) && <Failure error={error} />}
      <p>
        You can no longer sign in with <strong>{passkey.name}</strong>. All your other sessions end.
      </p>
      {isLastFactor && (
        <p>
          It is your only second factor. Signing in then requires only your password, and your
          recovery codes are removed.
        </p>
      )}
      <p>The device may still offer the passkey. You can delete it there.</p>
    </Modal>
  )
}

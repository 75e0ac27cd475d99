import Button from '@mui/material/Button'
import { useId } from 'react'
import { isDeclined } from '../../../api/confirmation.ts'
import { renewRecoveryCodes, type SecondFactors } from '../../../api/second-factors.ts'
import { Failure } from '@homing/theme/parts/Failure.tsx'
import { Message } from '@homing/theme/parts/Message.tsx'
import { Modal } from '@homing/theme/parts/Modal.tsx'
import { useWrite } from '@homing/theme/parts/use-write.ts'
import { useDialogInUrl } from '../../../dialog-url.ts'

/** With fewer codes, the user should create new ones. */
const FEW_CODES = 3

const DIALOGS = ['renew-codes'] as const

interface RecoveryCodesCardProps {
  readonly factors: SecondFactors
  readonly onCodes: (codes: readonly string[]) => void
}

interface RenewDialogProps extends Pick<RecoveryCodesCardProps, 'onCodes'> {
  readonly onClose: () => void
}

function RenewDialog({ onCodes, onClose }: RenewDialogProps) {
  const { mutate, isPending, error } = useWrite({
    mutationFn: renewRecoveryCodes,
    onSuccess(codes) {
      onClose()
      onCodes(codes)
    },
  })
  return (
    <Modal
      title="Create new recovery codes?"
      submit={{ label: 'Create New Codes', busyLabel: 'Creating...' }}
      isBusy={isPending}
      onClose={onClose}
      onSubmit={() => mutate()}
    >
      {error && !isDeclined(error) && <Failure error={error} />}
      <p>Your old codes stop working at once.</p>
    </Modal>
  )
}

/** How many recovery codes are left, and new ones. */
export function RecoveryCodesCard({ factors, onCodes }: RecoveryCodesCardProps) {
  const { name, show, close } = useDialogInUrl(DIALOGS)
  const titleId = useId()
  const left = factors.recovery_codes_left
  return (
    <section className="card section-card" aria-labelledby={titleId}>
      <h2 id={titleId}>Recovery codes</h2>
      {left < FEW_CODES && (
        <Message tone="warn">
          <p>
            {left === 0
              ? 'All your recovery codes are used. If you lose your second factor, you cannot sign in.'
              : 'You have few recovery codes left. Create new ones.'}
          </p>
        </Message>
      )}
      <p>
        A recovery code replaces your second factor once. You have {left} unused{' '}
        {left === 1 ? 'code' : 'codes'}.
      </p>
      <Button variant="outlined" className="fit" onClick={() => show('renew-codes')}>
        Create New Codes
      </Button>
      {name !== undefined && <RenewDialog onCodes={onCodes} onClose={close} />}
    </section>
  )
}

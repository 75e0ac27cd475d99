import { dayText } from '@homing/theme/formats'
import Button from '@mui/material/Button'
import { useEffect, useId } from 'react'
import { isDeclined } from '../../../api/confirmation.ts'
import { endTotp, type SecondFactors, startTotp } from '../../../api/second-factors.ts'
import { useHold } from '@homing/theme/parts/form-wait.ts'
import { Failure } from '@homing/theme/parts/Failure.tsx'
import { Modal } from '@homing/theme/parts/Modal.tsx'
import { notify } from '@homing/theme/parts/Notices.tsx'
import { useWrite } from '@homing/theme/parts/use-write.ts'
import { useDialogInUrl } from '../../../dialog-url.ts'
import { hashOf } from '../../../routes.ts'
import { focusHeading } from '../use-focus-on-mount.ts'
import { TotpSetupPanel } from './TotpSetupPanel.tsx'

interface AuthenticatorCardProps {
  readonly factors: SecondFactors
  /** @param recoveryCodes codes that were just created */
  readonly onChanged: (recoveryCodes?: readonly string[] | null) => void
}

const SETUP = ['setup'] as const
const TURN_OFF = ['turn-off'] as const

/** Starts the setup. Its secret is only in memory, so a reload or a link does not show it again. */
function useSetup() {
  const { name, show, close } = useDialogInUrl(SETUP)
  const start = useWrite({ mutationFn: startTotp, onSuccess: () => show('setup') })
  const isLost = name !== undefined && start.isIdle
  useEffect(() => {
    // After this render, which the change of the URL would interrupt.
    if (isLost) queueMicrotask(close)
  }, [isLost, close])
  return { start, setup: name === undefined ? undefined : start.data, close }
}

function TurnOn({ onChanged }: Pick<AuthenticatorCardProps, 'onChanged'>) {
  const { start, setup, close } = useSetup()
  const { waitSeconds, labelOf } = useHold(start.error)
  if (setup !== undefined) {
    return (
      <TotpSetupPanel
        setup={setup}
        onOn={(codes) => {
          notify({ kind: 'success', text: 'The authenticator app is on.' })
          close()
          onChanged(codes)
        }}
        onCancel={() => {
          close()
          start.reset()
          requestAnimationFrame(focusHeading)
        }}
      />
    )
  }
  const error = isDeclined(start.error) ? null : start.error
  return (
    <>
      <p>
        An app on your phone shows a code of six digits. With it, signing in requires your password
        and a code, so a stolen password is not enough.
      </p>
      <p>
        Update URLs then refuse your account password. Before you turn the app on, give each router
        the update token of its domain: “How to Update” on the{' '}
        <a href={hashOf('dashboard')}>dashboard</a>.
      </p>
      {error && <Failure error={error} hasTimer={false} />}
      <Button
        variant="contained"
        className="fit"
        aria-disabled={start.isPending || waitSeconds > 0}
        onClick={() => waitSeconds > 0 || start.mutate()}
      >
        {labelOf('Set Up Authenticator App')}
      </Button>
    </>
  )
}

interface TurnOffDialogProps extends AuthenticatorCardProps {
  readonly onClose: () => void
}

function TurnOffDialog({ factors, onChanged, onClose }: TurnOffDialogProps) {
  const { mutate, isPending, error } = useWrite({
    mutationFn: endTotp,
    onSuccess() {
      notify({ kind: 'success', text: 'The authenticator app is off.' })
      onClose()
      onChanged()
      requestAnimationFrame(focusHeading)
    },
  })
  return (
    <Modal
      title="Turn off the authenticator app?"
      submit={{ label: 'Turn Off', busyLabel: 'Turning off...', isDanger: true }}
      isBusy={isPending}
      onClose={onClose}
      onSubmit={() => mutate()}
    >
      {error && !isDeclined(error) && <Failure error={error} />}
      <p>
        {factors.passkeys === 0
          ? 'Signing in then requires only your password, and your recovery codes are removed.'
          : 'Signing in with your password then requires a passkey or a recovery code.'}
      </p>
      <p>All your other sessions end.</p>
    </Modal>
  )
}

/** The authenticator app: off, being set up, or on. */
export function AuthenticatorCard({ factors, onChanged }: AuthenticatorCardProps) {
  const { name, show, close } = useDialogInUrl(TURN_OFF)
  const titleId = useId()
  const { totp_since: since } = factors
  return (
    <section className="card section-card" aria-labelledby={titleId}>
      <div className="settings-head">
        <h2 id={titleId}>Authenticator app</h2>
        <span className={since === null ? 'badge' : 'badge badge-on'}>
          {since === null ? 'Off' : 'On'}
        </span>
      </div>
      {since === null ? (
        <TurnOn onChanged={onChanged} />
      ) : (
        <>
          <p>
            Since {dayText(since)}, signing in with your password requires a code of your app
            {factors.passkeys === 0 ? '' : ' or a passkey'}.
          </p>
          <Button variant="outlined" color="error" className="fit" onClick={() => show('turn-off')}>
            Turn Off
          </Button>
        </>
      )}
      {name !== undefined && since !== null && (
        <TurnOffDialog factors={factors} onChanged={onChanged} onClose={close} />
      )}
    </section>
  )
}

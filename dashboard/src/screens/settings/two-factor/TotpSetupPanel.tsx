import { useId, useRef, useState } from 'react'
import { ApiProblem } from '../../../api/problem.ts'
import { confirmTotp, type TotpSetup } from '../../../api/second-factors.ts'
import { CopyButton } from '@homing/theme/parts/CopyButton.tsx'
import { Field } from '@homing/theme/parts/Field.tsx'
import { useWrite } from '@homing/theme/parts/use-write.ts'
import { SettingsForm } from '../../frame/SettingsForm.tsx'
import { useFocusOnMount } from '../use-focus-on-mount.ts'
import { qrPath } from './qr-path.ts'

const DIGITS = 6

function QrCode({ rows }: { readonly rows: readonly string[] }) {
  return (
    <svg
      className="qr-code"
      viewBox={`0 0 ${rows[0]?.length ?? 0} ${rows.length}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label="QR code for your authenticator app"
    >
      <path d={qrPath(rows)} />
    </svg>
  )
}

/** The secret in groups of four, which are easier to type. */
function Secret({ secret }: { readonly secret: string }) {
  const text = useRef<HTMLElement>(null)
  return (
    <span className="totp-secret">
      <code ref={text} className="monospace">
        {secret.replaceAll(/.{4}(?=.)/g, '$& ')}
      </code>
      <CopyButton text={secret} what="secret" shownIn={() => text.current} />
    </span>
  )
}

interface TotpSetupPanelProps {
  readonly setup: TotpSetup
  readonly onOn: (recoveryCodes: readonly string[] | null) => void
  readonly onCancel: () => void
}

/** Adds the secret to an app, and asks for the first code of the app. Until then, nothing changes. */
export function TotpSetupPanel({ setup, onOn, onCancel }: TotpSetupPanelProps) {
  const [code, setCode] = useState('')
  const panel = useFocusOnMount<HTMLElement>()
  const titleId = useId()
  const { mutate, isPending, error } = useWrite({
    mutationFn: confirmTotp,
    onSuccess: onOn,
    onError: () => setCode(''),
  })

  function type(text: string): void {
    const next = text.replaceAll(/\D/g, '').slice(0, DIGITS)
    setCode(next)
    if (next.length === DIGITS && next !== code && !isPending) mutate(next)
  }
  return (
    <section ref={panel} tabIndex={-1} className="totp-setup" aria-labelledby={titleId}>
      <h3 id={titleId}>1. Scan this QR code with your authenticator app</h3>
      <QrCode rows={setup.qr_rows} />
      <p>
        Cannot scan it? <a href={setup.otpauth_uri}>Open an app on this device</a>, or type this
        secret:
      </p>
      <Secret secret={setup.secret} />
      <h3>2. Enter the code that the app shows</h3>
      <SettingsForm
        submit={{ label: 'Turn On', busyLabel: 'Turning on...' }}
        isDirty={code !== ''}
        isBusy={isPending}
        error={error}
        fields={['code']}
        idleHint="The code has six digits."
        guard="none"
        onSubmit={() => mutate(code)}
        onCancel={onCancel}
      >
        <Field
          label="Authenticator code"
          name="code"
          isMonospace
          autoComplete="one-time-code"
          value={code}
          error={error instanceof ApiProblem ? error.of('code') : undefined}
          inputProps={{ inputMode: 'numeric', maxLength: 7, spellCheck: false }}
          onChange={(event) => type(event.target.value)}
        />
      </SettingsForm>
    </section>
  )
}

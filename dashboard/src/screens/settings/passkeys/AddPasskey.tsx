import { useId, useState } from 'react'
import { addPasskey, type AddedPasskey, canCreatePasskeys } from '../../../api/passkeys.ts'
import { ApiProblem } from '../../../api/problem.ts'
import { Field } from '@homing/theme/parts/Field.tsx'
import { Message } from '@homing/theme/parts/Message.tsx'
import { useWrite } from '@homing/theme/parts/use-write.ts'
import { deviceOf } from '../../../components/device.ts'
import { SettingsForm } from '../../frame/SettingsForm.tsx'

const NAME_LIMIT = 50
const PROPOSED_NAME = deviceOf(navigator.userAgent)

/** Adds a passkey with a name. The first proposal is this device. */
export function AddPasskey({ onAdded }: { readonly onAdded: (passkey: AddedPasskey) => void }) {
  const [name, setName] = useState(PROPOSED_NAME)
  const titleId = useId()
  const { mutate, isPending, error } = useWrite({
    mutationFn: addPasskey,
    onSuccess: onAdded,
  })
  return (
    <section className="card section-card" aria-labelledby={titleId}>
      <h2 id={titleId}>Add a passkey</h2>
      <p>
        From the first passkey on, signing in with your password requires a second step, and update
        URLs refuse your account password. Adding a passkey ends your other sessions.
      </p>
      {canCreatePasskeys() ? (
        <SettingsForm
          submit={{ label: 'Add Passkey', busyLabel: 'Waiting for your device...' }}
          isProposal
          isDirty={name !== PROPOSED_NAME}
          blockedBy={name.trim() === '' ? 'Enter a name for the passkey.' : undefined}
          isBusy={isPending}
          error={error}
          fields={['name']}
          guard="none"
          onSubmit={() => mutate(name.trim())}
        >
          <Field
            label="Name of the passkey"
            name="name"
            autoComplete="off"
            value={name}
            help="A name to recognise the passkey by."
            error={error instanceof ApiProblem ? error.of('name') : undefined}
            inputProps={{ maxLength: NAME_LIMIT }}
            onChange={(event) => setName(event.target.value)}
          />
        </SettingsForm>
      ) : (
        <Message tone="info">
          <p>
            This browser cannot create a passkey here. Open this page over HTTPS in a browser that
            supports passkeys.
          </p>
        </Message>
      )}
    </section>
  )
}

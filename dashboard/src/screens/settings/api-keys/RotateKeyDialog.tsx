import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type ApiKey, apiKeysQuery, rotateApiKey, type SecretKey } from '../../../api/api-keys.ts'
import { isDeclined } from '../../../api/confirmation.ts'
import { Failure } from '@homing/theme/parts/Failure.tsx'
import { Modal } from '@homing/theme/parts/Modal.tsx'
import { useWrite } from '@homing/theme/parts/use-write.ts'
import { Radios } from '../../../components/Choices.tsx'

interface RotateKeyDialogProps {
  readonly apiKey: ApiKey
  readonly onClose: () => void
  readonly onRotated: (rotated: SecretKey) => void
}

type Overlap = '0' | '1' | '24' | '168'

const OVERLAPS: readonly { readonly value: Overlap; readonly label: string }[] = [
  { value: '0', label: 'Ends now' },
  { value: '1', label: 'Works for 1 hour' },
  { value: '24', label: 'Works for 24 hours' },
  { value: '168', label: 'Works for 7 days' },
]

/** Gives a key another secret. The former one can keep working while the user replaces it. */
export default function RotateKeyDialog({ apiKey, onClose, onRotated }: RotateKeyDialogProps) {
  const [overlap, setOverlap] = useState<Overlap>('24')
  const queries = useQueryClient()
  const { mutate, isPending, error } = useWrite({
    mutationFn: () => rotateApiKey(apiKey.id, Number(overlap)),
    onSuccess(rotated) {
      void queries.invalidateQueries({ queryKey: apiKeysQuery.queryKey })
      onRotated(rotated)
    },
  })
  return (
    <Modal
      title={`Rotate “${apiKey.name}”`}
      submit={{ label: 'Rotate', busyLabel: 'Rotating...' }}
      isBusy={isPending}
      onClose={onClose}
      onSubmit={mutate}
    >
      {error && !isDeclined(error) && <Failure error={error} />}
      <p>The key gets a new secret, which is shown once. Its name and scope stay the same.</p>
      <Radios
        legend="The current secret"
        choices={OVERLAPS}
        value={overlap}
        onChange={setOverlap}
        help={
          overlap === '0'
            ? 'Choose this if somebody else knows the secret. Programs that use it are refused until you replace it.'
            : 'Programs that use it keep working while you replace it.'
        }
      />
      {apiKey.former_secret !== null && (
        <p>
          The secret before it, which starts with{' '}
          <code className="monospace">{apiKey.former_secret.prefix}</code>, ends now.
        </p>
      )}
    </Modal>
  )
}

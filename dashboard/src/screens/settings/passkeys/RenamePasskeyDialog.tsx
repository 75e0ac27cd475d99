import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Passkey, passkeysQuery, renamePasskey } from '../../../api/passkeys.ts'
import { ApiProblem } from '../../../api/problem.ts'
import { Failure } from '@homing/theme/parts/Failure.tsx'
import { Field } from '@homing/theme/parts/Field.tsx'
import { Modal } from '@homing/theme/parts/Modal.tsx'
import { useWrite } from '@homing/theme/parts/use-write.ts'

interface RenamePasskeyDialogProps {
  readonly passkey: Passkey
  readonly onClose: () => void
}

export function RenamePasskeyDialog({ passkey, onClose }: RenamePasskeyDialogProps) {
  const queries = useQueryClient()
  const [name, setName] = useState(passkey.name)
  const { mutate, isPending, error } = useWrite({
    mutationFn: () => renamePasskey(passkey.id, name.trim()),
    onSuccess() {
      void queries.invalidateQueries({ queryKey: passkeysQuery.queryKey })
      onClose()
    },
  })
  const fault = error instanceof ApiProblem ? error.of('name') : undefined
  return (
    <Modal
      title="Rename passkey"
      submit={{ label: 'Rename', busyLabel: 'Renaming...' }}
      isBusy={isPending}
      isDisabled={name.trim() === '' || name.trim() === passkey.name}
      onClose={onClose}
      onSubmit={() => mutate()}
    >
      {error && fault === undefined && <Failure error={error} />}
      <Field
        label="Name of the passkey"
        name="name"
        autoFocus
        autoComplete="off"
        value={name}
        error={fault}
        inputProps={{ maxLength: 50 }}
        onChange={(event) => setName(event.target.value)}
      />
    </Modal>
  )
}

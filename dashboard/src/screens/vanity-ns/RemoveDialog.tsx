import { Failure } from '@homing/theme/parts/Failure.tsx'
import { Modal } from '@homing/theme/parts/Modal.tsx'
import { notify } from '@homing/theme/parts/Notices.tsx'
import { useWrite } from '@homing/theme/parts/use-write.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { isDeclined } from '../../api/confirmation.ts'
import { type OwnZone, reloadOwnZones, removeVanity } from '../../api/own-zones.ts'
import { deletionOf } from '../../api/problem.ts'
import { isTyped, TypedName } from '../own-zones/TypedName.tsx'

interface RemoveDialogProps {
  readonly zone: OwnZone
  readonly onClose: () => void
}

export function RemoveDialog({ zone: { zone, nameservers }, onClose }: RemoveDialogProps) {
  const queries = useQueryClient()
  const [typed, setTyped] = useState('')
  const { mutate, isPending, error } = useWrite({
    mutationFn: async () => deletionOf(removeVanity()),
    onSuccess() {
      notify({ kind: 'success', text: 'The vanity name servers were removed.' })
      onClose()
    },
    onSettled: () => void reloadOwnZones(queries),
  })
  return (
    <Modal
      title="Remove the vanity name servers?"
      submit={{ label: 'Remove', busyLabel: 'Removing...', isDanger: true }}
      isBusy={isPending}
      isDisabled={!isTyped(typed, zone)}
      onClose={onClose}
      onSubmit={() => mutate()}
    >
      {error && !isDeclined(error) && (
        <Failure error={error} otherwise="The name servers were not removed" />
      )}
      <p>
        {nameservers.map(({ hostname }) => hostname).join(' and ')} stop being name servers. Until
        you set the name servers of Homing at your registrar, {zone} is not checked as right.
      </p>
      <p>The zone with its records and domains stays.</p>
      <TypedName name={zone} value={typed} onChange={setTyped} />
    </Modal>
  )
}

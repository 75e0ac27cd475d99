import { readableName } from '../../components/unicode-name.ts'
import { counted } from '@homing/theme/formats'
import { Failure } from '@homing/theme/parts/Failure.tsx'
import { Modal } from '@homing/theme/parts/Modal.tsx'
import { notify } from '@homing/theme/parts/Notices.tsx'
import { useWrite } from '@homing/theme/parts/use-write.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { isDeclined } from '../../api/confirmation.ts'
import { deleteOwnZone, type OwnZone, reloadOwnZones } from '../../api/own-zones.ts'
import { deletionOf } from '../../api/problem.ts'
import { go, hashOf } from '../../routes.ts'
import { reloadDomains } from '../dashboard/reload-domains.ts'
import { isTyped, TypedName } from './TypedName.tsx'

interface DeleteZoneDialogProps {
  readonly zone: OwnZone
  readonly onClose: () => void
}

/** What is deleted with the zone, for good. */
function Contents({ zone: { records, domains } }: Pick<DeleteZoneDialogProps, 'zone'>) {
  const parts = [
    ...(records === 0 ? [] : [counted(records, 'record')]),
    ...(domains === 0
      ? []
      : [`${counted(domains, 'domain')}, with forwards, monitors and update tokens`]),
  ]
  if (parts.length === 0) return null
  return (
    <>
      <p>With it are deleted:</p>
      <ul className="deleted-with">
        {parts.map((part) => (
          <li key={part}>{part}</li>
        ))}
      </ul>
    </>
  )
}

export function DeleteZoneDialog({ zone, onClose }: DeleteZoneDialogProps) {
  const queries = useQueryClient()
  const [typed, setTyped] = useState('')
  const { mutate, isPending, error } = useWrite({
    mutationFn: async () => deletionOf(deleteOwnZone(zone)),
    onSuccess() {
      notify({ kind: 'success', text: `${readableName(zone.zone)} was deleted.` })
      go(hashOf('zones'), { replace: true })
    },
    onSettled() {
      void reloadOwnZones(queries)
      void reloadDomains(queries)
    },
  })
  return (
    <Modal
      title="Delete zone?"
      submit={{ label: 'Delete', busyLabel: 'Deleting...', isDanger: true }}
      isBusy={isPending}
      isDisabled={!isTyped(typed, zone.zone)}
      onClose={onClose}
      onSubmit={() => mutate()}
    >
      {error && !isDeclined(error) && (
        <Failure error={error} otherwise="The zone was not deleted" />
      )}
      <p>
        Homing stops answering for <strong className="monospace">{zone.zone}</strong>. Set other
        name servers at your registrar first, or nobody reaches the domain. A deleted zone cannot be
        restored.
      </p>
      <Contents zone={zone} />
      <TypedName name={zone.zone} value={typed} onChange={setTyped} />
    </Modal>
  )
}

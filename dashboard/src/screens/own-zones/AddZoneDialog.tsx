/** Claims a domain as an own zone. */
import { readableName } from '../../components/unicode-name.ts'
import { CheckField } from '@homing/theme/parts/CheckField.tsx'
import { Failure } from '@homing/theme/parts/Failure.tsx'
import { Field } from '@homing/theme/parts/Field.tsx'
import { Modal } from '@homing/theme/parts/Modal.tsx'
import { notify } from '@homing/theme/parts/Notices.tsx'
import { useWrite } from '@homing/theme/parts/use-write.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  createOwnZone,
  type NewOwnZone,
  ownZonesQuery,
  reloadOwnZones,
  vanityQuery,
} from '../../api/own-zones.ts'
import { RepeatableChange } from '../../api/repeatable-change.ts'
import { useDialogPart } from '../../dialog-url.ts'
import { go, hashOf } from '../../routes.ts'
import { LeaveGuard } from '../frame/LeaveGuard.tsx'
import { domainFault } from './domain-fault.ts'

interface VanityChoiceProps {
  readonly isChosen: boolean
  readonly onChange: (isChosen: boolean) => void
}

/** The vanity name servers of the account, or the way to them. */
function VanityChoice({ isChosen, onChange }: VanityChoiceProps) {
  const { data: status } = useQuery(vanityQuery)
  if (status === undefined) return null
  const { nameservers } = status
  if (nameservers === null) {
    return (
      <p className="muted">
        The zone gets the name servers of Homing. For name servers with your own name, first{' '}
        <a className="own-link" href={hashOf('vanity-nameservers')}>
          set up vanity name servers
        </a>
        .
      </p>
    )
  }
  return (
    <CheckField
      name="uses_vanity"
      isChecked={isChosen}
      onChange={onChange}
      help={
        status.verified
          ? `${nameservers.ns1.hostname} and ${nameservers.ns2.hostname}, instead of those of Homing.`
          : `${nameservers.ns1.hostname} and ${nameservers.ns2.hostname}. They are not verified yet, so the zone cannot work before they do.`
      }
    >
      Use my vanity name servers
    </CheckField>
  )
}

export function AddZoneDialog({ onClose }: { readonly onClose: () => void }) {
  const queries = useQueryClient()
  const [again = ''] = useDialogPart()
  const [domain, setDomain] = useState(again)
  const [usesVanity, setUsesVanity] = useState(false)
  const [change] = useState(() => new RepeatableChange())
  const body: NewOwnZone = { domain: domain.trim(), ...(usesVanity && { uses_vanity: true }) }
  const { mutate, isPending, error, reset } = useWrite({
    mutationFn: () => change.send(body, createOwnZone),
    onSuccess(zone) {
      queries.setQueryData(ownZonesQuery.queryKey, (shown) => shown && [...shown, zone])
      void reloadOwnZones(queries)
      notify({
        kind: 'success',
        text: `${readableName(zone.zone)} was added. Now prove that it is yours.`,
      })
      onClose()
      go(hashOf('zones', {}, zone.id), { replace: true })
    },
  })
  const fault = domainFault(error)
  return (
    <Modal
      title="Add an own zone"
      submit={{ label: 'Add Zone', busyLabel: 'Adding...' }}
      isBusy={isPending}
      isDisabled={domain.trim() === ''}
      onClose={onClose}
      onSubmit={() => mutate()}
    >
      {error && fault === undefined && <Failure error={error} otherwise="The zone was not added" />}
      <Field
        label="Domain"
        name="domain"
        autoFocus
        isMonospace
        autoComplete="off"
        value={domain}
        error={fault}
        help="A domain that you registered at a registrar, such as example.com."
        inputProps={{ maxLength: 253, spellCheck: false, autoCapitalize: 'none', inputMode: 'url' }}
        onChange={(event) => {
          if (error) reset()
          setDomain(event.target.value)
        }}
      />
      <VanityChoice isChosen={usesVanity} onChange={setUsesVanity} />
      <p className="muted">
        Nothing changes for the domain until you set the name servers at your registrar.
      </p>
      {domain !== again && !isPending && <LeaveGuard isInDialog />}
    </Modal>
  )
}

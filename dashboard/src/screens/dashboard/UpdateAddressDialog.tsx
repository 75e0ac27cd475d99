import { useState } from 'react'
import { type AddressChange, type Domain, readDomain, updateDomain } from '../../api/domains.ts'
import { ApiProblem } from '../../api/problem.ts'
import { Failure } from '@homing/theme/parts/Failure.tsx'
import { Field } from '@homing/theme/parts/Field.tsx'
import { Message } from '@homing/theme/parts/Message.tsx'
import { Modal } from '@homing/theme/parts/Modal.tsx'
import { useWrite } from '@homing/theme/parts/use-write.ts'
import { addressesOf, changeFrom, isChange, type TypedAddresses } from './address-change.ts'
import { typeOfAddress } from './new-name.ts'
import { OwnAddressButton } from './OwnAddressButton.tsx'
import { type SavedAddresses, useSavedNotice } from './saved-notice.ts'

interface UpdateAddressDialogProps {
  /** The domain that the user saw when the dialog opened. */
  readonly domain: Domain
  readonly onClose: () => void
}

const isConflict = (error: Error | null): boolean =>
  error instanceof ApiProblem && error.status === 412

const shown = (address: string) => (address === '' ? 'not set' : address)

/** Shows both versions side by side: the current one at the service, and the user's. */
function Conflict({
  theirs,
  mine,
}: {
  readonly theirs: TypedAddresses
  readonly mine: TypedAddresses
}) {
  return (
    <Message tone="warn">
      <p>Another client has changed this domain. If you save, you replace its change.</p>
      <table className="versions">
        <thead>
          <tr>
            <td />
            <th scope="col">Now</th>
            <th scope="col">Yours</th>
          </tr>
        </thead>
        <tbody>
          {(['ipv4', 'ipv6'] as const).map((family) => (
            <tr key={family}>
              <th scope="row">{family === 'ipv4' ? 'IPv4' : 'IPv6'}</th>
              <td className="monospace">{shown(theirs[family])}</td>
              <td className="monospace">{shown(mine[family].trim())}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Message>
  )
}

/** Saves a change if the domain still has the version that the user saw. After a conflict, that is the new version. */
function useSave(opened: Domain, onSaved: (saved: SavedAddresses) => void) {
  const [domain, setDomain] = useState(opened)
  const mutation = useWrite({
    async mutationFn(change: AddressChange): Promise<SavedAddresses> {
      const after = await updateDomain(domain.id, domain.version, change)
      return { before: domain, after, change }
    },
    onSuccess: onSaved,
    async onError(error) {
      if (isConflict(error)) setDomain(await readDomain(domain.id))
    },
  })
  return { domain, ...mutation }
}

export default function UpdateAddressDialog({ domain: opened, onClose }: UpdateAddressDialogProps) {
  const [typed, setTyped] = useState(() => addressesOf(opened))
  const tell = useSavedNotice()
  const { domain, mutate, isPending, error, reset } = useSave(opened, (saved) => {
    tell(saved)
    onClose()
  })
  const change = changeFrom(addressesOf(domain), typed)
  const hasConflict = isConflict(error)
  const problem = error instanceof ApiProblem ? error : undefined
  const errors = { ipv4: problem?.of('record_ipv4'), ipv6: problem?.of('record_ipv6') }
  const isElsewhere = !hasConflict && errors.ipv4 === undefined && errors.ipv6 === undefined

  function type(addresses: Partial<TypedAddresses>): void {
    if (!hasConflict) reset()
    setTyped({ ...typed, ...addresses })
  }
  return (
    <Modal
      title={`Update ${domain.fqdn}`}
      submit={{ label: hasConflict ? 'Save Mine' : 'Update', busyLabel: 'Saving...' }}
      isBusy={isPending}
      isDisabled={!isChange(change)}
      onClose={onClose}
      onSubmit={() => mutate(change)}
    >
      {hasConflict && <Conflict theirs={addressesOf(domain)} mine={typed} />}
      {error && isElsewhere && <Failure error={error} otherwise="Failed to update domain" />}
      {(['ipv4', 'ipv6'] as const).map((family) => (
        <Field
          key={family}
          label={family === 'ipv4' ? 'IPv4 address' : 'IPv6 address'}
          autoFocus={family === (opened.rrtype === 'A' ? 'ipv4' : 'ipv6')}
          isMonospace
          autoComplete="off"
          value={typed[family]}
          error={errors[family]}
          inputProps={{ maxLength: 64, spellCheck: false, autoCapitalize: 'none' }}
          onChange={(event) => type({ [family]: event.target.value })}
        />
      ))}
      <OwnAddressButton
        onAddress={(address) =>
          type(typeOfAddress(address) === 'AAAA' ? { ipv6: address } : { ipv4: address })
        }
      />
      <p className="muted">
        {isChange(change)
          ? 'Leave a field empty to remove that address.'
          : 'Change an address, or leave a field empty to remove that address.'}
      </p>
    </Modal>
  )
}

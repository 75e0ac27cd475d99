import { ownAddress } from '../../api/own-address.ts'
import { announce } from '@homing/theme/parts/Announcer.tsx'
import { useWrite } from '@homing/theme/parts/use-write.ts'

/** Fills in the address from which this browser reaches the service. */
export function OwnAddressButton({ onAddress }: { readonly onAddress: (address: string) => void }) {
  const { mutate, error } = useWrite({
    mutationFn: ownAddress,
    onSuccess(address) {
      onAddress(address)
      announce(`Your address is ${address}`)
    },
  })
  return (
    <div>
      <button type="button" className="text-button" onClick={() => mutate()}>
        Use my address
      </button>
      {error && (
        <p role="alert" className="field-error">
          {error.message}
        </p>
      )}
    </div>
  )
}

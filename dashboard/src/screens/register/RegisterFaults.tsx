import { Failure } from '@homing/theme/parts/Failure.tsx'
import type { Faults } from './faults.ts'

/** An error of the registration that belongs to no field. */
export function RegisterFaults({ faults }: { readonly faults: Faults }) {
  const { text, requestId } = faults
  if (text === undefined) return null
  return <Failure error={Object.assign(new Error(text), { requestId })} />
}

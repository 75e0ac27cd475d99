import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type AddedPasskey, passkeysQuery } from '../../../api/passkeys.ts'
import { notify } from '@homing/theme/parts/Notices.tsx'
import { Loaded } from '../../../components/Loaded.tsx'
import { RecoveryCodes } from '../RecoveryCodes.tsx'
import { AddPasskey } from './AddPasskey.tsx'
import { PasskeyList } from './PasskeyList.tsx'

export default function PasskeysSection() {
  const query = useQuery(passkeysQuery)
  const queries = useQueryClient()
  const [codes, setCodes] = useState<readonly string[]>()

  function added({ name, recovery_codes }: AddedPasskey): void {
    notify({ kind: 'success', text: `The passkey “${name}” was added.` })
    if (recovery_codes !== null) setCodes(recovery_codes)
    // The change also ends other sessions.
    void queries.invalidateQueries()
  }
  if (codes !== undefined) return <RecoveryCodes codes={codes} onDone={() => setCodes(undefined)} />
  return (
    <>
      <Loaded query={query}>
        {(passkeys) => <PasskeyList passkeys={passkeys} isFetching={query.isFetching} />}
      </Loaded>
      <AddPasskey onAdded={added} />
    </>
  )
}

/** Adds one domain, or the domains of a pasted list. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { zonesQuery } from '../../../api/account.ts'
import type { Domain } from '../../../api/domains.ts'
import { Failure } from '@homing/theme/parts/Failure.tsx'
import { useDialogPart } from '../../../dialog-url.ts'
import { useLimitReason } from '../limit-reason.ts'
import { ManyDomains } from './ManyDomains.tsx'
import { OneDomain } from './OneDomain.tsx'
import './add-domain.css'

interface AddDomainDialogProps {
  /** The domain that the user looked up before they signed in. */
  readonly wish?: string | undefined
  readonly onClose: () => void
  /** For one domain. Its owner sets up the router next. */
  readonly onAdded: (domain: Domain) => void
}

export default function AddDomainDialog({ wish, onClose, onAdded }: AddDomainDialogProps) {
  const { data: zones = [], error, refetch } = useQuery(zonesQuery)
  const [list, setList] = useState<{ readonly text: string; readonly zone: string }>()
  const [zone] = useDialogPart()
  const limitReason = useLimitReason()
  if (list !== undefined) {
    return <ManyDomains start={list} zones={zones} limitReason={limitReason} onClose={onClose} />
  }
  return (
    <OneDomain
      zones={zones}
      zonesFailure={error && <Failure error={error} onRetry={() => void refetch()} />}
      wish={wish}
      zone={zones.find((each) => each === zone)}
      limitReason={limitReason}
      onLines={(text, zone) => setList({ text, zone })}
      onClose={onClose}
      onAdded={onAdded}
    />
  )
}

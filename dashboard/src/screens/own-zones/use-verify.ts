import { useWrite } from '@homing/theme/parts/use-write.ts'
import { useQueryClient } from '@tanstack/react-query'
import {
  type OwnZone,
  reloadOwnZones,
  showOwnZone,
  type VanityVerification,
  vanityQuery,
  verifyOwnZone,
  verifyVanity,
} from '../../api/own-zones.ts'
import { isBroken } from './zone-words.ts'

type Verdict = Pick<VanityVerification, 'status' | 'message' | 'zone'>

function verdictOf(zone: OwnZone): Verdict {
  const isVerified = zone.state === 'active' && !isBroken(zone)
  return { status: isVerified ? 'verified' : 'pending', message: messageOf(zone, isVerified), zone }
}

function messageOf(zone: OwnZone, isVerified: boolean): string {
  if (isVerified) return `The delegation is correct. DNS serves ${zone.zone}.`
  return zone.state === 'pending' && zone.last_check?.is_right === true
    ? 'The delegation is correct. Prove that you own the domain, as described on this page.'
    : 'The check found errors. They are listed below.'
}

/** Checks a zone now. A check that finds an error is a result, not an error. */
export function useVerify(id: string) {
  const queries = useQueryClient()
  return useWrite({
    mutationFn: async () => verdictOf(await verifyOwnZone(id)),
    onSuccess: ({ zone }) => showOwnZone(queries, zone),
    onSettled: () => void reloadOwnZones(queries),
  })
}

/** Checks the vanity name servers now. */
export function useVerifyVanity() {
  const queries = useQueryClient()
  return useWrite({
    mutationFn: verifyVanity,
    onSuccess({ status, zone }) {
      const isVerified = status === 'verified'
      queries.setQueryData(
        vanityQuery.queryKey,
        (shown) =>
          shown && { ...shown, zone, verified: isVerified, verification_pending: !isVerified },
      )
    },
    onSettled: () => void reloadOwnZones(queries),
  })
}

export type VanityCheck = ReturnType<typeof useVerifyVanity>

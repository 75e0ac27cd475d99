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
  return {
    status: isVerified ? 'verified' : 'pending',
    message: isVerified
      ? `The check found everything right. DNS serves ${zone.zone}.`
      : 'The check found something wrong. See below what to correct.',
    zone,
  }
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

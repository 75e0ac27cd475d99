/** Words about a name that several components share. */
import { Type } from 'typebox'

export const RrType = Type.Enum(['A', 'AAAA'], {
  description: 'A for an IPv4 address, AAAA for an IPv6 address.',
})

/** Why a name is kept and not served. */
export const WITHHELD_REASONS = ['locked', 'paused', 'over_limit', 'owner_blocked'] as const

import type { Domain } from '../../api/domains.ts'

const LOCKED = 'An administrator locked this domain, so it cannot be changed.'

/** Why a locked domain cannot be changed; undefined: it is not locked. Its note, tags and update token can. */
export const lockOf = ({ withheld_by }: Pick<Domain, 'withheld_by'>): string | undefined =>
  withheld_by.includes('locked') ? LOCKED : undefined

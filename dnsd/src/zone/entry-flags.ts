import { TYPE } from '../names/index.ts'
import { ALIAS, DELEGATES, REDIRECTS } from '../table/index.ts'
import type { OwnerState, RRset } from './rrset.ts'

/** What an entry's flags say of its own records. */
export function flagsFor(rrsets: readonly RRset[]): number {
  let flags = 0
  for (const { type } of rrsets) {
    if (type === TYPE.NS) flags |= DELEGATES
    else if (type === TYPE.DNAME) flags |= REDIRECTS
    else if (type === TYPE.CNAME) flags |= ALIAS
  }
  return flags
}

/** Whether a state keeps questions for names below from going further: a cut or a redirection, below the apex. */
export function hides({ owner, rrsets }: OwnerState, origin: Uint8Array): boolean {
  if (rrsets === null || owner.length === origin.length) return false
  return (flagsFor(rrsets) & (DELEGATES | REDIRECTS)) !== 0
}

import { TYPE } from '../names/index.ts'
import { ALIAS, DELEGATES, REDIRECTS } from '../table/index.ts'
import type { OwnerState, RRset } from './rrset.ts'

/** The flags of an entry that follow from its own records. */
export function flagsFor(rrsets: readonly RRset[]): number {
  let flags = 0
  for (const { type } of rrsets) {
    if (type === TYPE.NS) flags |= DELEGATES
    else if (type === TYPE.DNAME) flags |= REDIRECTS
    else if (type === TYPE.CNAME) flags |= ALIAS
  }
  return flags
}

/** Whether a state hides the names below it from queries: a zone cut or a redirection, below the apex. */
export function hides({ owner, rrsets }: OwnerState, apex: Uint8Array): boolean {
  if (rrsets === null || owner.length === apex.length) return false
  return (flagsFor(rrsets) & (DELEGATES | REDIRECTS)) !== 0
}

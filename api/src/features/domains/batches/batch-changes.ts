/** The changes and deletions of a batch. Each follows the rules of a single one. Their rows are locked. */
import type { BatchChange, BatchDelete } from '@homing/openapi'
import type { Knex } from 'knex'
import type { Actor, AddressChange } from '../../../feed/address-change.ts'
import { judge } from '../../../feed/address-batch.ts'
import type { DomainRow } from '../../../feed/rows.ts'
import { domainLocked } from '../../../rules/errors.ts'
import { heldTypes, type Reach, recordTypesOf, requireWithin } from '../../../rules/key-scope.ts'
import type { Services } from '../../../compose.ts'
import { readAddresses } from '../address-input.ts'
import { changeRefusal } from '../change-refusals.ts'
import type { BatchLine } from './batch-line.ts'
import type { Subject } from './batch-subjects.ts'

export type ChangeSubject = Subject<BatchLine<BatchChange>>
export type DeleteSubject = Subject<BatchLine<BatchDelete>>

interface Judging {
  readonly services: Services
  readonly reach: Reach
  readonly actor: Actor
}

/** The change that a line asks for; undefined when its addresses are invalid or outside the scope of the key. */
function changeOf(
  { services, reach, actor }: Judging,
  { line, domain }: ChangeSubject,
): AddressChange | undefined {
  const { config } = services
  const { operation } = line
  const input = line.check(() => {
    const addresses = readAddresses(operation, domain.rrtype, config.addressPolicy)
    requireWithin(reach, { recordTypes: recordTypesOf(addresses) })
    return addresses
  })
  if (input === undefined) return undefined
  return {
    domainId: domain.id,
    userId: reach.userId,
    ipv4: input.ipv4,
    ipv6: input.ipv6,
    expectedVersion: operation.version,
    isThrottled: config.rateLimits,
    actor,
  }
}

export interface JudgedChanges {
  /** The changes to write. */
  readonly due: readonly AddressChange[]
  /** The names of the domains that already have the addresses. */
  readonly unchanged: readonly string[]
}

/** Judges the changes as the coalescer does, and refuses those that do not apply. */
export async function judgeChanges(
  trx: Knex.Transaction,
  judging: Judging,
  subjects: readonly ChangeSubject[],
): Promise<JudgedChanges> {
  const asked = subjects.flatMap((subject) => {
    const change = changeOf(judging, subject)
    return change === undefined ? [] : [{ subject, change }]
  })
  if (asked.length === 0) return { due: [], unchanged: [] }
  const changes = asked.map(({ change }) => change)
  const judgements = await judge(trx, changes)
  const unchanged: string[] = []
  const due = asked.flatMap(({ subject, change }, n) => {
    const judgement = judgements[n]
    if (judgement === undefined) throw new Error('each change has one judgement')
    const { line, domain } = subject
    if (judgement.kind === 'change') return [change]
    if (judgement.kind === 'unchanged') unchanged.push(domain.fqdn)
    else if (judgement.kind !== 'changed') line.refuse(changeRefusal(judgement, domain.fqdn))
    return []
  })
  return { due, unchanged }
}

/** Refuses the deletions of locked domains, of other versions, and outside the scope of the key. */
export function judgeDeletions(
  reach: Reach,
  subjects: readonly DeleteSubject[],
  rows: readonly DomainRow[],
): void {
  const locked = new Set(rows.flatMap((row) => (row.locked ? [row.id, row.base_id] : [])))
  const versions = new Map(rows.map(({ id, version }) => [id, version]))
  for (const { line, domain } of subjects) {
    const { fqdn, id } = domain
    line.check(() => requireWithin(reach, { recordTypes: heldTypes(domain) }))
    if (locked.has(id)) line.refuse(domainLocked(fqdn, 'it cannot be deleted'))
    const version = versions.get(id) ?? 0
    const expected = line.operation.version
    if (expected !== undefined && expected !== version) {
      line.refuse(changeRefusal({ kind: 'version-mismatch', version }, fqdn))
    }
  }
}

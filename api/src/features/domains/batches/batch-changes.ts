/** The changes and deletions of a batch. Each follows the rules of a single one. Their rows are locked. */
import type { BatchChange, BatchDelete } from '@homing/openapi'
import type { Knex } from 'knex'
import type { Actor, AddressChange } from '../../../feed/address-change.ts'
import { judge } from '../../../feed/address-batch.ts'
import type { HeldChange } from '../../../feed/change-domain.ts'
import type { DomainRow } from '../../../feed/rows.ts'
import { domainLocked, notFound } from '../../../rules/errors.ts'
import { servedTypes } from '../../../feed/served-types.ts'
import { type Reach, recordTypesOf, requireWithin } from '../../../rules/key-scope.ts'
import type { Services } from '../../../compose.ts'
import { readAddresses } from '../address-input.ts'
import { changeRefusal } from '../change-refusals.ts'
import { disabledForwards, keptByForward } from '../disabled-forwards.ts'
import type { BatchLine } from './batch-line.ts'
import { judgeSettings, type LineSettings, readLineSettings } from './batch-settings.ts'
import type { Subject } from './batch-subjects.ts'

export type ChangeSubject = Subject<BatchLine<BatchChange>>
export type DeleteSubject = Subject<BatchLine<BatchDelete>>

interface Judging {
  readonly services: Services
  readonly reach: Reach
  readonly actor: Actor
}

/** A change whose fields are valid and within the scope of the key. */
interface AskedChange {
  readonly subject: ChangeSubject
  readonly base: DomainRow
  readonly change: AddressChange
  /** Pause, note and tags; undefined without any of them. */
  readonly settings: LineSettings | undefined
}

/**
 * What a line asks for; undefined when it is invalid or outside the scope of the key.
 *
 * @param types those of all records of the domain, which a pause takes out of DNS
 */
function askedBy(
  { services, reach, actor }: Judging,
  subject: ChangeSubject,
  { base, types }: { readonly base: DomainRow; readonly types: readonly string[] },
): AskedChange | undefined {
  const { config } = services
  const { line, domain } = subject
  const { operation } = line
  return line.check(() => {
    const { ipv4, ipv6 } = readAddresses(operation, domain.rrtype, config.addressPolicy)
    const settings = readLineSettings(operation, base)
    requireWithin(reach, { recordTypes: recordTypesOf({ ipv4, ipv6 }) })
    if (settings?.paused !== undefined) requireWithin(reach, { recordTypes: types })
    const change = {
      domainId: domain.id,
      userId: reach.userId,
      ipv4,
      ipv6,
      expectedVersion: operation.version,
      isThrottled: config.rateLimits,
      actor,
    }
    return { subject, base, change, settings }
  })
}

export interface JudgedChanges {
  /** The changes of addresses alone that have to be written. */
  readonly due: readonly AddressChange[]
  /** The changes of pause and tags, with the addresses of the same lines. */
  readonly settings: readonly HeldChange[]
  /** The names of the domains that already have the addresses. */
  readonly unchanged: readonly string[]
}

const hasAddress = ({ change: { ipv4, ipv6 } }: AskedChange) =>
  ipv4 !== undefined || ipv6 !== undefined

/** Judges the changes as the coalescer and `change-settings.ts` do, and refuses those that do not apply. */
export async function judgeChanges(
  trx: Knex.Transaction,
  judging: Judging,
  subjects: readonly ChangeSubject[],
  rows: readonly DomainRow[],
): Promise<JudgedChanges> {
  const byId = new Map(rows.map((row) => [row.id, row]))
  const served = await servedTypes(
    trx,
    judging.reach,
    subjects.map(({ domain }) => domain.id),
  )
  const asked = subjects.flatMap((subject) => {
    const base = byId.get(subject.domain.id)
    if (base === undefined) subject.line.refuse(notFound('domain'))
    const types = served.get(subject.domain.id) ?? []
    const ask = base && askedBy(judging, subject, { base, types })
    return ask === undefined ? [] : [ask]
  })
  // Pause, tags and the monitor of a withheld domain can change, so only their lines with addresses are judged.
  const moving = asked.filter((ask) => hasAddress(ask) || isEmpty(ask))
  const judgements =
    moving.length === 0
      ? []
      : await judge(
          trx,
          moving.map(({ change }) => change),
        )
  const moved = new Set<AskedChange>()
  const unchanged: string[] = []
  for (const [n, ask] of moving.entries()) {
    const judgement = judgements[n]
    if (judgement === undefined) throw new Error('each change has one judgement')
    const { line, domain } = ask.subject
    if (judgement.kind === 'change') moved.add(ask)
    else if (judgement.kind === 'unchanged') unchanged.push(domain.fqdn)
    else if (judgement.kind !== 'changed') line.refuse(changeRefusal(judgement, domain.fqdn))
  }
  const settings = asked.flatMap((ask) => settingsChange(ask, moved.has(ask)))
  await judgeSettings(trx, settings)
  return {
    due: asked.filter((ask) => ask.settings === undefined && moved.has(ask)).map(changeOfAsk),
    settings,
    unchanged,
  }
}

/** Whether a line changes nothing at all. It is judged like one with the addresses that the domain has. */
const isEmpty = ({ settings, subject: { line } }: AskedChange) =>
  settings === undefined && line.operation.monitor === undefined

const changeOfAsk = ({ change }: AskedChange) => change

/** The change of a line with settings, with its addresses only if they are new. */
function settingsChange({ subject, base, change, settings }: AskedChange, isMoved: boolean) {
  if (settings === undefined) return []
  const { ipv4, ipv6, isThrottled = false } = change
  const values = isMoved ? { ipv4, ipv6, ...settings } : settings
  return [{ line: subject.line, base, values, needsAllowance: isThrottled && !isMoved }]
}

/**
 * Refuses the deletions of locked domains, of domains with a disabled web forward, of other versions, and outside the
 * scope of the key.
 */
export async function judgeDeletions(
  trx: Knex.Transaction,
  reach: Reach,
  subjects: readonly DeleteSubject[],
  rows: readonly DomainRow[],
): Promise<void> {
  const ids = subjects.map(({ domain }) => domain.id)
  const disabled = await disabledForwards(trx, ids)
  const served = await servedTypes(trx, reach, ids)
  const locked = new Set(rows.flatMap((row) => (row.locked ? [row.id, row.base_id] : [])))
  const versions = new Map(rows.map(({ id, version }) => [id, version]))
  for (const { line, domain } of subjects) {
    const { fqdn, id } = domain
    line.check(() => requireWithin(reach, { recordTypes: served.get(id) ?? [] }))
    if (locked.has(id)) line.refuse(domainLocked(fqdn, 'it cannot be deleted'))
    const reason = disabled.get(id)
    if (reason !== undefined) line.refuse(keptByForward(fqdn, reason))
    const version = versions.get(id) ?? 0
    const expected = line.operation.version
    if (expected !== undefined && expected !== version) {
      line.refuse(changeRefusal({ kind: 'version-mismatch', version }, fqdn))
    }
  }
}

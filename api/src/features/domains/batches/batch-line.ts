/** An operation of a batch while it is checked: what is known about it, and why it is refused. */
import type { BatchOperation, BatchVerdict } from '@homing/openapi'
import type { KeyAction } from '@homing/openapi/vocabulary'
import { invalid, Refusal } from '../../../rules/errors.ts'
import type { DomainKey } from '../find-domain.ts'

/** The action that an API key must allow for each operation, as for the single call. */
export const ACTIONS: Readonly<Record<BatchOperation['op'], KeyAction>> = {
  create: 'create',
  change: 'update',
  delete: 'delete',
}

export class BatchLine<Operation extends BatchOperation = BatchOperation> {
  readonly index: number
  readonly operation: Operation
  id: string | null = null
  fqdn: string | null = null
  #refusal: Refusal | undefined

  constructor(operation: Operation, index: number) {
    this.operation = operation
    this.index = index
  }

  get isAllowed(): boolean {
    return this.#refusal === undefined
  }

  /** The first reason is kept: later ones often follow from it. */
  refuse(refusal: Refusal | undefined): void {
    this.#refusal ??= refusal
  }

  /** Runs a check whose refusal is about this line. @returns its result; undefined when it refused */
  check<T>(rule: () => T): T | undefined {
    try {
      return rule()
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      this.refuse(error)
      return undefined
    }
  }

  isOf<Op extends Operation['op']>(op: Op): this is BatchLine<Extract<Operation, { op: Op }>> {
    return this.operation.op === op
  }

  verdict(): BatchVerdict {
    const { index, id, fqdn } = this
    const { op } = this.operation
    const refusal = this.#refusal
    if (refusal === undefined) return { index, op, ok: true, id, fqdn }
    const { code, message: detail, faults } = refusal
    const field = faults[0]?.field
    const reason = field === undefined ? { code, detail } : { code, detail, field }
    return { index, op, ok: false, id, fqdn, ...reason }
  }
}

/**
 * How a change or a deletion identifies its domain.
 *
 * @throws Refusal `validation-failed`
 */
export function keyOfLine({
  id,
  fqdn,
}: {
  readonly id?: string
  readonly fqdn?: string
}): DomainKey {
  if (id !== undefined && fqdn === undefined) return { id }
  if (fqdn !== undefined && id === undefined) return { fqdn }
  const message = 'Give either id or fqdn, to say which domain it is.'
  throw invalid({ field: id === undefined ? 'fqdn' : 'id', message })
}

/** Refuses lines about a domain that an earlier line is about: their order would decide the result. */
export function refuseRepeated(lines: readonly BatchLine[]): void {
  const first = new Map<string, number>()
  for (const line of lines) {
    const { fqdn, index } = line
    if (fqdn === null) continue
    const earlier = first.get(fqdn)
    if (earlier === undefined) {
      first.set(fqdn, index)
      continue
    }
    const message = `${fqdn} is also in operation ${earlier}. A domain can occur once in a batch.`
    line.refuse(new Refusal('conflict', message, { faults: [{ field: 'fqdn', message }] }))
  }
}

/** The problem of a batch that is not applied: it names each refused line. */
export function batchRefused(lines: readonly BatchLine[]): Refusal {
  const verdicts = lines.map((line) => line.verdict())
  const refused = verdicts.filter(({ ok }) => !ok)
  const faults = refused.map(({ index, field, detail = '' }) => ({
    field: ['operations', index, ...(field === undefined ? [] : [field])].join('.'),
    message: detail,
  }))
  const count = `${refused.length} of ${verdicts.length} operations`
  const message = `Nothing was changed: the rules refuse ${count}. Correct or remove them, then send the batch again.`
  return new Refusal('batch-refused', message, { faults, members: { verdicts } })
}

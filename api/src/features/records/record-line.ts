/** An operation on a record while it is checked: what is known about it, and why it is refused. */
import type { RecordBatch, RecordVerdict } from '@homing/openapi'
import type { KeyAction } from '@homing/openapi/vocabulary'
import type { RecordRow } from '../../models/record.ts'
import { Refusal } from '../../rules/errors.ts'
import type { RecordSet } from '../../rules/records.ts'

/** What an operation asks for. Owner, type and values of a creation are read already. */
export type RecordWish =
  | { readonly op: 'create'; readonly set: WishedSet }
  | {
      readonly op: 'change'
      readonly id: string
      readonly ttl: number | undefined
      /** What the values are, read once the record is known. Undefined: they stay as they are. */
      readonly values: ReadValues | undefined
      readonly expects: ExpectedVersion
    }
  | { readonly op: 'delete'; readonly id: string; readonly expects: ExpectedVersion }
  /** Creates the record, or changes the one that is there. */
  | { readonly op: 'put'; readonly set: WishedSet }

/** The values as they are stored: their form depends on the type. @throws Refusal `record-not-allowed` */
export type ReadValues = (record: Pick<RecordRow, 'owner' | 'type'>) => readonly string[]

/** A record whose TTL depends on the plan, if it is undefined. */
export type WishedSet = Omit<RecordSet, 'ttl'> & { readonly ttl: number | undefined }

/**
 * The condition of a change: takes the record's present version and returns the version that the caller requires.
 * Undefined: the caller accepts every version.
 */
export type ExpectedVersion = (version: number) => number | undefined

type RecordBatchOperation = RecordBatch['operations'][number]

export const ACTIONS: Readonly<Record<RecordBatchOperation['op'], KeyAction>> = {
  create: 'create',
  change: 'update',
  delete: 'delete',
}

export class RecordLine {
  readonly index: number
  readonly op: RecordBatchOperation['op']
  /** Undefined: the input could not be read. */
  wish: RecordWish | undefined
  /** The record before the operation; undefined: it does not exist. */
  before: RecordRow | undefined
  /** The record as it is to be; undefined: it is deleted. */
  after: RecordSet | undefined
  /** Of the written record. */
  id: string | null = null
  createdAt: Date | undefined
  #refusal: Refusal | undefined

  constructor(op: RecordBatchOperation['op'], index = 0) {
    this.op = op
    this.index = index
  }

  get refusal(): Refusal | undefined {
    return this.#refusal
  }

  get isAllowed(): boolean {
    return this.#refusal === undefined
  }

  /** Whether the record is written. Unchanged values are not. */
  get isDue(): boolean {
    const { before, after } = this
    if (before === undefined || after === undefined) return before !== after
    const isSame =
      before.rdata.length === after.values.length &&
      before.rdata.every((value, n) => value === after.values[n])
    return before.ttl !== after.ttl || !isSame
  }

  get owner(): string | null {
    const set = this.wish !== undefined && 'set' in this.wish ? this.wish.set : undefined
    return set?.owner ?? this.before?.owner ?? null
  }

  get type(): string | null {
    const set = this.wish !== undefined && 'set' in this.wish ? this.wish.set : undefined
    return set?.type ?? this.before?.type ?? null
  }

  /** The first reason is kept: later ones often follow from it. */
  refuse(refusal: Refusal): void {
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

  verdict(): RecordVerdict {
    const { index, op, id, owner, type } = this
    const refusal = this.#refusal
    if (refusal === undefined) return { index, op, ok: true, id, owner, type }
    const { code, message: detail, faults } = refusal
    const field = faults[0]?.field
    const reason = field === undefined ? { code, detail } : { code, detail, field }
    return { index, op, ok: false, id, owner, type, ...reason }
  }
}

/** A record as the user enters it. */
import type { DnsRecord, NewRecord, RecordChange } from '../../api/records.ts'
import { formOf, OTHER } from './record-forms.ts'
import { relativeOwner } from './record-place.ts'

export interface ValueDraft {
  /** Names the row while values come and go. */
  readonly key: number
  /** The contents of the fields of the type, or the one text of a value that they cannot show. */
  readonly parts: readonly string[]
  /** As a zone file writes it, because the fields cannot show it. */
  readonly isRaw: boolean
}

export interface RecordDraft {
  readonly owner: string
  /** A type, or `other`: then `number` has it. */
  readonly type: string
  /** Of a type without a name: the digits after `TYPE`. */
  readonly number: string
  /** In seconds; empty for the default. */
  readonly ttl: string
  readonly values: readonly ValueDraft[]
}

let lastKey = 0

export function newValue(type: string): ValueDraft {
  lastKey += 1
  return { key: lastKey, parts: formOf(type).start, isRaw: false }
}

/** A value in the fields of its type if they give the same value again, otherwise as it is. */
export function valueDraftOf(type: string, value: string): ValueDraft {
  const form = formOf(type)
  const parts = form.read(value)
  const isRaw = parts === undefined || form.write(parts) !== value
  lastKey += 1
  return { key: lastKey, parts: isRaw ? [value] : parts, isRaw }
}

/** What a new record starts with. */
export interface RecordStart {
  readonly owner: string
  readonly type: string
  readonly values?: readonly string[]
}

export const newDraft = ({ owner, type, values }: RecordStart): RecordDraft => ({
  owner,
  type,
  number: '',
  ttl: '',
  values: values?.map((value) => valueDraftOf(type, value)) ?? [newValue(type)],
})

export const draftOf = (record: DnsRecord, apex: string): RecordDraft => ({
  owner: relativeOwner(record.owner, apex),
  type: record.type,
  number: '',
  ttl: String(record.ttl),
  values: record.values.map((value) => valueDraftOf(record.type, value)),
})

/** The type as the service knows it. */
const typeOf = ({ type, number }: RecordDraft): string =>
  type === OTHER ? `TYPE${number.trim()}` : type

const valueOf = (type: string, { parts, isRaw }: ValueDraft): string =>
  isRaw ? (parts[0] ?? '').trim() : formOf(type).write(parts)

const valuesOf = ({ type, values }: RecordDraft): string[] =>
  values.map((value) => valueOf(type, value))

/** Whether every field that needs a text has one. */
function isFilled(type: string, { parts, isRaw }: ValueDraft): boolean {
  const { fields } = formOf(type)
  return parts.every((part, n) => part.trim() !== '' || (!isRaw && fields[n]?.isOptional === true))
}

/** What the user must do before the draft can be checked. */
export function missingIn(draft: RecordDraft): string | undefined {
  if (draft.type === OTHER && !/^\d{1,5}$/.test(draft.number.trim())) {
    return 'Enter the number of the type.'
  }
  if (draft.ttl !== '' && !/^\d{1,6}$/.test(draft.ttl.trim())) {
    return 'Enter the TTL as a whole number of seconds.'
  }
  const { what } = formOf(draft.type)
  return draft.values.every((value) => isFilled(draft.type, value))
    ? undefined
    : `Fill in each ${what}.`
}

const ttlOf = ({ ttl }: RecordDraft) => (ttl.trim() === '' ? {} : { ttl: Number(ttl) })

/** An empty owner is the domain or zone itself. */
export const newRecordOf = (draft: RecordDraft): NewRecord => ({
  owner: draft.owner.trim() === '' ? '@' : draft.owner.trim(),
  type: typeOf(draft),
  ...ttlOf(draft),
  values: valuesOf(draft),
})

/** What the draft changes; empty if it changes nothing. */
export function changeOf(draft: RecordDraft, former: DnsRecord): RecordChange {
  const { ttl } = ttlOf(draft)
  const values = valuesOf(draft)
  return {
    ...(ttl !== undefined && ttl !== former.ttl && { ttl }),
    ...(JSON.stringify(values) !== JSON.stringify(former.values) && { values }),
  }
}

/** The draft with another type. Values keep their fields only within one type. */
export const withType = (draft: RecordDraft, type: string): RecordDraft => ({
  ...draft,
  type,
  values: [newValue(type)],
})

import { Type, type Static } from 'typebox'
import { Id, record, ref, Time } from '../schema.ts'
import { ZONE_EVENT_KINDS } from '../vocabulary.ts'
import { originFields, undoes } from './event-origin.ts'
import type { RecordSettings } from './records.ts'

const settings = Type.Unsafe<RecordSettings | null>({
  anyOf: [{ $ref: 'RecordSettings#' }, { type: 'null' }],
})

export const ZoneEventValues = record(
  'ZoneEventValues',
  { record: settings },
  'The record on one side of an event. Null: there was none.',
)
export type ZoneEventValues = Static<typeof ZoneEventValues>

export const ZoneEvent = record(
  'ZoneEvent',
  {
    id: Id,
    at: Time,
    kind: Type.Enum(ZONE_EVENT_KINDS),
    ...originFields,
    old: ref(ZoneEventValues),
    new: ref(ZoneEventValues),
    undoes,
  },
  'A change of a record in an own zone.',
)
export type ZoneEvent = Static<typeof ZoneEvent>

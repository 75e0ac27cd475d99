import { Type, type Static } from 'typebox'
import { Id, nullable, record, ref, Time } from '../schema.ts'
import { DOMAIN_EVENT_KINDS } from '../vocabulary.ts'
import { originFields, undoes } from './event-origin.ts'
import { OWNER_TEXTS } from './owner-texts.ts'
import type { RecordSettings } from './records.ts'
import type { WebForwardSettings } from './web-forwards.ts'

const address = (family: string) =>
  Type.Optional(nullable(Type.String({ description: `The ${family} address. Null: no address.` })))

export const DomainEventValues = record(
  'DomainEventValues',
  {
    record_ipv4: address('IPv4'),
    record_ipv6: address('IPv6'),
    paused: Type.Optional(OWNER_TEXTS.paused),
    note: Type.Optional(OWNER_TEXTS.note),
    tags: Type.Optional(OWNER_TEXTS.tags),
    forward: Type.Optional(
      Type.Unsafe<WebForwardSettings | null>({
        anyOf: [{ $ref: 'WebForwardSettings#' }, { type: 'null' }],
      }),
    ),
    record: Type.Optional(
      Type.Unsafe<RecordSettings | null>({
        anyOf: [{ $ref: 'RecordSettings#' }, { type: 'null' }],
      }),
    ),
  },
  'The fields that an event is about. Empty: the event is about no field.',
)
export type DomainEventValues = Static<typeof DomainEventValues>

export const DomainEvent = record(
  'DomainEvent',
  {
    id: Id,
    at: Time,
    kind: Type.Enum(DOMAIN_EVENT_KINDS, {
      description:
        '`withheld` and `restored`: a lock or the plan stopped DNS from serving the domain, or let it serve again. `undeleted`: the owner restored the deleted domain.',
    }),
    ...originFields,
    old: ref(DomainEventValues),
    new: ref(DomainEventValues),
    undoes,
  },
  'A change of a domain.',
)
export type DomainEvent = Static<typeof DomainEvent>

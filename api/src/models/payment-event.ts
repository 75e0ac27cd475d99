/** Events of payment providers (table `payment_events`), for lists. `payments` stores and applies them in sets. */
import type { PaymentEventState, PaymentProvider } from '@homing/openapi/vocabulary'
import { bigint, integer, nullable, text, textOf, timestamptz } from './columns.ts'
import { table } from './table.ts'

export class PaymentEvent extends table('payment_events', {
  id: bigint,
  provider: textOf<PaymentProvider>(),
  event_id: text,
  type: text,
  object_id: nullable(text),
  object_kind: nullable(text),
  state: textOf<PaymentEventState>(),
  attempts: integer,
  error: nullable(text),
  subscription_id: nullable(bigint),
  received_at: timestamptz,
  due_at: timestamptz,
  applied_at: nullable(timestamptz),
}) {}

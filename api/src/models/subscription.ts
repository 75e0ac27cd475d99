/** Subscriptions at payment providers (table `subscriptions`). `payments` reads and writes them as whole rows; this is for lists. */
import type { PaymentProvider, SubscriptionState } from '@homing/openapi/vocabulary'
import {
  bigint,
  boolean,
  bytea,
  integer,
  jsonb,
  nullable,
  text,
  textOf,
  timestamptz,
  uuid,
} from './columns.ts'
import { table } from './table.ts'

export class Subscription extends table('subscriptions', {
  id: bigint,
  /** Null: the account was deleted. */
  user_id: nullable(bigint),
  provider: textOf<PaymentProvider>(),
  provider_id: text,
  customer_id: nullable(text),
  checkout_id: nullable(uuid),
  price_id: bigint,
  state: textOf<SubscriptionState>(),
  provider_status: text,
  is_surplus: boolean,
  started_at: nullable(timestamptz),
  period_start: nullable(timestamptz),
  period_end: nullable(timestamptz),
  paid_until: nullable(timestamptz),
  ends_at: nullable(timestamptz),
  first_failed_at: nullable(timestamptz),
  ended_at: nullable(timestamptz),
  end_reason: nullable(text),
  next_price_id: nullable(bigint),
  payment_method: nullable(text),
  card_expires_at: nullable(timestamptz),
  mailed: jsonb<Readonly<Record<string, string>>>(),
  refetched_at: nullable(timestamptz),
  next_refetch_at: nullable(timestamptz),
  stopped_by: nullable(text),
  stop_confirmed_at: nullable(timestamptz),
  waits_until: nullable(timestamptz),
  payer_digest: nullable(bytea),
  version: integer,
}) {}

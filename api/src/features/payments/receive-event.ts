/** Webhooks: an event is verified and stored once. A job reads its object at the provider; the event itself says nothing. */
import type { FastifyRequest } from 'fastify'
import type { Services } from '../../compose.ts'
import { noAnswer } from '../../payments/answer-trouble.ts'
import { recordEvent } from '../../payments/record-event.ts'
import {
  ForgedEvent,
  type ProviderEvent,
  type ProviderName,
  ProviderTrouble,
} from '../../payments/provider.ts'
import { octetsOf } from '../../plugins/raw-body.ts'
import { Refusal } from '../../rules/errors.ts'

/** How old an event can be, for people: PayPal repeats one with the time of its first transmission. */
const SENT = {
  stripe: 'by Stripe at most 5 minutes ago',
  paypal: 'by PayPal at most 4 days ago',
} as const

const refused = (name: ProviderName) =>
  new Refusal(
    'webhook-refused',
    `The event has no valid signature, or it is too old or of the future. Expected: the unchanged body of an event that was sent ${SENT[name]}, signed for this webhook. ` +
      'Check the keys of the webhook, proxies that change bodies, and the clock of the service. Its log has the reason.',
  )

/** @throws Refusal `webhook-refused`; `provider-unavailable` when the signature could not be checked */
async function verified(
  { payments, webhookCounts, log }: Services,
  name: ProviderName,
  request: FastifyRequest,
): Promise<ProviderEvent> {
  const provider = payments[name]
  try {
    if (provider === undefined) throw new ForgedEvent('the provider is not configured')
    return await provider.verifyEvent(octetsOf(request), request.headers)
  } catch (error) {
    if (error instanceof ProviderTrouble) throw noAnswer(name, 'Send the event again later.')
    if (!(error instanceof ForgedEvent)) throw error
    webhookCounts.add(name, 'refused')
    log.warn({ provider: name, reason: error.message }, 'an event was refused')
    throw refused(name)
  }
}

/** Stores an event. It is answered before it is applied, and a failure of the database is answered 503: it is sent again. */
export async function receiveEvent(
  services: Services,
  name: ProviderName,
  request: FastifyRequest,
): Promise<void> {
  const event = await verified(services, name, request)
  const isNew = await recordEvent(services, name, event)
  services.webhookCounts.add(name, isNew ? 'stored' : 'repeated')
}

/**
 * Verifies that PayPal sent an event: its signature is over the id and time of the transmission, the id of our webhook,
 * and the CRC-32 of the raw body. The body is never parsed before.
 */
import { createVerify, type X509Certificate } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { MinuteBudget } from '../minute-budget.ts'
import { type EventHeaders, ForgedEvent, ProviderTrouble, type ProviderEvent } from '../provider.ts'
import type { PaypalCertificates } from './paypal-certificates.ts'
import type { PaypalClient } from './paypal-client.ts'
import { paymentOfMovement } from './paypal-movements.ts'
import { trouble } from './paypal-trouble.ts'

/**
 * PayPal repeats an event for three days with the time of its first transmission. A repeated event does no harm: it is
 * stored once, and the state is read at PayPal.
 */
const OLDEST_MS = 4 * 24 * 60 * 60_000
/** Clocks differ. */
const AHEAD_MS = 5 * 60_000

interface Transmission {
  readonly id: string
  readonly time: string
  readonly signature: string
  readonly certificateUrl: string
  readonly algorithm: string
}

/** @throws ForgedEvent for a header that is missing, repeated or not of PayPal's form */
function transmissionOf(headers: EventHeaders): Transmission {
  const text = (name: string, form: RegExp): string => {
    const value = headers[`paypal-${name}`]
    if (typeof value === 'string' && form.test(value)) return value
    throw new ForgedEvent(`the header paypal-${name} is missing or wrong`)
  }
  return {
    id: text('transmission-id', /^[\w-]{1,100}$/),
    time: text('transmission-time', /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:?\d\d)$/),
    signature: text('transmission-sig', /^[\w+/=.:-]{1,1000}$/),
    certificateUrl: text('cert-url', /^https?:\/\/\S{1,500}$/),
    algorithm: text('auth-algo', /^SHA256withRSA$/i),
  }
}

export interface VerifyOptions {
  readonly client: PaypalClient
  readonly certificates: PaypalCertificates
  /** How often PayPal is asked to check an event itself. */
  readonly checks: MinuteBudget
  readonly now: Date
}

/** PayPal limits how often it is called, and checkouts need those calls. Another API, for tests, has no such limit. */
export const CHECKS_A_MINUTE = 60

/**
 * The event of a body that PayPal signed.
 *
 * @throws ForgedEvent
 * @throws ProviderTrouble when neither the certificate nor PayPal's own check can be reached
 */
export async function verifyEvent(
  body: Buffer,
  headers: EventHeaders,
  options: VerifyOptions,
): Promise<ProviderEvent> {
  const transmission = transmissionOf(headers)
  const age = options.now.getTime() - Date.parse(transmission.time)
  if (!(age <= OLDEST_MS && age >= -AHEAD_MS))
    throw new ForgedEvent('the transmission is older than four days or in the future')
  const certificate = await certificateOf(transmission, options.certificates)
  const isSigned =
    certificate === undefined
      ? await isVerifiedByPaypal(body, transmission, options)
      : isSignedWith(certificate, body, transmission, options.client.config.webhookId)
  if (!isSigned) throw new ForgedEvent('the signature does not fit')
  return eventOf(body)
}

/** Undefined: it cannot be fetched now. */
async function certificateOf(
  { certificateUrl }: Transmission,
  certificates: PaypalCertificates,
): Promise<X509Certificate | undefined> {
  try {
    return await certificates.at(certificateUrl)
  } catch (error) {
    if (error instanceof ProviderTrouble) return undefined
    throw error
  }
}

function isSignedWith(
  certificate: X509Certificate,
  body: Buffer,
  { id, time, signature }: Transmission,
  webhookId: string,
): boolean {
  const { publicKey } = certificate
  if (publicKey.asymmetricKeyType !== 'rsa') return false
  return createVerify('RSA-SHA256')
    .update(`${id}|${time}|${webhookId}|${crc32(body)}`)
    .verify(publicKey, signature, 'base64')
}

/** PayPal checks it itself. The event is sent on byte for byte: JSON that is written again has another checksum. */
async function isVerifiedByPaypal(
  body: Buffer,
  { id, time, signature, certificateUrl, algorithm }: Transmission,
  { client, checks, now }: VerifyOptions,
): Promise<boolean> {
  requireObject(body)
  if (!checks.take(now)) throw trouble('unavailable', 'too many checks of events')
  const fields = JSON.stringify({
    auth_algo: algorithm,
    cert_url: certificateUrl,
    transmission_id: id,
    transmission_sig: signature,
    transmission_time: time,
    webhook_id: client.config.webhookId,
  })
  const rawBody = `${fields.slice(0, -1)},"webhook_event":${body.toString('utf8')}}`
  const path = '/v1/notifications/verify-webhook-signature'
  try {
    const answer = await client.call(async ({ send }) =>
      send<{ readonly verification_status?: string }>({
        method: 'POST',
        path,
        rawBody,
        isRead: true,
      }),
    )
    return answer?.verification_status === 'SUCCESS'
  } catch (error) {
    // PayPal cannot even read what was sent: it is not its own.
    if (error instanceof ProviderTrouble && error.kind === 'refused') return false
    throw error
  }
}

/** @throws ForgedEvent */
function requireObject(body: Buffer): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'))
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>
    }
  } catch {
    // Below.
  }
  throw new ForgedEvent('the body is not a JSON object')
}

/** What an event is about. */
export function eventOf(body: Buffer): ProviderEvent {
  const { id, event_type: type, create_time: time, resource } = requireObject(body)
  if (typeof id !== 'string' || typeof type !== 'string') {
    throw new ForgedEvent('the event has no id or no type')
  }
  const created = new Date(typeof time === 'string' ? time : Number.NaN)
  const about = objectOf(type, (resource ?? {}) as Readonly<Record<string, unknown>>)
  return {
    id,
    type,
    objectId: about?.id ?? null,
    objectKind: about?.kind ?? null,
    createdAt: Number.isNaN(created.getTime()) ? new Date(0) : created,
  }
}

type About = { readonly kind: NonNullable<ProviderEvent['objectKind']>; readonly id: string }

function objectOf(type: string, resource: Readonly<Record<string, unknown>>): About | undefined {
  const about = (kind: About['kind'], id: unknown): About | undefined =>
    typeof id === 'string' && /^[\w-]{1,64}$/.test(id) ? { kind, id } : undefined
  if (type.startsWith('BILLING.SUBSCRIPTION.')) {
    // One that nobody approved yet: there is nothing to read.
    return type === 'BILLING.SUBSCRIPTION.CREATED'
      ? undefined
      : about('subscription', resource['id'])
  }
  if (type.startsWith('CUSTOMER.DISPUTE.')) return about('dispute', resource['dispute_id'])
  if (type.startsWith('PAYMENT.SALE.') || type.startsWith('PAYMENT.CAPTURE.')) {
    const { billing_agreement_id: agreement } = resource
    if (agreement !== undefined) return about('subscription', agreement)
    const isMovement = type.endsWith('.REFUNDED') || type.endsWith('.REVERSED')
    return about('payment', isMovement ? paymentOfMovement(resource) : resource['id'])
  }
  return undefined
}

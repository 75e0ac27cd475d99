/** Events that PayPal signed, and every way of forging one. */
import { describe, expect, test } from 'vitest'
import { openPaypalWorld, type PaypalWorld } from '../../../test/support/paypal-world.ts'
import { makeSigningKey, signed } from '../../../../test/payment-servers/paypal/signing.ts'
import { eventOf } from './paypal-event.ts'

const MINUTE_MS = 60_000

/** A delivery of the server: `PAYMENT.SALE.COMPLETED`. */
async function delivery(t: PaypalWorld) {
  const id = await t.buy()
  const event = t.server.events.find(({ event_type }) => event_type === 'PAYMENT.SALE.COMPLETED')
  if (event === undefined) throw new Error('there is an event')
  const { body, headers } = t.server.sign(event)
  return { id, event, body, headers }
}

const verify = async (t: PaypalWorld, body: string, headers: Readonly<Record<string, string>>) =>
  t.provider.verifyEvent(Buffer.from(body), headers)

const fetches = (t: PaypalWorld) => t.server.calls.filter((call) => call.includes('verify-webhook'))

describe('an event', () => {
  test('of PayPal names the subscription, and its certificate is fetched once', async () => {
    await using t = await openPaypalWorld({ trustsRoot: true })
    const { id, event, body, headers } = await delivery(t)
    const read = { id: event.id, objectId: id, objectKind: 'subscription' }
    expect(await verify(t, body, headers)).toMatchObject(read)
    // A certificate that is kept needs no server.
    t.server.faults.down = true
    expect(await verify(t, body, headers)).toMatchObject(read)
  })

  test.each([
    ['of another webhook', { webhookId: 'OTHER' }],
    [
      'with the certificate of another host',
      { certUrl: 'https://paypal.example/v1/notifications/certs/C-1' },
    ],
    [
      'with a host that only begins like PayPal’s',
      { certUrl: 'https://api.paypal.com.example.net/v1/notifications/certs/C-1' },
    ],
    [
      'with PayPal’s host as a user name',
      { certUrl: 'https://api.paypal.com@example.net/v1/notifications/certs/C-1' },
    ],
    ['with another path of PayPal', { certUrl: 'https://api.paypal.com/redirect/certs/C-1' }],
    [
      'with PayPal’s host in plain text',
      { certUrl: 'http://api.paypal.com/v1/notifications/certs/C-1' },
    ],
    ['of 5 days ago', { ago: 5 * 24 * 60 * MINUTE_MS }],
    ['of 6 minutes ahead', { ago: -6 * MINUTE_MS }],
  ] as const)(
    '%s is refused',
    async (
      _,
      { certUrl, webhookId, ago = 0 }: { certUrl?: string; webhookId?: string; ago?: number },
    ) => {
      await using t = await openPaypalWorld()
      const { body } = await delivery(t)
      const forged = signed({
        body,
        certUrl: certUrl ?? t.server.certificateUrl,
        webhookId: webhookId ?? t.server.webhookId,
        key: t.server.signingKey,
        at: t.now().getTime() - ago,
      })
      await expect(verify(t, body, forged.headers)).rejects.toThrow(/not|fit|older/)
      await expect(verify(t, body, forged.headers)).rejects.toMatchObject({ name: 'ForgedEvent' })
      expect(fetches(t)).toEqual([])
    },
  )

  test('whose body, id, time or algorithm was changed is refused', async () => {
    await using t = await openPaypalWorld()
    const { body, headers } = await delivery(t)
    const time = new Date(t.now().getTime() + 1_000).toISOString().replace('.000', '')
    const changes: readonly [string, Readonly<Record<string, string>>][] = [
      [body.replace('10.00', '10.01'), {}],
      [`${body} `, {}],
      [JSON.stringify(JSON.parse(body)), {}],
      [body, { 'paypal-transmission-id': '11111111-1111-1111-1111-111111111111' }],
      [body, { 'paypal-transmission-time': time }],
      [body, { 'paypal-auth-algo': 'MD5withRSA' }],
      [body, { 'paypal-transmission-sig': 'AAAA' }],
    ]
    for (const [text, more] of changes) {
      const call = verify(t, text, { ...headers, ...more })
      await expect(call).rejects.toMatchObject({ name: 'ForgedEvent' })
    }
    for (const name of Object.keys(headers).filter((each) => /transmission|cert|algo/.test(each))) {
      const { [name]: _, ...rest } = headers
      await expect(verify(t, body, rest)).rejects.toThrow(name)
    }
  })

  test('signed with a certificate that no trusted authority issued is refused', async () => {
    await using t = await openPaypalWorld({ trustsRoot: true })
    const { body } = await delivery(t)
    const key = await makeSigningKey()
    const at = t.now().getTime()
    t.server.serveCertificate('CERT-OTHER', key.chain)
    const certUrl = `${t.server.origin}/v1/notifications/certs/CERT-OTHER`
    const { headers } = signed({ body, certUrl, webhookId: t.server.webhookId, key, at })
    await expect(verify(t, body, headers)).rejects.toThrow('no trusted authority')
  })

  test('with a certificate that is expired, missing or unreadable is refused', async () => {
    await using t = await openPaypalWorld({ trustsRoot: true })
    const { body, headers, event } = await delivery(t)
    await verify(t, body, headers)
    t.server.advance(20 * 365 * 86_400_000)
    const later = t.server.sign({ ...event })
    await expect(verify(t, later.body, later.headers)).rejects.toThrow('not valid now')
    const missing = { ...later.headers, 'paypal-cert-url': `${t.server.certificateUrl}0` }
    await expect(verify(t, later.body, missing)).rejects.toThrow('does not have')
    t.server.serveCertificate(
      'CERT-NONE',
      '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----',
    )
    const none = `${t.server.origin}/v1/notifications/certs/CERT-NONE`
    const broken = { ...later.headers, 'paypal-cert-url': none }
    await expect(verify(t, later.body, broken)).rejects.toThrow('cannot be read')
  })

  test.each([
    ['is missing', 'certs/CERT-NONE', undefined],
    ['is unreadable', 'certs/CERT-BAD', 'not a certificate'],
    ['is at PayPal', undefined, undefined],
  ])('of a server for tests is checked there, when its certificate %s', async (_, path, pem) => {
    await using t = await openPaypalWorld()
    const { event } = await delivery(t)
    if (pem !== undefined) t.server.serveCertificate('CERT-BAD', pem)
    const certUrl =
      path === undefined
        ? 'https://api.paypal.com/v1/notifications/certs/CERT-1'
        : `${t.server.origin}/v1/notifications/${path}`
    const body = JSON.stringify(event)
    const checked = { 'paypal-cert-url': certUrl, 'paypal-transmission-sig': 'c2ln' }
    const { headers } = t.server.sign(event)
    // The server knows only its own certificate, so what it is asked is what counts.
    await expect(verify(t, body, { ...headers, ...checked })).rejects.toThrow('does not fit')
    expect(fetches(t)).toHaveLength(1)
  })

  test('that PayPal cannot even read is forged', async () => {
    await using t = await openPaypalWorld()
    const { body, headers } = await delivery(t)
    t.server.certificatesFail = true
    t.server.absent = /verify-webhook/
    await expect(verify(t, body, headers)).rejects.toMatchObject({ name: 'ForgedEvent' })
  })

  test('does not wait again for a certificate that could not be fetched', async () => {
    await using t = await openPaypalWorld()
    const { body, headers } = await delivery(t)
    t.server.faults.actThenDrop(1, /certs/)
    expect(await verify(t, body, headers)).toMatchObject({ objectKind: 'subscription' })
    expect(await verify(t, body, headers)).toMatchObject({ objectKind: 'subscription' })
    expect(fetches(t)).toHaveLength(2)
    t.server.advance(MINUTE_MS)
    await verify(t, body, headers)
    expect(fetches(t)).toHaveLength(2)
  })

  test('is checked by PayPal while its certificate cannot be fetched', async () => {
    await using t = await openPaypalWorld()
    const { body, headers, id } = await delivery(t)
    t.server.certificatesFail = true
    expect(await verify(t, body, headers)).toMatchObject({ objectId: id })
    const forged = verify(t, body.replace('10.00', '10.01'), headers)
    await expect(forged).rejects.toMatchObject({ name: 'ForgedEvent' })
    expect(fetches(t)).toHaveLength(2)
    t.server.faults.down = true
    await expect(verify(t, body, headers)).rejects.toMatchObject({ kind: 'unavailable' })
  })

  test('that is forged makes the service fetch no more than 20 certificates a minute', async () => {
    await using t = await openPaypalWorld()
    const { body, headers } = await delivery(t)
    t.server.calls.length = 0
    t.server.faults.down = true
    for (let n = 0; n < 25; n += 1) {
      const url = `${t.server.certificateUrl}${n}`
      await verify(t, body, { ...headers, 'paypal-cert-url': url }).catch(() => undefined)
    }
    t.server.faults.down = false
    // The 21st of this minute is not fetched, so PayPal has to check it.
    const call = verify(t, body, headers)
    expect(await call).toMatchObject({ objectKind: 'subscription' })
    expect(fetches(t)).toHaveLength(1)
  })

  test('that is forged makes the service ask PayPal no more than 60 times a minute', async () => {
    await using t = await openPaypalWorld({ trustsRoot: true })
    const { body, headers } = await delivery(t)
    t.server.certificatesFail = true
    const forged = body.replace('10.00', '10.01')
    const kinds = new Set<string>()
    for (let n = 0; n < 70; n += 1) {
      await verify(t, forged, headers).catch((error: Error) => kinds.add(error.name))
    }
    expect(fetches(t)).toHaveLength(60)
    expect([...kinds]).toEqual(['ForgedEvent', 'ProviderTrouble'])
    t.server.advance(MINUTE_MS)
    await expect(verify(t, body, headers)).resolves.toMatchObject({ objectKind: 'subscription' })
  })
})

test('an API for tests checks its events itself, as often as they come', async () => {
  await using t = await openPaypalWorld()
  const { body, headers } = await delivery(t)
  t.server.certificatesFail = true
  for (let n = 0; n < 70; n += 1) {
    expect(await verify(t, body, headers)).toMatchObject({ objectKind: 'subscription' })
  }
  expect(fetches(t)).toHaveLength(70)
})

describe('the object of an event', () => {
  const links = [{ href: 'https://api.paypal.com/v2/payments/captures/CAP-1', rel: 'up' }]
  test.each([
    ['BILLING.SUBSCRIPTION.ACTIVATED', { id: 'I-1' }, 'subscription', 'I-1'],
    ['BILLING.SUBSCRIPTION.CREATED', { id: 'I-1' }, null, null],
    ['PAYMENT.SALE.COMPLETED', { id: 'S-1', billing_agreement_id: 'I-1' }, 'subscription', 'I-1'],
    ['PAYMENT.SALE.COMPLETED', { id: 'S-1' }, 'payment', 'S-1'],
    ['PAYMENT.SALE.REFUNDED', { id: 'R-1', sale_id: 'S-1' }, 'payment', 'S-1'],
    ['PAYMENT.CAPTURE.REFUNDED', { id: 'R-1', links }, 'payment', 'CAP-1'],
    ['CUSTOMER.DISPUTE.CREATED', { dispute_id: 'PP-D-1' }, 'dispute', 'PP-D-1'],
    ['CUSTOMER.DISPUTE.CREATED', { dispute_id: '../../v1/x' }, null, null],
    ['SOMETHING.NEW', { id: 'X' }, null, null],
  ])('%s', (type, resource, objectKind, objectId) => {
    const body = Buffer.from(JSON.stringify({ id: 'WH-1', event_type: type, resource }))
    expect(eventOf(body)).toMatchObject({ id: 'WH-1', type, objectKind, objectId })
  })

  test.each(['', '[]', 'null', '{}', '{"id":1}'])('of the body %j does not exist', (body) => {
    expect(() => eventOf(Buffer.from(body))).toThrow(/body|event/)
  })
})

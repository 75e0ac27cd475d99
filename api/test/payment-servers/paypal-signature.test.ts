import { X509Certificate, createVerify } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingHttpHeaders, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { type PayPalSetting, approved, paypalSetting } from './paypal-client.ts'

/** Checks a delivery by PayPal's description, with certificates of one host only. */
async function passes(
  { server }: PayPalSetting,
  raw: Buffer,
  headers: IncomingHttpHeaders,
): Promise<boolean> {
  const header = (name: string) => String(headers[`paypal-${name}`] ?? '')
  const url = header('cert-url')
  if (!URL.canParse(url) || new URL(url).host !== new URL(server.origin).host) return false
  const pem = await (await fetch(url)).text()
  const chain = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  const certificates = [...chain, server.rootCertificate].map((each) => new X509Certificate(each))
  const isChain = certificates.every(
    (each, index) =>
      index === certificates.length - 1 || each.verify((certificates[index + 1] ?? each).publicKey),
  )
  const [leaf] = certificates
  if (
    !isChain ||
    leaf === undefined ||
    leaf.checkHost('messageverificationcerts.paypal.com') === undefined
  )
    return false
  const text = `${header('transmission-id')}|${header('transmission-time')}|${server.webhookId}|${crc32(raw)}`
  return createVerify('RSA-SHA256')
    .update(text)
    .verify(leaf.publicKey, header('transmission-sig'), 'base64')
}

/** What PayPal's endpoint says of a delivery. */
async function verdict(
  { server, token }: PayPalSetting,
  raw: Buffer,
  headers: IncomingHttpHeaders,
): Promise<string> {
  const fields = [
    'auth-algo',
    'cert-url',
    'transmission-id',
    'transmission-sig',
    'transmission-time',
  ]
  const given = Object.fromEntries(
    fields.map((name) => [name.replace('-', '_'), headers[`paypal-${name}`] ?? '']),
  )
  const body = `${JSON.stringify({ ...given, webhook_id: server.webhookId }).slice(0, -1)},"webhook_event":${raw.toString()}}`
  const answer = await fetch(`${server.origin}/v1/notifications/verify-webhook-signature`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await token()}`, 'content-type': 'application/json' },
    body,
  })
  return ((await answer.json()) as { verification_status: string }).verification_status
}

test('deliveries are signed as PayPal signs, and no forgery passes', async () => {
  await using setting = await paypalSetting()
  const accepted: string[] = []
  const transmissions: string[] = []
  let fails = 3
  const hooks = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    const judge = async () => {
      const raw = Buffer.concat(parts)
      const genuine = await passes(setting, raw, request.headers)
      const status = await verdict(setting, raw, request.headers)
      expect(status).toBe(genuine ? 'SUCCESS' : 'FAILURE')
      if (genuine) transmissions.push(String(request.headers['paypal-transmission-id']))
      response.statusCode = !genuine ? 400 : fails-- > 0 ? 500 : 200
      if (response.statusCode === 200)
        accepted.push((JSON.parse(raw.toString()) as { id: string }).id)
      response.end()
    }
    request.on('end', () => void judge())
  })
  hooks.listen(0, '127.0.0.1')
  await once(hooks, 'listening')
  const { deliveries } = setting.server
  deliveries.url = `http://127.0.0.1:${(hooks.address() as AddressInfo).port}/`
  deliveries.forge(100)
  const before = setting.server.events.length
  for (let n = 0; n < 3; n += 1) await approved(setting, setting.plans.pro)
  await deliveries.idle()
  hooks.close()
  const sent = setting.server.events.slice(before).map(({ id }) => id)
  expect(accepted.sort()).toEqual(sent.sort())
  expect(transmissions.length).toBe(sent.length + 3)
  expect(new Set(transmissions).size).toBe(sent.length)
  expect(deliveries.forgedAnswers).toEqual(sent.map(() => 400))
})

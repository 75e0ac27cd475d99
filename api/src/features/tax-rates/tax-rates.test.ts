/** Administrators list, set and delete tax rates, and which invoices have which rate. */
import type { Invoice, Problem, TaxRate } from '@homing/openapi'
import { beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../../test/support/api-world.ts'
import type { Reply } from '../../../test/support/calls.ts'
import { DAY_MS, useStripeWorld } from '../../../test/support/stripe-world.ts'

const use = useStripeWorld()
const URL = '/api/admin/tax-rates'
let boss: Caller

beforeAll(async () => {
  boss = await use.t.person('admin')
})

const set = (country: string, body: object): Promise<Reply> =>
  use.t.call(boss, 'PUT', `${URL}/${country}`, body)
const list = async (query = '') =>
  (await use.t.call(boss, 'GET', `${URL}${query}`)).json<TaxRate[]>()
const faultOf = (reply: Reply) => ({
  status: reply.status,
  field: reply.json<Problem>().errors?.[0]?.field,
})

test('a rate is added, replaced, listed and deleted', async () => {
  const { t } = use
  expect((await set('PT', { rate_basis_points: 2_100, name: ' VAT ' })).json()).toEqual({
    id: 'PT',
    country: 'PT',
    rate_basis_points: 2_100,
    name: 'VAT',
  })
  await set('PT', { rate_basis_points: 2_300, name: 'IVA' })
  await set('DE', { rate_basis_points: 1_900, name: 'VAT' })
  expect(await list()).toMatchObject([
    { country: 'DE', rate_basis_points: 1_900 },
    { country: 'PT', rate_basis_points: 2_300, name: 'IVA' },
  ])
  const sorted = `?sort=${encodeURIComponent('["rate_basis_points","DESC"]')}&range=[0,0]`
  const page = await t.call(boss, 'GET', URL + sorted)
  expect(page.headers['content-range']).toBe('tax-rates 0-0/2')
  expect(page.json()).toMatchObject([{ id: 'PT' }])
  expect(await list(`?filter=${encodeURIComponent('{"q":"iv"}')}`)).toMatchObject([{ id: 'PT' }])
  for (const country of ['PT', 'DE'])
    expect((await t.call(boss, 'DELETE', `${URL}/${country}`)).status).toBe(204)
  const again = await t.call(boss, 'DELETE', `${URL}/PT`)
  expect(again.json()).toMatchObject({ status: 404, detail: 'PT has no tax rate.' })
  expect(await list()).toEqual([])
})

const VAT = { rate_basis_points: 2_000, name: 'VAT' }

test.each([
  ['a country that does not exist', 'XX', VAT, 'country'],
  ['small letters', 'at', VAT, 'country'],
  ['a rate over 100 %', 'AT', { ...VAT, rate_basis_points: 10_001 }, 'rate_basis_points'],
  ['a negative rate', 'AT', { ...VAT, rate_basis_points: -1 }, 'rate_basis_points'],
  ['a part of a basis point', 'AT', { ...VAT, rate_basis_points: 20.5 }, 'rate_basis_points'],
  ['a rate as a text', 'AT', { ...VAT, rate_basis_points: '2000' }, 'rate_basis_points'],
  ['no name', 'AT', { ...VAT, name: ' ' }, 'name'],
  ['a name of two lines', 'AT', { ...VAT, name: 'V\nAT' }, 'name'],
  ['another country in the body', 'AT', { ...VAT, country: 'DE' }, 'country'],
])('%s is refused', async (_, country, body, field) => {
  expect(faultOf(await set(country, body))).toEqual({ status: 422, field })
  expect(await list()).toEqual([])
})

test('a change applies to later invoices; an invoice and its credit note keep their rate', async () => {
  const { t } = use
  const payer = await t.person()
  const taxes = async () =>
    (await t.invoices(payer)).map(({ kind, taxRate, taxCents }: Invoice) => [
      kind,
      taxRate,
      taxCents,
    ])
  await set('AT', VAT)
  const reply = await t.call(payer, 'POST', '/api/payments/create-checkout-session', {
    plan: 'pro',
    billing: 'monthly',
    billingDetails: {
      firstName: 'Ada',
      lastName: 'Lovelace',
      email: 'ada@example.net',
      address: 'Ring 1',
      city: 'Wien',
      state: '',
      zipCode: '1010',
      country: 'AT',
    },
  })
  await t.server.pay(reply.json<{ checkoutUrl: string }>().checkoutUrl)
  await t.settle()
  expect(await taxes()).toEqual([['invoice', 20, 167]])

  await set('AT', { rate_basis_points: 1_050, name: 'VAT' })
  const [first] = t.server.world.of('charge', await t.customerOf(payer))
  t.server.refund(first?.id ?? '', 400)
  await t.after(32 * DAY_MS)
  const expected = [
    ['invoice', 10.5, 95],
    ['credit_note', 20, -67],
    ['invoice', 20, 167],
  ]
  expect(await taxes()).toEqual(expected)

  await t.call(boss, 'DELETE', `${URL}/AT`)
  await t.after(31 * DAY_MS)
  expect(await taxes()).toEqual([['invoice', 0, 0], ...expected])
})

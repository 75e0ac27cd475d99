import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { mock, problem } from '../../../test/mock.ts'
import { serveTaxRates } from '../../../test/records.ts'
import { cells, open } from '../../../test/screen.tsx'
import { basisPointsOf, percentText } from './rate-text.ts'

const AUSTRIA = { id: 'AT', country: 'AT', rate_basis_points: 2_000, name: 'VAT' }
const GERMANY = { id: 'DE', country: 'DE', rate_basis_points: 1_905, name: 'VAT' }

test.each([
  ['20', 2_000],
  [' 19.05 % ', 1_905],
  ['5,5', 550],
  ['0.29', 29],
  ['100', 10_000],
  ['0', 0],
  ['100.01', undefined],
  ['1.005', undefined],
  ['-1', undefined],
  ['1e1', undefined],
  ['%', undefined],
])('the rate %j is %j hundredths of a percent', (text, basisPoints) => {
  expect(basisPointsOf(text)).toBe(basisPoints)
})

test('every rate is read back as it is shown', () => {
  for (let rate = 0; rate <= 10_000; rate += 1) expect(basisPointsOf(percentText(rate))).toBe(rate)
})

test('each row shows country, rate and tax; a rate is changed', async () => {
  serveTaxRates(AUSTRIA, GERMANY)
  const hands = open('/tax-rates')
  const edit = await screen.findByRole('button', { name: 'Edit the tax rate of Germany' })
  expect(cells().map((row) => row.slice(0, 3))).toEqual([
    ['AustriaAT', '20 %', 'VAT'],
    ['GermanyDE', '19.05 %', 'VAT'],
  ])
  await hands.click(edit)
  const dialog = within(await screen.findByRole('dialog', { name: 'Tax rate of Germany' }))
  const rate = dialog.getByRole<HTMLInputElement>('textbox', { name: 'Rate in percent' })
  expect(rate.value).toBe('19.05')
  await hands.clear(rate)
  await hands.type(rate, '119')
  await hands.click(dialog.getByRole('button', { name: 'Save' }))
  expect(await dialog.findByText(/^Enter a number from 0 to 100/)).toBeDefined()
  await hands.clear(rate)
  await hands.type(rate, '19,5')
  await hands.click(dialog.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('The tax rate of Germany is 19.5 %.')).toBeDefined()
  expect(mock.bodiesOf('setTaxRate')).toEqual([{ rate_basis_points: 1_950, name: 'VAT' }])
})

test('a rate is added for a country that has none', async () => {
  serveTaxRates(AUSTRIA)
  const hands = open('/tax-rates')
  await hands.click(await screen.findByRole('button', { name: 'Add a tax rate' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Add a tax rate' }))
  const country = await dialog.findByRole('combobox', { name: 'Country' })
  expect(within(country).queryByRole('option', { name: 'Austria' })).toBeNull()
  const save = dialog.getByRole<HTMLButtonElement>('button', { name: 'Save' })
  await hands.type(dialog.getByRole('textbox', { name: 'Rate in percent' }), '21')
  expect(save.disabled).toBe(true)
  await hands.selectOptions(country, 'Netherlands')
  await hands.click(save)
  expect(await screen.findByText('The tax rate of Netherlands is 21 %.')).toBeDefined()
  await waitFor(() => expect(cells().length).toBe(2))
})

test('a rate is deleted after confirmation, and an error is shown', async () => {
  const kept = serveTaxRates(AUSTRIA)
  const hands = open('/tax-rates')
  const remove = async () => {
    await hands.click(await screen.findByRole('button', { name: 'Delete the tax rate of Austria' }))
    const name = 'Delete the tax rate of Austria?'
    const dialog = within(await screen.findByRole('dialog', { name }))
    await hands.click(dialog.getByRole('button', { name: 'Delete' }))
  }
  mock.handle({ deleteTaxRate: () => problem('not-found', { detail: 'AT has no tax rate.' }) })
  await remove()
  expect(await screen.findByText('AT has no tax rate.')).toBeDefined()
  serveTaxRates(...kept)
  await remove()
  expect(await screen.findByText('The tax rate of Austria was deleted.')).toBeDefined()
  expect(
    await screen.findByText('No country has a tax rate, so invoices show no tax.'),
  ).toBeDefined()
})

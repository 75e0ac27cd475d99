import { expect, test } from 'vitest'
import { keepBilling } from './keep-billing.ts'

function open(search: string): HTMLInputElement[] {
  history.replaceState(null, '', `/pricing${search}`)
  document.body.innerHTML =
    '<input type="radio" name="billing" id="billing-month" checked>' +
    '<input type="radio" name="billing" id="billing-year">'
  keepBilling()
  return [...document.querySelectorAll('input')]
}

test('the switch of the prices is part of the URL', () => {
  const [month, year] = open('?billing=annual')
  expect(year?.checked).toBe(true)
  month?.click()
  expect(location.search).toBe('')
  year?.click()
  expect(location.search).toBe('?billing=annual')
})

/** PayPal writes amounts as decimal text: `10.0`, `10.00`, `.5`, `-4`. The service counts in integer cents. */
import { ProviderTrouble } from '../provider.ts'

export interface PaypalMoney {
  readonly currency_code: string
  readonly value: string
}

/** Currencies without a smaller unit. */
const WHOLE: ReadonlySet<string> = new Set(['JPY', 'KRW', 'VND', 'CLP'])
const DECIMAL = /^(-?)(\d{0,12})(?:\.(\d+))?$/

const digitsOf = (currency: string): number => (WHOLE.has(currency) ? 0 : 2)

/**
 * The smallest units of an amount, exactly: no float is involved.
 *
 * @throws ProviderTrouble `refused` for what is not an amount of the currency
 */
export function centsOf({ value, currency_code: currency }: PaypalMoney): number {
  const digits = digitsOf(currency)
  const [, sign = '', whole = '', part = ''] = DECIMAL.exec(value) ?? []
  const rest = part.slice(digits)
  if ((whole === '' && part === '') || /[1-9]/.test(rest)) {
    throw new ProviderTrouble('paypal', 'refused', `PayPal sent an amount that is not ${currency}`)
  }
  const cents = Number(whole) * 10 ** digits + Number(part.slice(0, digits).padEnd(digits, '0'))
  return sign === '-' && cents !== 0 ? -cents : cents
}

/** An amount as PayPal takes it. @param cents integer, not negative */
export function moneyOf(cents: number, currency: string): PaypalMoney {
  const digits = digitsOf(currency)
  if (digits === 0) return { currency_code: currency, value: String(cents) }
  const text = String(cents).padStart(digits + 1, '0')
  return { currency_code: currency, value: `${text.slice(0, -digits)}.${text.slice(-digits)}` }
}

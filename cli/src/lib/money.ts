/** Amounts of money. They are whole cents, and never fractions in binary. */

const CENTS_DIGITS = 2

/** `$110.00`, `-€3.05`. */
export function amount(cents: number, currency: string): string {
  const digits = String(Math.abs(cents)).padStart(CENTS_DIGITS + 1, '0')
  const units = digits.slice(0, -CENTS_DIGITS)
  const text = `${cents < 0 ? '-' : ''}${units}.${digits.slice(-CENTS_DIGITS)}` as `${number}`
  try {
    return new Intl.NumberFormat('en', { style: 'currency', currency }).format(text)
  } catch {
    // The code of a currency that cannot exist.
    return `${text} ${currency}`
  }
}

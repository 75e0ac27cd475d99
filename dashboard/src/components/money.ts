/** An amount in cents as a reader writes it: `$10`, `$10.50`. @param currency a code of ISO 4217 */
export function money(cents: number, currency: string): string {
  const digits = cents % 100 === 0 ? 0 : 2
  const format = new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
  return format.format(cents / 100)
}

/** Tax rates as people write them: percent with at most two decimals, which are hundredths of a percent exactly. */
import { TAX_RATE_LIMIT } from '@homing/openapi/vocabulary'

const PERCENT = /^(\d{1,3})(?:[.,](\d{1,2}))?$/

/** `20` for 2000, `5.5` for 550. */
export function percentText(basisPoints: number): string {
  const [whole, part] = [Math.trunc(basisPoints / 100), basisPoints % 100]
  const decimals = String(part).padStart(2, '0').replace(/0+$/, '')
  return decimals === '' ? String(whole) : `${whole}.${decimals}`
}

/** The rate in hundredths of a percent. Undefined: it is not a rate. No float is involved. */
export function basisPointsOf(text: string): number | undefined {
  const [, whole, decimals = ''] = PERCENT.exec(text.trim().replace(/\s*%$/, '')) ?? []
  if (whole === undefined) return undefined
  const basisPoints = Number(whole) * 100 + Number(decimals.padEnd(2, '0'))
  return basisPoints <= TAX_RATE_LIMIT ? basisPoints : undefined
}

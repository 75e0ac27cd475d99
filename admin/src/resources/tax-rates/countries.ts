/** The countries of billing addresses, by name. */
import { COUNTRIES } from '@homing/openapi/address-rules'

const names = new Intl.DisplayNames(['en'], { type: 'region' })

/** `Austria` for `AT`. */
export const countryName = (code: string): string => names.of(code) ?? code

/** The choices of a form, without some countries. */
export const countriesWithout = (
  taken: ReadonlySet<string>,
): readonly (readonly [string, string])[] =>
  COUNTRIES.filter((code) => !taken.has(code))
    .map((code) => [code, countryName(code)] as const)
    .toSorted(([, one], [, other]) => one.localeCompare(other, 'en'))

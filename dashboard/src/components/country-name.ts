/** Countries by their codes of ISO 3166-1. */
const names = new Intl.DisplayNames(['en'], { type: 'region' })

const IS_COUNTRY = /^[A-Z]{2}$/
/** The standard leaves it to users: the country is not known. */
const UNKNOWN = 'ZZ'

/** `Austria` for `AT`; any other text as it is. */
export function countryName(code: string): string {
  if (code === UNKNOWN) return 'Unknown country'
  return IS_COUNTRY.test(code) ? (names.of(code) ?? code) : code
}

/** The distance between a letter and its regional indicator, of which two make a flag. */
const INDICATOR_OFFSET = 0x1f1e6 - 'A'.charCodeAt(0)

/** The flag as an emoji, which some systems do not draw; undefined without a country. */
export function flagOf(code: string): string | undefined {
  if (!IS_COUNTRY.test(code) || code === UNKNOWN) return undefined
  const letters = Array.from(code, (letter) => letter.charCodeAt(0) + INDICATOR_OFFSET)
  return String.fromCodePoint(...letters)
}

/**
 * The rules of billing addresses: the countries, and in which of them an address has a state and a postal code. The checkout
 * form and the API share them, so both refuse the same address with the same words.
 */
import { BILLING_FIELDS, type BillingField } from './payment-words.ts'

/** The countries that the form offers first. */
export const FIRST_COUNTRIES = ['US', 'CA', 'GB', 'AU', 'DE', 'FR', 'NL', 'JP'] as const

/** The country of a form that nobody has filled in. */
export const DEFAULT_COUNTRY = 'US'

const codes = (text: string): readonly string[] => text.trim().split(/\s+/)

/** All countries and territories that have a code (ISO 3166-1 alpha-2). */
export const COUNTRIES = codes(`
  AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD
  CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF
  GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN
  KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA
  NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI
  SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI
  VN VU WF WS YE YT ZA ZM ZW`)

/** Where post is not delivered without a state, province, prefecture or emirate. Elsewhere the city is enough. */
const WITH_STATE = new Set(
  codes('AE AU BR CA CN CO ES FM ID IN IT JP KR MH MX MY PG PW RU SO SV TW US VE'),
)

/** Where addresses have no postal code, or where most people leave it out. */
const WITHOUT_POSTAL_CODE = new Set(
  codes(`
    AE AG AI AO AW BB BF BI BJ BO BQ BS BW BZ CD CF CG CI CK CM CW DJ DM ER FJ GA GD GH GM GQ GY HK IE JM KI KM KN KP LC
    LY ML MO MR MS MW NA NR NU PA QA RW SB SC SL SO SR SS ST SV SX SY TD TF TG TK TL TO TT TV TZ UG VC VU WS YE ZW`),
)

/** Whether a billing field must have a text for an address in `country`. */
export function isFieldRequired(field: BillingField, country: string): boolean {
  if (field === 'state') return WITH_STATE.has(country)
  if (field === 'zipCode') return !WITHOUT_POSTAL_CODE.has(country)
  return true
}

/** A field of the form in words, as messages name it: `first name`, `zip code`. */
export const fieldInWords = (field: BillingField): string =>
  field.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

/** As the form reads an address: text, an at sign, text, a dot, text. */
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

export interface AddressFault {
  readonly field: BillingField
  /** For people. */
  readonly text: string
}

type Address = Readonly<Record<BillingField, string>>

function faultOf(field: BillingField, address: Address): string | undefined {
  const text = address[field].trim()
  if (text === '') {
    return isFieldRequired(field, address.country)
      ? `Please fill in ${fieldInWords(field)}`
      : undefined
  }
  if (field === 'email' && !EMAIL.test(text)) return 'Please enter a valid email address'
  if (field === 'country' && !COUNTRIES.includes(text)) return 'Please fill in country'
  return undefined
}

/** What is wrong with a billing address, in the order of its fields. */
export const addressFaults = (address: Address): readonly AddressFault[] =>
  BILLING_FIELDS.flatMap((field) => {
    const text = faultOf(field, address)
    return text === undefined ? [] : [{ field, text }]
  })

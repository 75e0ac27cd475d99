/** The rules of billing addresses, as the service applies them. */
export {
  addressFaults,
  COUNTRIES,
  DEFAULT_COUNTRY,
  FIRST_COUNTRIES,
  isFieldRequired,
} from '@homing/openapi/address-rules'

/*
 * Names, types, RDATA and serials: the rules of DNS that depend only on their input.
 *
 * Only this room converts text to wire form and back. dnsd uses it for its answers, the API validates user input with
 * it, it reads zone files, and benchmarks and journeys build their queries with it. So it is the only part of dnsd that
 * other workspaces import, and it imports nothing itself.
 *
 *   owner-name, name-text    names in wire form, their order and their text
 *   domain-label             the stricter grammar of names that users register
 *   serial                   feed serials and SOA serials
 *   record-type, rdata       types and RDATA, text ↔ wire
 *   address                  IPv4 and IPv6 addresses, strict parsing, canonical output
 *   master-file              zone files, read in chunks and written line by line
 *
 * Each part has its own error class (NameError, RdataError, AddressError, …) with a message for the person who typed the
 * input. It throws no other errors, whatever the input is.
 */
export { NameError, type NameErrorCode } from './name-error.ts'
export {
  canonicalName,
  compareNames,
  isSubdomain,
  isWildcard,
  LABEL_LIMIT_OCTETS,
  NAME_LIMIT_OCTETS,
  nameKey,
  nameLengthAt,
  ROOT_NAME,
} from './owner-name.ts'
export { nameFromText, nameToText } from './name-text.ts'
export { nextSerial, serialGreater, soaSerial } from './serial.ts'
export {
  isDataType,
  RecordTypeError,
  SERVED_TYPES,
  TYPE,
  typeFromText,
  typeToText,
} from './record-type.ts'
export {
  AddressError,
  ipv4FromText,
  ipv4ToText,
  ipv6FromText,
  ipv6ToText,
  isIpv4Mapped,
} from './address.ts'
export {
  canonicalRdata,
  embeddedNames,
  type EmbeddedName,
  RDATA_LIMIT_OCTETS,
  rdataFromText,
  rdataToText,
} from './rdata.ts'
export { RdataError } from './rdata/rdata-error.ts'
export { TTL_LIMIT_SECONDS, ttlFromText } from './ttl.ts'
export {
  isProblem,
  type MasterFileItem,
  MasterFileParser,
  masterLine,
  parseMasterFile,
} from './master-file.ts'
export type {
  MasterFileOptions,
  MasterFileProblem,
  MasterRecord,
} from './master-file/record-reader.ts'
export { HOST_LABELS_LIMIT, parseHostName } from './domain-label.ts'
export { uLabel } from './idn-label.ts'

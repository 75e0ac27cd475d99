/*
 * Names, types, RDATA and serials: the rules of DNS that need nothing but their input.
 *
 * This room is the one place where text becomes wire form and back. dnsd answers with what it makes, the API validates
 * what people type with it, zone files are read by it, and benchmarks and journeys build their questions from it; hence it
 * is the only part of dnsd that others import, and it imports nothing itself.
 *
 *   owner-name, name-text    names in wire form, their order and their text
 *   domain-label             the narrower grammar of names that people register
 *   serial                   feed serials and SOA serials
 *   record-type, rdata       types and RDATA, text ↔ wire
 *   address                  IPv4 and IPv6 addresses, strict in, canonical out
 *   master-file              zone files, read in chunks and written line by line
 *
 * Each part throws an error of its own (NameError, RdataError, AddressError, …) with a message for the person who typed the
 * input, and nothing else, whatever it is given.
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

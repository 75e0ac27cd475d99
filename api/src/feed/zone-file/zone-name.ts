import { nameFromText, nameToText } from '@homing/dnsd/names'

/**
 * Converts a zone's name from an operator's spelling to the form of the tables: absolute, lower
 * case, without the final dot.
 *
 * @throws NameError
 */
export function zoneNameFrom(text: string): string {
  const absolute = text.endsWith('.') ? text : `${text}.`
  return nameToText(nameFromText(absolute)).toLowerCase()
}

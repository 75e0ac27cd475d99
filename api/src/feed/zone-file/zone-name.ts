import { nameFromText, nameToText } from '@homing/dnsd/names'

/**
 * A zone's name, as an operator writes it, in the form of the tables: absolute, lower case,
 * without the final dot.
 *
 * @throws NameError
 */
export function zoneNameFrom(text: string): string {
  const absolute = text.endsWith('.') ? text : `${text}.`
  return nameToText(nameFromText(absolute)).toLowerCase()
}

/* Reads master files in tests, and shows the result as text. */
import {
  isProblem,
  type MasterFileItem,
  type MasterFileOptions,
  masterLine,
  nameFromText,
  parseMasterFile,
  ROOT_NAME,
} from '../index.ts'

/** The origin of these files. */
export const origin = nameFromText('example.', ROOT_NAME)
export const options: MasterFileOptions = { origin, defaultTtlSeconds: 60 }

/** Each item as a line: the place and the record in canonical form, or the place and the problem. */
export function shown(items: Iterable<MasterFileItem>): string[] {
  return Array.from(items, (item) =>
    isProblem(item)
      ? `${item.line}! ${item.message}`
      : `${item.line}: ${masterLine(item.owner, item.ttlSeconds, item.type, item.rdata)}`,
  )
}

/** A whole file, as `shown`. */
export const read = (text: string, given = options): string[] => shown(parseMasterFile(text, given))

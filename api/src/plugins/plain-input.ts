/** What no field may contain, whatever the schema of its call allows. */
import { invalid } from '../rules/errors.ts'

/** Deepest nesting of a body; no call needs more than a few. */
const DEPTH_LIMIT = 20

/**
 * Refuses U+0000, which PostgreSQL cannot store; unpaired surrogates, which UTF-8 cannot encode; and nesting
 * that is too deep.
 *
 * @param place what to call the whole: `body`
 * @throws Refusal `validation-failed` that names the field
 */
export function requirePlainInput(
  value: unknown,
  place: string,
  path: readonly string[] = [],
): void {
  const field = path.join('.') || place
  if (typeof value === 'string') {
    if (value.includes('\0') || !value.isWellFormed()) {
      throw invalid({
        field,
        message: `${field} contains a character that cannot be stored, such as U+0000. Remove it.`,
      })
    }
    return
  }
  if (typeof value !== 'object' || value === null) return
  if (path.length >= DEPTH_LIMIT) {
    throw invalid({
      field: path[0] ?? place,
      message: `${path[0] ?? place} has too many nested levels.`,
    })
  }
  for (const [name, inner] of Object.entries(value))
    requirePlainInput(inner, place, [...path, name])
}

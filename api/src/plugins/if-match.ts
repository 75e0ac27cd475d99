/** The precondition of a change (RFC 9110 §13.1.1). */

/** No resource has this version, so a condition that names none of its versions fails. */
const NO_VERSION = 0

const tagsOf = (ifMatch = '*') => ifMatch.split(',').map((tag) => tag.trim())

const areAnyVersion = (tags: readonly string[]) => tags.length === 1 && tags[0] === '*'

/**
 * Whether a resource with this version may be changed.
 *
 * @param ifMatch the header: `*`, or entity tags with commas between them. A weak tag (`W/"3"`)
 * matches nothing, because If-Match compares strongly (§8.8.3.2).
 * @param version the version that the caller read under the lock of the change
 */
export function isExpectedVersion(ifMatch: string | undefined, version: number | string): boolean {
  const tags = tagsOf(ifMatch)
  return areAnyVersion(tags) || tags.includes(`"${version}"`)
}

/**
 * The version that a resource must have for a change to happen; undefined when any version will do.
 *
 * @param ifMatch the header, as for `isExpectedVersion`
 * @param version the resource's current version; the caller must compare it again when it writes
 */
export function expectedVersion(ifMatch: string | undefined, version: number): number | undefined {
  if (areAnyVersion(tagsOf(ifMatch))) return undefined
  return isExpectedVersion(ifMatch, version) ? version : NO_VERSION
}

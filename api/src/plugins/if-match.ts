/** The precondition of a change (RFC 9110 §13.1.1). */

/** No resource has this version, so a condition that names none of its versions fails. */
const NO_VERSION = 0

/**
 * The version that a resource must have for a change to happen; undefined when any version will do.
 *
 * @param ifMatch the header: `*`, or entity tags with commas between them. A weak tag (`W/"3"`)
 * matches nothing, because If-Match compares strongly (§8.8.3.2).
 * @param version the resource's current version; the caller must compare it again when it writes
 */
export function expectedVersion(ifMatch: string | undefined, version: number): number | undefined {
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined
  const tags = ifMatch.split(',').map((tag) => tag.trim())
  return tags.includes(`"${version}"`) ? version : NO_VERSION
}

/** How help and messages label an argument. */

/** Commands whose argument `name` or `names` is a domain. The keys are part of `command-snapshot.json` and stay. */
const TAKES_DOMAIN =
  /^(?:domains|forwards|monitors|records|stats|tokens)[: ]|^records$|^update$|^keys[: ]test$/

/** Commands that take the id of a record instead of its type and owner. */
const TAKES_RECORD = /^records[: ](?:remove|delete|rm|show|update)$/

/** The label of an argument. @param command its id; oclif's help writes it with spaces instead of colons */
export function argumentLabel(command: string, key: string): string {
  if (key === 'type' && TAKES_RECORD.test(command)) return 'type|id'
  return /^names?$/.test(key) && TAKES_DOMAIN.test(command) ? 'domain' : key
}

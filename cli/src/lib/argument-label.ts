/** How help and messages label an argument. */

/** Commands whose argument `name` or `names` is a domain. The keys are part of `command-snapshot.json` and stay. */
const TAKES_DOMAIN = /^(?:domains|forwards|monitors|stats|tokens)[: ]|^update$|^keys[: ]test$/

/** The label of an argument. @param command its id; oclif's help writes it with spaces instead of colons */
export function argumentLabel(command: string, key: string): string {
  return /^names?$/.test(key) && TAKES_DOMAIN.test(command) ? 'domain' : key
}

/** User names that could pass for the service itself, its staff, or a role of mail (RFC 2142). */
const ROLES = `
  admin administrator root system staff support help team homing
  abuse billing contact hostmaster info legal mailer-daemon marketing
  no-reply noc noreply postmaster privacy sales security webmaster api me www`

/** What update clients send where a service expects no user name. */
const PLACEHOLDERS = 'none nobody null undefined anonymous guest user username token'

const RESERVED = new Set(`${ROLES} ${PLACEHOLDERS}`.split(/\s+/))

/** Whether nobody may register a user name. Dots, hyphens and underscores do not disguise one. */
export function isReservedUsername(username: string): boolean {
  const name = username.toLowerCase()
  return RESERVED.has(name) || RESERVED.has(name.replaceAll(/[._-]/g, ''))
}

/** User names that look like the service itself, its staff, or a mail role (RFC 2142). */
const ROLES = `
  admin administrator root system staff support help team homing
  abuse billing contact hostmaster info legal mailer-daemon marketing
  no-reply noc noreply postmaster privacy sales security webmaster api me www`

/** Placeholders that update clients send when the service needs no user name. */
const PLACEHOLDERS = 'none nobody null undefined anonymous guest user username token'

const RESERVED = new Set(`${ROLES} ${PLACEHOLDERS}`.split(/\s+/))

/** Whether a user name cannot be registered. Dots, hyphens and underscores are ignored. */
export function isReservedUsername(username: string): boolean {
  const name = username.toLowerCase()
  return RESERVED.has(name) || RESERVED.has(name.replaceAll(/[._-]/g, ''))
}

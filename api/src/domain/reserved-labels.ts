/**
 * Labels that nobody may register directly below a zone.
 *
 * There they would speak for the provider, or be found by machines that look for a
 * service under a fixed name. Deeper down a label belongs to the domain it lies in:
 * `www.home.<zone>` is the business of home's owner.
 */

const words = (text: string): readonly string[] => text.trim().split(/\s+/)

const RESERVED: readonly string[] = [
  // Host names of the service itself.
  ...words(`
      www www1 www2 web api app apps admin admins administrator root system sysadmin
      dashboard login logout signin signup register account accounts auth sso oauth id
      mail email smtp imap pop pop3 mx webmail ftp sftp ssh vpn proxy gateway
      dns ns nameserver nameservers resolver whois rdap
      status static assets cdn img images blog docs help
      billing payment payments pay checkout invoice secure ssl tls ssladmin sslwebmaster
      ipv4 ipv6 checkip update updates forward homing`),
  // Looked up by devices that configure themselves.
  ...words('autodiscover autoconfig wpad isatap localhost localdomain broadcasthost local'),
  // Mailboxes that RFC 2142 sets aside.
  ...words(`
      abuse noc security postmaster hostmaster webmaster usenet news uucp
      info marketing sales support list`),
  // Top-level domains: a name below one of them reads like that name itself, and like nobody's zone.
  ...words('com net org edu gov mil int arpa'),
]

const LABELS: ReadonlySet<string> = new Set(RESERVED)

/** Numbered hosts of the service: `ns1`, `dns2`, `mx10`. */
const NUMBERED = /^(ns|dns|mx|mail|smtp)\d+$/

/** Whether a label directly below a zone is reserved. The label is in lower case. */
export function isReservedLabel(label: string): boolean {
  return LABELS.has(label) || NUMBERED.test(label)
}

/**
 * Labels that cannot be registered directly below a zone.
 *
 * There they would appear to speak for the provider, or be found by machines that look for a service under a
 * fixed name. Deeper down, a label belongs to the domain above it: the owner of `home` decides about
 * `www.home.<zone>`.
 *
 * Labels that begin with an underscore are not host names, and the grammar refuses them. They cover most
 * automatic look-ups: `_dmarc` (RFC 7489), `_mta-sts` (RFC 8461), `_domainkey` (RFC 6376), `_acme-challenge`
 * (RFC 8555), and every SRV look-up, including Apple's for calendars, contacts and mail (RFC 6186, RFC
 * 6764).
 *
 * A domain that was registered before its label was reserved keeps working. Only new registrations are
 * refused.
 */

const words = (text: string): readonly string[] => text.trim().split(/\s+/)

const RESERVED: readonly string[] = [
  // The service's own host names.
  ...words(`
      www www1 www2 web api app apps admin admins administrator root system sysadmin
      dashboard login logout signin signup register account accounts auth sso oauth id
      mail email smtp imap pop pop3 mx webmail ftp sftp ssh vpn proxy gateway
      dns ns nameserver nameservers resolver whois rdap
      status static assets cdn img images blog docs help
      billing payment payments pay checkout invoice secure ssl tls ssladmin sslwebmaster
      ipv4 ipv6 checkip update updates verify forward homing`),
  // Devices look these up to configure themselves.
  ...words('autodiscover autoconfig wpad isatap localhost localdomain broadcasthost local'),
  // Microsoft's clients look these up below a mail domain: Exchange, Skype for Business and Teams, Windows and Intune enrolment.
  ...words(`
      enterpriseenrollment enterpriseregistration lyncdiscover lyncdiscoverinternal msoid
      sip sipexternal sipfederationtls sipinternal ucupdates-r2 workfolders`),
  // Mail servers and OpenPGP clients fetch policies and keys from these (RFC 8461 §3.3; OpenPGP Web Key Directory §3.1).
  ...words('mta-sts openpgpkey'),
  // Mailboxes that RFC 2142 §3 to §6 reserves; `ftp` and `www` are above.
  ...words(`
      abuse noc security postmaster hostmaster webmaster usenet news uucp
      info marketing sales support list`),
  // Top-level domains: a name below one of them looks like a name of that top-level domain, not of
  // the provider's zone.
  ...words('com net org edu gov mil int arpa'),
]

const LABELS: ReadonlySet<string> = new Set(RESERVED)

/** Numbered hosts of the service: `ns1`, `dns2`, `mx10`. */
const NUMBERED = /^(ns|dns|mx|mail|smtp)\d+$/

/** Whether a label directly below a zone is reserved. The label is in lower case. */
export function isReservedLabel(label: string): boolean {
  return LABELS.has(label) || NUMBERED.test(label)
}

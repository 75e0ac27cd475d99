/** The zones, where they are answered for, and what is named after the first of them: name servers, mail, the administrator. */
import * as parse from './parsers.ts'
import type { Variables } from './variables.ts'

const PASSWORD_LIMIT_CHARACTERS = 8

export interface Administrator {
  readonly username: string
  readonly email: string
  /** Absent: a random one is made on the first start. */
  readonly password?: string
}

/** @throws ConfigError at the first variable that is wrong */
export function zonesOf(variables: Variables) {
  const addresses = 'a comma list of IPv4 and IPv6 addresses'
  const names = 'a comma list of domain names such as example.net'
  const servers = 'a comma list of hostname/IPv4 or hostname/IPv4/IPv6'
  const zones = variables.value('ZONES', names, parse.listOf(parse.hostname), ['homing.test'])
  const [first = 'homing.test'] = zones
  return {
    dnsHosts: variables.value('DNS_HOST', addresses, parse.listOf(parse.ipAddress), ['127.0.0.1']),
    dnsPort: variables.value('DNS_PORT', parse.PORT, parse.port, 8053),
    zones,
    nameservers: variables.value('NAMESERVERS', servers, parse.listOf(parse.nameserver), [
      { hostname: `ns1.${first}`, ipv4: '127.0.0.1' },
      { hostname: `ns2.${first}`, ipv4: '127.0.0.1' },
    ]),
    admin: administratorOf(variables, first),
    ...senderOf(variables, first),
  }
}

function senderOf(variables: Variables, zone: string) {
  const takes = "a name of at most 40 letters, digits, spaces and . & ' + -"
  const productName = variables.value('PRODUCT_NAME', takes, parse.productName, 'Homing')
  return {
    productName,
    mailFrom: variables.value(
      'MAIL_FROM',
      'Name <address@example.net> or an address alone',
      parse.mailbox,
      `${productName} <no-reply@${zone}>`,
    ),
    securityContact: variables.value(
      'SECURITY_CONTACT',
      'a URL such as mailto:security@example.net, or one that begins with https:// or tel:+',
      parse.contactUrl,
      `mailto:security@${zone}`,
    ),
  }
}

function administratorOf(variables: Variables, zone: string): Administrator {
  const takes = `at least ${PASSWORD_LIMIT_CHARACTERS} characters`
  const password = variables.secret(
    'ADMIN_PASSWORD',
    takes,
    parse.textFrom(PASSWORD_LIMIT_CHARACTERS),
  )
  return {
    username: variables.value(
      'ADMIN_USERNAME',
      '3 to 32 of the characters a-z, 0-9, dot, underscore and hyphen',
      (text) => (/^[a-z0-9._-]{3,32}$/i.test(text) ? text : undefined),
      'admin',
    ),
    email: variables.value('ADMIN_EMAIL', 'an e-mail address', parse.emailAddress, `admin@${zone}`),
    ...(password === undefined ? {} : { password }),
  }
}

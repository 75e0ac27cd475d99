/** Routers whose own form has fields for a dynamic-DNS service. */
import { choice, type Device, field } from './device.ts'

/** The URL of most forms, before the addresses. */
const UPDATE_URL = 'https://SERVICE/nic/update?hostname='
const ACCOUNT = [field('Username', 'NAME'), field('Password', 'TOKEN')] as const

export const FRITZBOX: Device = {
  id: 'fritzbox',
  name: 'FRITZ!Box',
  kind: 'router',
  words: ['avm', 'fritz', 'dyndns'],
  menu: 'Internet → Permit Access → DynDNS',
  setup: {
    credentialsIn: 'basic',
    fields: [
      choice('DynDNS Provider', 'User-defined'),
      field('Update URL', `${UPDATE_URL}<domain>&myip=<ipaddr>`),
      field('Domain name', 'NAME'),
      field('User name', 'NAME'),
      field('Password', 'TOKEN'),
    ],
  },
  dualSetup: {
    credentialsIn: 'basic',
    fields: [
      choice('DynDNS Provider', 'User-defined'),
      field('Update URL', `${UPDATE_URL}<domain>&myip=<ipaddr>&myipv6=<ip6addr>`),
      field('Domain name', 'NAME'),
      field('User name', 'NAME'),
      field('Password', 'TOKEN'),
    ],
  },
  notes: [
    'The box fills in the placeholders in angle brackets. Enter the URL as it is.',
    'Without a user name the box sends no updates. Any text will do.',
    'One URL is enough for both families. Do not enter two.',
    'To also update the domains below this one, add `&ip6lanprefix=<ip6lanprefix>` to the URL and use an API key as the password.',
    'To send an update at once, switch DynDNS off, apply, and switch it on again.',
  ],
  agent: /^fritz!box/i,
}

export const UNIFI: Device = {
  id: 'unifi',
  name: 'UniFi',
  kind: 'router',
  words: ['ubiquiti', 'dream machine', 'udm', 'usg', 'gateway', 'cloud gateway'],
  menu: 'Settings → Internet → your WAN → Dynamic DNS',
  setup: {
    credentialsIn: 'basic',
    fields: [
      choice('Service', 'custom'),
      field('Hostname', 'NAME'),
      ...ACCOUNT,
      field('Server', 'SERVICE/nic/update?hostname=%h&myip=%i'),
    ],
  },
  notes: [
    'If the list of services has no `custom`, choose `dyndns`.',
    'Write the server without `https://`, and both placeholders with the name of their parameter.',
  ],
}

export const OPNSENSE: Device = {
  id: 'opnsense',
  name: 'OPNsense',
  kind: 'router',
  words: ['os-ddclient', 'firewall'],
  menu: 'Services → Dynamic DNS, with the plugin os-ddclient',
  setup: {
    credentialsIn: 'basic',
    fields: [
      choice('Service', 'Custom'),
      choice('Protocol', 'DynDns2'),
      field('Server', 'SERVICE'),
      ...ACCOUNT,
      field('Hostname(s)', 'NAME'),
      choice('Force SSL', '‹on|off›'),
    ],
    requests: '/nic/update?hostname=NAME&myip=<ipv4>&system=dyndns&wildcard=NOCHG',
  },
  notes: [
    'For IPv6, add a second account whose “Check ip method” finds the IPv6 address.',
    'OPNsense takes every answer with a status of 2xx for a success. Check here whether the address arrived.',
  ],
  agent: /^opnsense/i,
}

const PFSENSE_WAN = [
  choice('Interface to monitor', 'WAN'),
  choice('Interface to send update from', 'WAN'),
] as const
const PFSENSE_URL = [
  ...ACCOUNT,
  field('Update URL', `${UPDATE_URL}NAME&myip=%IP%`),
  field('Result Match', 'good %IP%|nochg %IP%'),
] as const

export const PFSENSE: Device = {
  id: 'pfsense',
  name: 'pfSense',
  kind: 'router',
  words: ['netgate', 'firewall'],
  menu: 'Services → Dynamic DNS → Dynamic DNS Clients',
  setup: {
    credentialsIn: 'basic',
    fields: [choice('Service Type', 'Custom'), ...PFSENSE_WAN, ...PFSENSE_URL],
  },
  notes: [
    'For IPv6, add a second client with the service type “Custom (v6)” and the same values.',
    'pfSense compares the whole answer with the result match, so the URL must contain one domain only.',
    'If the WAN interface has no public address, pfSense notices a change only in its daily run.',
  ],
  agent: /^phpdyndns/i,
}

export const SPEEDPORT: Device = {
  id: 'speedport',
  name: 'Speedport',
  kind: 'router',
  words: ['telekom', 'hybrid', 'smart', 'dyndns'],
  setup: {
    credentialsIn: 'basic',
    fields: [
      choice('Provider', 'other provider'),
      field('Domain name', 'NAME'),
      field('User name', 'NAME'),
      field('Password', 'TOKEN'),
      field('Update server address', 'https://SERVICE'),
      choice('Protocol', '‹https|http›'),
      field('Port', '‹443|80›'),
    ],
    requests: '/nic/update?hostname=NAME&myip=<ipv6>,<ipv4>',
  },
  notes: ['Some models send the IPv6 address before the IPv4 address. The service reads both.'],
}

export const DDWRT: Device = {
  id: 'dd-wrt',
  name: 'DD-WRT',
  kind: 'router',
  words: ['ddwrt', 'linksys', 'buffalo'],
  menu: 'Setup → DDNS',
  setup: {
    credentialsIn: 'basic',
    fields: [
      choice('DDNS Service', 'Custom'),
      field('DYNDNS Server', 'SERVICE'),
      ...ACCOUNT,
      field('Hostname', 'NAME'),
      field('URL', '/nic/update?hostname='),
      choice('Use External IP Check', 'No'),
    ],
    requests: '/nic/update?hostname=NAME',
  },
  notes: [
    'DD-WRT appends the host name to the URL.',
    'Leave “Additional DDNS Options” empty.',
    'The request contains no address: the service uses the address that it comes from.',
  ],
}

const COMPUTERS = ['cron', 'windows', 'docker'] as const

export const TPLINK: Device = {
  id: 'tp-link',
  name: 'TP-Link',
  kind: 'router',
  words: ['archer', 'deco', 'tplink'],
  notes: [
    'Firmware that only offers a list of services cannot be told another one: an entry such as “DynDNS” always calls that company’s servers. If your model has an entry for a custom service with its own URL, use the settings of “Any router”.',
  ],
  instead: ['router', 'openwrt', ...COMPUTERS],
}

export const NETGEAR: Device = {
  id: 'netgear',
  name: 'Netgear',
  kind: 'router',
  words: ['nighthawk', 'orbi'],
  notes: [
    'Firmware that only offers a list of services cannot be told another one: an entry such as “DynDNS” always calls that company’s servers. If your model has an entry for a custom service with its own URL, use the settings of “Any router”.',
  ],
  instead: ['router', 'openwrt', 'dd-wrt', ...COMPUTERS],
}

/** For devices that are not in the table. */
export const ANY_ROUTER: Device = {
  id: 'router',
  name: 'Any router',
  kind: 'router',
  words: ['other', 'custom', 'generic', 'ddns', 'dyndns', 'dyndns2', 'provider'],
  setup: {
    credentialsIn: 'basic',
    fields: [
      choice('Provider', 'custom, user-defined, or dyndns2'),
      field('Server', 'SERVICE'),
      field('Update URL', `${UPDATE_URL}NAME`),
      field('Host name', 'NAME'),
      field('User name', 'NAME'),
      field('Password', 'TOKEN'),
    ],
  },
  notes: [
    'If the device has no fields for username and password, use the URL `https://SERVICE/u/TOKEN`.',
    'If the URL contains no address, the service uses the address that the request comes from.',
  ],
}

/** Routers that are set up with a configuration file, commands or a script. */
import { choice, type Device, field } from './device.ts'

const openWrtSection = (family: 4 | 6): string => `config service 'homing_ipv${family}'
	option enabled '1'
	option interface '${family === 4 ? 'wan' : 'wan6'}'${family === 4 ? '' : "\n\toption use_ipv6 '1'"}
	option lookup_host 'NAME'
	option domain 'NAME'
	option username 'NAME'
	option password 'TOKEN'
	option use_https '‹1|0›'
	option update_url '‹https|http›://[USERNAME]:[PASSWORD]@SERVICE/nic/update?hostname=[DOMAIN]&myip=[IP]'
`
const UCI = {
  name: 'homing-ddns.txt',
  use: 'Append it to `/etc/config/ddns`, then run `/etc/init.d/ddns restart`.',
  language: 'text',
} as const

export const OPENWRT: Device = {
  id: 'openwrt',
  name: 'OpenWrt',
  kind: 'router',
  words: ['lede', 'luci', 'uci', 'ddns-scripts', 'gl.inet', 'turris'],
  menu: 'The package ddns-scripts, configured in /etc/config/ddns',
  setup: { credentialsIn: 'basic', files: [{ ...UCI, content: openWrtSection(4) }] },
  dualSetup: {
    credentialsIn: 'basic',
    files: [{ ...UCI, content: `${openWrtSection(4)}\n${openWrtSection(6)}` }],
  },
  notes: [
    'HTTPS needs a `wget` or `curl` with TLS, and the package `ca-certificates`.',
    'Each section sets its own family. The two sections do not affect each other.',
  ],
}

export const MIKROTIK: Device = {
  id: 'mikrotik',
  name: 'MikroTik',
  kind: 'router',
  words: ['routeros', 'winbox', 'hap', 'scheduler'],
  menu: 'System → Scripts, and System → Scheduler',
  setup: {
    credentialsIn: 'url',
    files: [
      {
        name: 'homing.rsc',
        use: 'Upload it to the router, then run `/import file-name=homing.rsc`.',
        language: 'text',
        content: `/system script add name=homing source={
    /tool fetch mode=‹https|http› url="https://SERVICE/nic/update?hostname=NAME&token=TOKEN" output=none
}
/system scheduler add name=homing interval=5m on-event="/system script run homing"
`,
      },
    ],
  },
  notes: ['The request contains no address: the service uses the address that it comes from.'],
  agent: /^mikrotik/i,
}

const edgeLine = (setting: string) =>
  `set service dns dynamic interface eth0 service custom-homing ${setting}\n`

export const EDGEROUTER: Device = {
  id: 'edgerouter',
  name: 'EdgeRouter',
  kind: 'router',
  words: ['edgeos', 'ubiquiti', 'edgemax', 'vyatta'],
  menu: 'The command line (CLI)',
  setup: {
    credentialsIn: 'basic',
    files: [
      {
        name: 'homing-edgerouter.txt',
        use: 'Enter the commands on the command line. Replace `eth0` by your WAN interface, for example `pppoe0`.',
        language: 'text',
        content: `configure
${[
  'host-name NAME',
  'login NAME',
  'password TOKEN',
  'protocol dyndns2',
  'server SERVICE',
  'options ssl=‹true|false›',
]
  .map(edgeLine)
  .join('')}commit
save
exit
`,
      },
    ],
    requests: '/nic/update?system=dyndns&hostname=NAME&myip=<ipv4>',
  },
  notes: [
    '`update dns dynamic interface eth0` sends an update at once, and `show dns dynamic status` shows its result.',
  ],
}

export const ASUS: Device = {
  id: 'asus',
  name: 'ASUS',
  kind: 'router',
  words: ['asuswrt', 'merlin', 'rt-ax', 'rt-ac', 'zenwifi'],
  menu: 'WAN → DDNS, with the firmware Asuswrt-Merlin',
  setup: {
    credentialsIn: 'bearer',
    fields: [
      choice('Enable the DDNS Client', 'Yes'),
      choice('Server', 'Custom'),
      field('Host name', 'NAME'),
    ],
    files: [
      {
        name: 'ddns-start',
        use: 'Save it as `/jffs/scripts/ddns-start`, and run `chmod 700 /jffs/scripts/ddns-start`.',
        language: 'sh',
        content: `#!/bin/sh
# Asuswrt-Merlin runs this script with the new address of the WAN.
if printf 'header = "Authorization: Bearer TOKEN"' |
    curl -fsS -K - "https://SERVICE/nic/update?hostname=NAME&myip=$1" | grep -Eq '^(good|nochg)'; then
    /sbin/ddns_custom_updated 1
else
    /sbin/ddns_custom_updated 0
fi
`,
      },
    ],
  },
  notes: [
    'Permit scripts first: Administration → System → Enable JFFS custom scripts and configs.',
    'The firmware of ASUS itself only offers a list of services, and does not run the script.',
  ],
}

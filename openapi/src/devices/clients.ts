/** Update clients: programs that run all the time on a computer. */
import type { Device } from './device.ts'

const DDCLIENT_FILE = {
  name: 'ddclient.conf',
  use: 'Save it as `/etc/ddclient.conf`, run `chmod 600 /etc/ddclient.conf`, and restart ddclient.',
  language: 'ini',
} as const
/** The lines for the domain. */
const DDCLIENT_DOMAIN = `protocol=dyndns2
server=SERVICE
ssl=‹yes|no›
login=NAME
password='TOKEN'
NAME
`

export const DDCLIENT: Device = {
  id: 'ddclient',
  name: 'ddclient',
  kind: 'program',
  words: ['linux', 'perl', 'debian', 'ubuntu', 'raspberry pi'],
  setup: {
    credentialsIn: 'basic',
    files: [
      {
        ...DDCLIENT_FILE,
        content: `use=web, web=https://SERVICE/checkip\n${DDCLIENT_DOMAIN}`,
      },
    ],
    requests: '/nic/update?system=dyndns&hostname=NAME&myip=<ipv4>',
  },
  dualSetup: {
    credentialsIn: 'basic',
    files: [
      {
        ...DDCLIENT_FILE,
        content: `usev4=webv4, webv4=https://SERVICE/checkip
usev6=webv6, webv6=https://SERVICE/checkip
${DDCLIENT_DOMAIN}`,
      },
    ],
    requests: '/nic/update?system=dyndns&hostname=NAME&myip=<ipv4>,<ipv6>',
  },
  notes: [
    'The settings for both families need ddclient 3.10 or newer.',
    'ddclient looks for a new address every 5 minutes, and sends an update only if it changed, or after 25 days.',
  ],
  agent: /^ddclient/i,
}

const INADYN_FILE = {
  name: 'inadyn.conf',
  use: 'Save it as `/etc/inadyn.conf`, run `chmod 600 /etc/inadyn.conf`, and restart inadyn.',
  language: 'text',
} as const
const inadynSection = (name: string, check: string) => `custom ${name} {
    username       = "NAME"
    password       = "TOKEN"
    ssl            = ‹true|false›
    ddns-server    = SERVICE
    ddns-path      = "/nic/update?hostname=%h&myip=%i"
    hostname       = NAME
${check}}
`
const CHECK = `    checkip-server = SERVICE
    checkip-path   = "/checkip"
    checkip-ssl    = ‹true|false›
`
const checkFamily = (family: 4 | 6) =>
  `    checkip-command = "curl -fsS -${family} https://SERVICE/checkip"\n`
const INADYN_CONTENT = inadynSection('homing', CHECK)

export const INADYN: Device = {
  id: 'inadyn',
  name: 'inadyn',
  kind: 'program',
  words: ['linux', 'in-a-dyn', 'debian', 'alpine'],
  setup: { credentialsIn: 'basic', files: [{ ...INADYN_FILE, content: INADYN_CONTENT }] },
  dualSetup: {
    credentialsIn: 'basic',
    files: [
      {
        ...INADYN_FILE,
        content: `allow-ipv6 = true
${inadynSection('homing:4', checkFamily(4))}${inadynSection('homing:6', checkFamily(6))}`,
      },
    ],
  },
  notes: [
    'The settings for both families find the addresses with `curl`, which must be installed.',
    'inadyn stops for good after a wrong password. Start it again when you have corrected the password.',
  ],
  agent: /^inadyn/i,
}

const indented = (text: string) => text.replaceAll(/^(?=.)/gm, '      ')

export const DOCKER: Device = {
  id: 'docker',
  name: 'Docker',
  kind: 'program',
  words: ['compose', 'container', 'podman', 'portainer', 'unraid', 'truenas'],
  setup: {
    credentialsIn: 'basic',
    files: [
      {
        name: 'compose.yaml',
        use: 'Save it in a folder of its own, and run `docker compose up -d` there.',
        language: 'yaml',
        content: `services:
  homing:
    image: troglobit/inadyn:latest
    restart: unless-stopped
    configs:
      - source: inadyn
        target: /etc/inadyn.conf
configs:
  inadyn:
    content: |
${indented(INADYN_CONTENT)}`,
      },
    ],
  },
  notes: ['Needs Docker Compose 2.23.1 or newer, for the configuration inside the file.'],
}

export const HOME_ASSISTANT: Device = {
  id: 'home-assistant',
  name: 'Home Assistant',
  kind: 'program',
  words: ['hass', 'hassio', 'automation', 'smart home', 'yaml'],
  setup: {
    credentialsIn: 'bearer',
    files: [
      {
        name: 'homing.yaml',
        use: 'Save it in the folder `packages` beside `configuration.yaml`, and restart Home Assistant.',
        language: 'yaml',
        content: `rest_command:
  homing_update:
    url: "https://SERVICE/nic/update?hostname=NAME"
    headers:
      authorization: "Bearer TOKEN"

automation:
  - id: homing_update
    alias: Update NAME
    triggers:
      - trigger: time_pattern
        minutes: "/5"
    actions:
      - action: rest_command.homing_update
`,
      },
    ],
  },
  notes: [
    'If you have no packages yet, add `packages: !include_dir_named packages` below `homeassistant:` in `configuration.yaml`.',
    'The request contains no address: the service uses the address that it comes from.',
  ],
  agent: /^homeassistant/i,
}

/** Programs that some tests need and that npm cannot install. */
import { pathOf } from '../../test/outside-tool.ts'
import { runCommand } from './command.ts'

/** Program → its Debian package. */
const DEBIAN_PACKAGES: Readonly<Record<string, string>> = {
  caddy: 'caddy',
  'chromium-headless-shell': 'chromium-headless-shell',
  ddclient: 'ddclient',
  dig: 'bind9-dnsutils',
  dnsviz: 'dnsviz',
  drill: 'ldnsutils',
  faketime: 'faketime',
  inadyn: 'inadyn',
  ip: 'iproute2',
  kdig: 'knot-dnsutils',
  knotd: 'knot',
  named: 'bind9',
  nginx: 'nginx-light',
  nsd: 'nsd',
  openssl: 'openssl',
  script: 'bsdutils',
  'systemd-analyze': 'systemd',
  unbound: 'unbound',
  'zonemaster-cli': 'zonemaster-cli',
}

// Debian asks this file whether a package may start its daemon. Tests start what they need, and nothing else may listen on port 53.
const START_NO_DAEMONS = `policy=/usr/sbin/policy-rc.d; if [ ! -e $policy ]; then
  trap 'rm -f $policy' EXIT; printf '#!/bin/sh\\nexit 101\\n' > $policy; chmod +x $policy; fi`

/**
 * Installs missing programs where that is possible: on Debian, as root. Tests
 * that need a program that cannot be installed report it.
 */
export async function installOutsideTools(): Promise<void> {
  const missing = Object.entries(DEBIAN_PACKAGES)
    .filter(([program]) => pathOf(program) === undefined)
    .map(([, debianPackage]) => debianPackage)
  if (missing.length === 0 || process.getuid?.() !== 0 || pathOf('apt-get') === undefined) return
  console.log(`installing ${missing.join(' and ')}`)
  const install = `apt-get install -qq -y --no-install-recommends ${missing.join(' ')}`
  await runCommand(
    'sh',
    '-c',
    `${START_NO_DAEMONS}; export DEBIAN_FRONTEND=noninteractive; ${install} || { apt-get update -qq && ${install}; }
     for unit in ${missing.join(' ')}; do systemctl --quiet disable $unit 2>&1 || true; done`,
  )
}

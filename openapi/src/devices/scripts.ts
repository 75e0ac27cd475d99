/** Commands and scripts that something else starts: a person, a timer, a pipeline. */
import type { Device, DeviceFile } from './device.ts'

const BASIC = 'curl -u "NAME:TOKEN"'
const URL_OF_DOMAIN = '"https://SERVICE/nic/update?hostname=NAME"'

const command = (content: string): DeviceFile => ({
  name: 'homing-update.txt',
  use: 'Enter it in a terminal.',
  language: 'sh',
  content,
})

export const CURL: Device = {
  id: 'curl',
  name: 'cURL',
  kind: 'program',
  words: ['command', 'terminal', 'shell', 'by hand', 'test', 'http', 'api'],
  setup: { credentialsIn: 'basic', files: [command(`${BASIC} ${URL_OF_DOMAIN}\n`)] },
  dualSetup: {
    credentialsIn: 'basic',
    files: [command(`${BASIC} -4 ${URL_OF_DOMAIN}\n${BASIC} -6 ${URL_OF_DOMAIN}\n`)],
  },
  notes: [
    'The request contains no address: the service uses the address that it comes from. For another address, add `&myip=` and the address.',
    'Each family is set by its own command, and keeps its address otherwise.',
  ],
  agent: /^curl/i,
}

/** The script does not show the token in the list of processes: curl reads it from its input. */
const scriptFor = (families: readonly (4 | 6)[]): DeviceFile => ({
  name: 'homing-update.sh',
  use: 'Save it in your home folder, and run `chmod 700 homing-update.sh`.',
  language: 'sh',
  content: `#!/bin/sh
# Reports the address of this machine for NAME.
${families
  .map(
    (family) => `printf 'header = "Authorization: Bearer TOKEN"' |
    curl -fsS -${family} -K - ${URL_OF_DOMAIN}
`,
  )
  .join('')}`,
})

const CRONTAB: DeviceFile = {
  name: 'crontab.txt',
  use: 'Run `crontab -e`, and add this line.',
  language: 'text',
  content: '*/5 * * * * "$HOME/homing-update.sh" > /dev/null\n',
}

export const CRON: Device = {
  id: 'cron',
  name: 'Cron script',
  kind: 'program',
  words: ['crontab', 'linux', 'macos', 'unix', 'raspberry pi', 'bash', 'shell', 'curl'],
  setup: { credentialsIn: 'bearer', files: [scriptFor([4]), CRONTAB] },
  dualSetup: { credentialsIn: 'bearer', files: [scriptFor([4, 6]), CRONTAB] },
  notes: [
    'The script runs every 5 minutes. Requests that change nothing do not count for a limit.',
  ],
}

const UNITS: readonly DeviceFile[] = [
  {
    name: 'homing-update.service',
    use: 'Save it in `/etc/systemd/system`, and the script as `/usr/local/sbin/homing-update.sh` with `chmod 700`.',
    language: 'ini',
    content: `[Unit]
Description=Report the address of this machine for NAME
Wants=network-online.target
After=network-online.target

[Service]
Type=oneshot
ExecStart=/usr/local/sbin/homing-update.sh
`,
  },
  {
    name: 'homing-update.timer',
    use: 'Save it in `/etc/systemd/system`, and run `systemctl enable --now homing-update.timer`.',
    language: 'ini',
    content: `[Unit]
Description=Report the address of this machine every 5 minutes

[Timer]
OnBootSec=30s
OnUnitActiveSec=5min

[Install]
WantedBy=timers.target
`,
  },
]

export const SYSTEMD: Device = {
  id: 'systemd',
  name: 'systemd timer',
  kind: 'program',
  words: ['linux', 'unit', 'service', 'debian', 'fedora', 'arch'],
  setup: { credentialsIn: 'bearer', files: [scriptFor([4]), ...UNITS] },
  dualSetup: { credentialsIn: 'bearer', files: [scriptFor([4, 6]), ...UNITS] },
  notes: [
    '`systemctl start homing-update` sends an update at once, and `journalctl -u homing-update` shows the answers.',
  ],
}

const powershellFor = (families: readonly (4 | 6)[]): DeviceFile => ({
  name: 'homing-update.ps1',
  use: 'Save both scripts in the same folder.',
  language: 'powershell',
  content: `# Reports the address of this computer for NAME.
${families
  .map((family) => `curl.exe -sS -${family} -H "Authorization: Bearer TOKEN" ${URL_OF_DOMAIN}\n`)
  .join('')}`,
})

const TASK: DeviceFile = {
  name: 'homing-task.ps1',
  use: 'Run it once: `powershell -ExecutionPolicy Bypass -File homing-task.ps1`.',
  language: 'powershell',
  content: `# Runs homing-update.ps1 every 5 minutes.
$script = Join-Path $PSScriptRoot "homing-update.ps1"
$arguments = "-NoProfile -WindowStyle Hidden -ExecutionPolicy Bypass -File \`"$script\`""
$action = New-ScheduledTaskAction -Execute "powershell.exe" -Argument $arguments
$trigger = New-ScheduledTaskTrigger -Once -At (Get-Date) -RepetitionInterval (New-TimeSpan -Minutes 5)
Register-ScheduledTask -TaskName "Homing update" -Action $action -Trigger $trigger
`,
}

export const WINDOWS: Device = {
  id: 'windows',
  name: 'Windows task',
  kind: 'program',
  words: ['powershell', 'scheduled task', 'task scheduler', 'microsoft'],
  setup: { credentialsIn: 'bearer', files: [powershellFor([4]), TASK] },
  dualSetup: { credentialsIn: 'bearer', files: [powershellFor([4, 6]), TASK] },
  notes: [
    'The task runs while you are signed in.',
    'The script uses `curl.exe`, which is part of Windows 10 and newer.',
  ],
}

export const GITHUB_ACTIONS: Device = {
  id: 'github-actions',
  name: 'GitHub Actions',
  kind: 'program',
  words: ['workflow', 'ci', 'pipeline', 'deploy'],
  menu: 'Settings → Secrets and variables → Actions → New repository secret',
  setup: {
    credentialsIn: 'bearer',
    fields: [
      { label: 'Name', value: 'HOMING_TOKEN' },
      { label: 'Secret', value: 'TOKEN' },
    ],
    files: [
      {
        name: 'update-dns.yml',
        use: 'Save it in the folder `.github/workflows` of the repository.',
        language: 'yaml',
        content: `name: Update NAME
on:
  workflow_dispatch:
    inputs:
      address:
        description: The new address; an IPv4 and an IPv6 address with a comma between them
        required: true
permissions: {}
jobs:
  update:
    runs-on: ubuntu-latest
    steps:
      - run: |
          curl -fsS -H "Authorization: Bearer $HOMING_TOKEN" "https://SERVICE/nic/update?hostname=NAME&myip=$ADDRESS"
        env:
          ADDRESS: \${{ inputs.address }}
          HOMING_TOKEN: \${{ secrets.HOMING_TOKEN }}
`,
      },
    ],
  },
  notes: [
    'The request must contain the address of your server: without it, the domain would get the address of GitHub’s machine.',
    'A pipeline can also work without a stored secret: it exchanges a token of GitHub for a key that is valid for 15 minutes.',
  ],
}

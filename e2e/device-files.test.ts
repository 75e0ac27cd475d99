/**
 * The files that users download for programs other than ddclient and inadyn (`clients.test.ts`), each run for real: by a shell,
 * as a timer of systemd, as a pipeline or container does. Afterwards DNS answers with the address.
 */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { deviceOf, fillIn } from '@homing/openapi/devices'
import { parse } from 'yaml'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { needs } from '../test/outside-tool.ts'
import { addNames, signInAdministrator } from './support/accounts.ts'
import { addressesOf } from './support/dns.ts'
import { eventually } from './support/stack.ts'

const run = promisify(execFile)
const DEVICES = [
  'curl',
  'cron',
  'systemd',
  'docker',
  'home-assistant',
  'github-actions',
  'asus',
] as const
type DeviceId = (typeof DEVICES)[number]
const nameOf = (device: DeviceId) => `file-of-${device}.homing.test`
/** The address of the test at the service. */
const OWN_ADDRESS = '127.0.0.1'

const stack = inject('sharedService')
const folder = mkdtempSync(join(tmpdir(), 'homing-device-files-'))
/** Update tokens by domain. */
const tokens = new Map<string, string>()

beforeAll(async () => {
  const owner = await signInAdministrator(stack)
  await addNames(owner, DEVICES.map(nameOf))
  const { data: domains = [] } = await owner.api.GET('/api/domains')
  for (const { id, fqdn } of domains.filter(({ fqdn: each }) => each.startsWith('file-of-'))) {
    const params = { path: { id } }
    const { data } = await owner.api.POST('/api/domains/{id}/update-token', { params, body: {} })
    tokens.set(fqdn, data?.token ?? '')
  }
})
afterAll(() => rmSync(folder, { recursive: true }))

const secretOf = (device: DeviceId) => tokens.get(nameOf(device)) ?? ''

/** The content of a file of a device, as it is downloaded. */
function contentOf(device: DeviceId, name: string, token = secretOf(device)): string {
  const file = deviceOf(device)?.setup?.files?.find((each) => each.name === name)
  if (file === undefined) throw new Error(`${device} has no file ${name}`)
  return fillIn(file.content, { origin: stack.url, fqdn: nameOf(device), token })
}

/** Saves a text as a file that only its owner can read, and run if it is a script. @returns its path */
function saved(name: string, content: string): string {
  const path = join(folder, name)
  // systemd complains about units that can be run.
  writeFileSync(path, content, { mode: content.startsWith('#!') ? 0o700 : 0o600 })
  return path
}

const inDns = (device: DeviceId, address = OWN_ADDRESS) =>
  eventually(
    () => addressesOf(stack.dnsPort, nameOf(device), 'A'),
    ([shown]) => shown === address,
  )

test('the command of cURL', needs('curl'), async () => {
  const { stdout } = await run('sh', ['-ec', contentOf('curl', 'homing-update.txt')])
  expect(stdout).toBe(`good ${OWN_ADDRESS}\n`)
  await inDns('curl')
})

describe('the script', () => {
  test('is run by the line for the crontab', needs('curl'), async () => {
    saved('homing-update.sh', contentOf('cron', 'homing-update.sh'))
    const line = contentOf('cron', 'crontab.txt')
    const [, command = ''] = /^(?:\S+ ){5}(.*)\n$/.exec(line) ?? []
    await run('sh', ['-c', command], { env: { ...process.env, HOME: folder } })
    expect(await inDns('cron')).toEqual([OWN_ADDRESS])
  })

  test('is run by the units of systemd', needs('curl', 'systemd-analyze'), async () => {
    const script = saved('systemd-update.sh', contentOf('systemd', 'homing-update.sh'))
    const service = contentOf('systemd', 'homing-update.service')
    const path = '/usr/local/sbin/homing-update.sh'
    expect(service).toContain(`\nExecStart=${path}\n`)
    const units = [
      saved('homing-update.service', service.replace(path, script)),
      saved('homing-update.timer', contentOf('systemd', 'homing-update.timer')),
    ]
    const { stdout, stderr } = await run('systemd-analyze', ['verify', ...units])
    expect(stdout + stderr).toBe('')
    await run(script)
    await inDns('systemd')
  })

  test('of ASUS reports to the router whether the update was accepted', needs('curl'), async () => {
    const report = saved('ddns_custom_updated', '#!/bin/sh\necho "reported $1"\n')
    const start = (token?: string) =>
      contentOf('asus', 'ddns-start', token).replaceAll('/sbin/ddns_custom_updated', report)
    const right = saved('ddns-start', start())
    expect((await run(right, ['203.0.113.211'])).stdout).toBe('reported 1\n')
    await inDns('asus', '203.0.113.211')
    const wrong = saved('ddns-start-wrong', start(`ut_${'a'.repeat(36)}`))
    expect((await run(wrong, ['203.0.113.212'])).stdout).toBe('reported 0\n')
    await inDns('asus', '203.0.113.211')
  })
})

describe('the YAML file', () => {
  interface Compose {
    readonly services: {
      readonly homing: {
        readonly configs: readonly { readonly source: string; readonly target: string }[]
      }
    }
    readonly configs: Readonly<Record<string, { readonly content: string }>>
  }

  test('of Docker has the configuration of inadyn', needs('inadyn'), async () => {
    const { services, configs } = parse(contentOf('docker', 'compose.yaml')) as Compose
    const [mounted] = services.homing.configs
    expect(mounted?.target).toBe('/etc/inadyn.conf')
    const content = configs[mounted?.source ?? '']?.content ?? ''
    // The test’s address is not an Internet address.
    const file = saved('inadyn.conf', `verify-address = false\n${content}`)
    const { stdout, stderr } = await run('inadyn', [
      '--once',
      '--foreground',
      '--no-pidfile',
      '--loglevel=info',
      `--config=${file}`,
      `--cache-dir=${folder}`,
    ])
    expect(stdout + stderr).toContain('Successful alias table update for')
    await inDns('docker')
  })

  interface HomeAssistant {
    readonly rest_command: Readonly<
      Record<string, { readonly url: string; readonly headers: Readonly<Record<string, string>> }>
    >
    readonly automation: readonly { readonly actions: readonly { readonly action: string }[] }[]
  }

  test('of Home Assistant runs its command', async () => {
    const file = contentOf('home-assistant', 'homing.yaml')
    const { automation, rest_command } = parse(file) as HomeAssistant
    const [, name = ''] = automation[0]?.actions[0]?.action.split('rest_command.') ?? []
    const command = rest_command[name]
    const answer = await fetch(command?.url ?? '', { headers: command?.headers ?? {} })
    expect(await answer.text()).toBe(`good ${OWN_ADDRESS}\n`)
    await inDns('home-assistant')
  })

  interface Workflow {
    readonly on: {
      readonly workflow_dispatch: { readonly inputs: Readonly<Record<string, unknown>> }
    }
    readonly jobs: {
      readonly update: {
        readonly steps: readonly {
          readonly run: string
          readonly env: Readonly<Record<string, string>>
        }[]
      }
    }
  }

  test('of GitHub Actions runs its step', needs('bash', 'curl'), async () => {
    const { on, jobs } = parse(contentOf('github-actions', 'update-dns.yml')) as Workflow
    const fields = deviceOf('github-actions')?.setup?.fields ?? []
    const secretName = fields.find(({ label }) => label === 'Name')?.value ?? ''
    expect(Object.keys(on.workflow_dispatch.inputs)).toEqual(['address'])
    /** What GitHub replaces. */
    const context: Readonly<Record<string, string>> = {
      'inputs.address': '203.0.113.213',
      [`secrets.${secretName}`]: secretOf('github-actions'),
    }
    const [step] = jobs.update.steps
    const env = Object.entries(step?.env ?? {}).map(([name, value]) => [
      name,
      value.replace(/^\$\{\{ (.*) \}\}$/, (_, key: string) => context[key] ?? ''),
    ])
    const { stdout } = await run('bash', ['-ec', step?.run ?? ''], {
      env: { ...process.env, ...(Object.fromEntries(env) as Record<string, string>) },
    })
    expect(stdout).toBe('good 203.0.113.213\n')
    await inDns('github-actions', '203.0.113.213')
  })
})

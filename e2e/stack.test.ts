/** `npm start`: its output, how it stops, and that parts restart after a crash. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, askOverTcp } from './support/dns.ts'
import {
  eventually,
  type PartName,
  ROOT,
  type Stack,
  startStack,
  temporaryDataDir,
} from './support/stack.ts'

const runFile = promisify(execFile)
/** The settings of an operator's first start. An empty variable counts as unset. */
const DEFAULTS = { CAPTCHA_PROVIDER: '' }
const folder = temporaryDataDir()
let stack: Stack

beforeAll(async () => {
  stack = await startStack({ dataDir: folder.path, env: DEFAULTS, createsData: true })
})
afterAll(async () => {
  await stack.stop()
  folder.remove()
})

const healthy = async () => (await fetch(`${stack.url}/api/health`)).status === 200
const answering = async () => (await ask(stack.dnsPort, 'homing.test', 'SOA')).rcode === 'NOERROR'
const processExists = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('its output', () => {
  test('`ready` is the last line, alone, and then everything answers', async () => {
    expect(stack.printed.at(-1)).toBe('ready')
    expect(await healthy()).toBe(true)
    expect(await answering()).toBe(true)
    expect((await askOverTcp(stack.dnsPort, 'homing.test', 'NS')).answers).toHaveLength(2)
  })

  test('the three commands work when pasted into a shell with another Node.js', async () => {
    const commands = stack.printed.filter((line) => /^(npx homing|curl|dig) /.test(line))
    expect(commands).toHaveLength(3)
    const password = readFileSync(join(stack.dataDir, 'admin-password'), 'utf8').trim()
    expect(stack.printed.join('\n')).not.toContain(password)
    for (const command of commands) {
      const { stdout } = await runFile('/bin/sh', ['-c', command], {
        cwd: ROOT,
        env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: stack.dataDir },
      })
      expect(stdout.trim()).not.toBe('')
    }
  })

  test('secrets are readable by their owner alone', () => {
    for (const file of ['admin-password', 'secret-key']) {
      expect(statSync(join(stack.dataDir, file)).mode & 0o777).toBe(0o600)
    }
  })
})

describe('a killed part restarts', () => {
  test.each(['api', 'worker', 'dnsd', 'forwarder'] as const)(
    'kill -9 of %s',
    async (part: PartName) => {
      const before = stack.pidOf(part)
      process.kill(before, 'SIGKILL')
      await eventually(
        async () => stack.pidOf(part),
        (pid) => pid !== before && processExists(pid),
      )
      expect(await eventually(healthy, Boolean)).toBe(true)
      expect(await eventually(answering, Boolean)).toBe(true)
    },
  )

  test('a part that crashes repeatedly does not affect the other parts', async () => {
    const [forwarder, postgres] = [() => stack.pidOf('forwarder'), () => stack.postgresPid()]
    for (const pidOf of [...Array.from({ length: 6 }, () => forwarder), postgres]) {
      const before = pidOf()
      process.kill(before, 'SIGKILL')
      await eventually(
        async () => pidOf(),
        (pid) => pid !== before && processExists(pid),
        30_000,
      )
    }
    expect(await eventually(healthy, Boolean, 30_000)).toBe(true)
  })

  test('kill -9 of PostgreSQL: DNS continues, the rest recovers by itself', async () => {
    const before = stack.postgresPid()
    process.kill(before, 'SIGKILL')
    expect(await answering()).toBe(true)
    await eventually(
      async () => stack.postgresPid(),
      (pid) => pid !== before,
      30_000,
    )
    await eventually(healthy, Boolean, 30_000)
    expect(await answering()).toBe(true)
  })
})

describe('how it stops', () => {
  test('Ctrl-C stops every part with exit code 0, and a second start uses the same data', async () => {
    const parts = (['api', 'worker', 'dnsd', 'forwarder'] as const).map((part) => stack.pidOf(part))
    const pids = [...parts, stack.postgresPid()]
    expect(await stack.stop()).toBe(0)
    expect(pids.filter(processExists)).toEqual([])
    stack = await startStack({ dataDir: folder.path, env: DEFAULTS })
    expect(await answering()).toBe(true)
  })

  test('kill -9 of the supervisor ends every part, and the next start cleans up', async () => {
    const pids = (['api', 'worker', 'dnsd', 'forwarder'] as const).map((part) => stack.pidOf(part))
    stack.process.kill('SIGKILL')
    await eventually(
      async () => pids.filter(processExists),
      (left) => left.length === 0,
    )
    stack = await startStack({ dataDir: folder.path, env: DEFAULTS })
    expect(await healthy()).toBe(true)
  })
})

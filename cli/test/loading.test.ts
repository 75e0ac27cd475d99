/** The modules that a start loads: a common command must not load what only another one needs. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { domain } from './fixtures.ts'
import { fakeServer, homingProcess, temporaryFolder } from './support.ts'

/** Records the URL of each loaded module. */
const HOOK = `
  import { appendFileSync } from 'node:fs'
  import { registerHooks } from 'node:module'
  registerHooks({
    load(url, context, next) {
      appendFileSync(process.env.LOADED_FILE, url + '\\n')
      return next(url, context)
    },
  })`

/** The modules that a command line loads. */
async function loadedBy(...args: string[]): Promise<string> {
  const file = join(temporaryFolder(), 'loaded')
  await homingProcess(args, {
    LOADED_FILE: file,
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(HOOK)}`,
  })
  return readFileSync(file, 'utf8')
}

test('the DNS client is loaded by resolve', async () => {
  const loaded = await loadedBy('resolve', 'a..b')
  expect(loaded).toContain('/dnsd/src/client/index.ts')
  expect(loaded).toContain('/dns-packet/')
})

test.each(['--help', 'domains list', 'zones', 'records usage'])('and not by %s', async (line) => {
  const loaded = await loadedBy(...line.split(' '))
  expect(loaded).toContain('/cli/src/main.ts')
  expect(loaded).not.toMatch(/\/dnsd\/|\/dns-packet\//)
})

test('nor is oclif by --version', async () => {
  const loaded = await loadedBy('--version')
  expect(loaded).toContain('/cli/src/main.ts')
  expect(loaded).not.toMatch(/\/dnsd\/|\/dns-packet\/|\/@oclif\//)
})

test("nor is Node's undici, which fetch and its classes need, by a call", async () => {
  const server = await fakeServer({ 'GET /api/domains': { body: [domain()] } })
  const reporter = join(temporaryFolder(), 'report.cjs')
  // `process.moduleLoadList` has the modules of Node itself.
  writeFileSync(
    reporter,
    `process.on('exit', () => console.error(
      process.moduleLoadList.filter((name) => /http_client|undici/.test(name)).join(' ')))`,
  )
  const env = { HOMING_API_KEY: 'ak_key', HOMING_URL: server.url }
  const ended = await homingProcess(['domains'], { ...env, NODE_OPTIONS: `--require ${reporter}` })
  server.close()
  expect(ended).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('home.example.net'),
    stderr: '1 domain.\nNativeModule _http_client\n',
  })
})

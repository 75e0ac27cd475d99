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

/** The files of the build that a command line loads, and their text. The build names each source that it contains. */
async function loadedBy(
  args: string[],
  env: Record<string, string> = {},
): Promise<{ urls: string[]; text: string }> {
  const file = join(temporaryFolder(), 'loaded')
  await homingProcess(args, {
    ...env,
    LOADED_FILE: file,
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(HOOK)}`,
  })
  const urls = readFileSync(file, 'utf8')
    .split('\n')
    .filter((url) => url.startsWith('file:'))
  return { urls, text: urls.map((url) => readFileSync(new URL(url), 'utf8')).join('\n') }
}

/** The comment before the code of a library or of another workspace. */
const DNS_CLIENT = /^\/\/ \.\.\/(?:dnsd\/|node_modules\/dns-packet\/)/m
const OCLIF = /^\/\/ \.\.\/node_modules\/@oclif\//m

test('the DNS client is loaded by resolve', async () => {
  const { text } = await loadedBy(['resolve', 'a..b'])
  expect(text).toContain('\n// ../dnsd/src/client/')
  expect(text).toContain('\n// ../node_modules/dns-packet/')
})

test.each(['--help', 'domains list', 'zones', 'records usage'])('and not by %s', async (line) => {
  const { urls, text } = await loadedBy(line.split(' '))
  expect(urls[0]).toMatch(/\/cli\/dist\/src\/main\.js$/)
  expect(text).toMatch(OCLIF)
  expect(text).not.toMatch(DNS_CLIENT)
})

test.each(['--version', '__complete domains show h'])('nor is oclif by %s', async (line) => {
  const key = { HOMING_API_KEY: 'ak_key', XDG_CACHE_HOME: temporaryFolder() }
  const { urls, text } = await loadedBy(line.split(' '), key)
  expect(urls[0]).toMatch(/\/cli\/dist\/src\/main\.js$/)
  expect(text).not.toMatch(DNS_CLIENT)
  expect(text).not.toMatch(OCLIF)
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
  const { urls } = await loadedBy(['domains'], env)
  server.close()
  expect(ended).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('home.example.net'),
    stderr: '1 domain.\nNativeModule _http_client\n',
  })
  // Of the sources, it would be more than 150 files.
  expect(urls.length).toBeLessThan(25)
})

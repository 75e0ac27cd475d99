import { describe, expect, test } from 'vitest'
import { domain, problem, updateToken } from './fixtures.ts'
import { useKeyedServer } from './keyed-server.ts'

const cli = useKeyedServer()

describe('tokens', () => {
  const HOME = { 'GET /api/domains/fqdn/home.example.net': { body: domain() } }
  const TOKEN = '/api/domains/42/update-token'

  test('one is created for a domain, alone on stdout', async () => {
    const made = { [`POST ${TOKEN}`]: { status: 201, body: { ...updateToken, token: 'ut_it' } } }
    const ended = await cli.run({ ...HOME, ...made }, 'tokens', 'create', 'home.example.net')
    expect(ended).toMatchObject({ exitCode: 0, stdout: 'ut_it\n' })
    expect(ended.stderr).not.toContain('ut_it')
    expect(cli.asked.at(-1)?.body).toBe('{}')
    await cli.run(made, 'tokens', 'create', 'home.example.net', '--replace')
    expect(cli.asked.at(-1)?.body).toBe('{"replace":true}')
  })

  test('an existing one is replaced only with --replace', async () => {
    const refused = { [`POST ${TOKEN}`]: problem(409, 'update-token-exists') }
    expect(await cli.run({ ...HOME, ...refused }, 'tokens', 'create', 'home.example.net')).toEqual({
      exitCode: 6,
      stdout: '',
      stderr: 'This is why. To replace it, give --replace.\n',
    })
  })

  test('its use is shown', async () => {
    const used = { ...updateToken, last_used_ip: '192.0.2.1', last_client: 'FRITZ!Box' }
    const shown = { ...HOME, [`GET ${TOKEN}`]: { body: used } }
    const { stdout } = await cli.run(shown, 'tokens', 'show', 'home.example.net', '--json')
    expect(JSON.parse(stdout)).toEqual({ fqdn: 'home.example.net', ...used })
    expect((await cli.run(shown, 'tokens', 'show', 'home.example.net')).stdout).toContain(
      'by\tFRITZ!Box',
    )
  })

  test('a domain without one gets the command to create it', async () => {
    const none = { ...HOME, [`GET ${TOKEN}`]: problem(404, 'no-update-token') }
    expect(await cli.run(none, 'tokens', 'show', 'home.example.net')).toMatchObject({
      exitCode: 5,
      stderr: 'This is why. Create one: homing tokens create DOMAIN\n',
    })
  })

  test('it is removed after confirmation', async () => {
    const gone = { ...HOME, [`DELETE ${TOKEN}`]: { status: 204 } }
    expect((await cli.run(gone, 'tokens', 'remove', 'home.example.net')).exitCode).toBe(64)
    expect(cli.deletions).toEqual([])
    expect(await cli.run(gone, 'tokens', 'remove', 'home.example.net', '--yes')).toMatchObject({
      exitCode: 0,
      stdout: 'home.example.net\n',
    })
    expect(cli.deletions).toEqual([`DELETE ${TOKEN}`])
  })
})

test('zones: one per line', async () => {
  const zones = { 'GET /api/zones/available': { body: [{ zone: 'a.test' }, { zone: 'b.test' }] } }
  expect(await cli.run(zones, 'zones')).toEqual({
    exitCode: 0,
    stdout: 'a.test\nb.test\n',
    stderr: 'Register a domain: homing domains add LABEL.a.test\n',
  })
})

import { describe, expect, test } from 'vitest'
import { instantOf } from '../src/lib/key-scope.ts'
import { keyListing } from '../src/lib/keys.ts'
import { apiKey, problem } from './fixtures.ts'
import { useKeyedServer } from './keyed-server.ts'

const cli = useKeyedServer()

describe('keys', () => {
  const ROUTER = apiKey({
    id: '4',
    name: 'router',
    prefix: 'ak_second00',
    last_used_at: '2026-05-13T00:00:00.000Z',
  })
  const KEYS = { 'GET /api/api-keys/': { body: [apiKey(), ROUTER] } }

  test('one line for each', async () => {
    expect((await cli.run(KEYS, 'keys')).stdout).toBe(
      '3\tpipeline\tak_4mTq9zX\t2026-05-12T08:30:00.000Z\t\n' +
        '4\trouter\tak_second00\t2026-05-12T08:30:00.000Z\t2026-05-13T00:00:00.000Z\n',
    )
    expect(JSON.parse((await cli.run(KEYS, 'keys', '--json')).stdout)).toEqual([apiKey(), ROUTER])
  })

  test('none', async () => {
    const none = { 'GET /api/api-keys/': { body: [] } }
    expect((await cli.run(none, 'keys')).stderr).toMatch(/^You have no API keys\. Create one: /)
    expect((await cli.run(none, 'keys', '--json')).stdout).toBe('[]\n')
  })

  test('a new one is printed alone on stdout', async () => {
    const made = {
      'POST /api/api-keys/': { status: 201, body: { ...apiKey(), key: 'ak_the-key' } },
    }
    const ended = await cli.run(made, 'keys', 'create', 'pipeline')
    expect(ended).toMatchObject({ exitCode: 0, stdout: 'ak_the-key\n' })
    expect(ended.stderr).toMatch(/^Created with id 3\. It is not shown again\./)
    expect(ended.stderr).not.toContain('ak_the-key')
    expect(cli.asked[0]?.body).toBe('{"name":"pipeline"}')
    const { stdout } = await cli.run(made, 'keys', 'create', 'pipeline', '--json')
    expect(JSON.parse(stdout)).toEqual({ ...apiKey(), key: 'ak_the-key' })
  })

  describe('the scope of a new one', () => {
    const made = {
      'POST /api/api-keys/': { status: 201, body: { ...apiKey(), key: 'ak_the-key' } },
    }
    const sent = async (...flags: string[]): Promise<unknown> => {
      const { exitCode, stderr } = await cli.run(made, 'keys', 'create', 'router', ...flags)
      const body = cli.asked[0]?.body
      return exitCode === 0 ? JSON.parse(body ?? '') : stderr
    }

    test('comes from flags', async () => {
      expect(
        await sent(
          '--domain=home.example.net',
          '--domain=*.ci.example.net',
          '--action=update',
          '--type=A',
          '--from=203.0.113.0/24',
          '--unused-days=90',
          '--expires=2027-01-31',
        ),
      ).toEqual({
        name: 'router',
        scope: {
          domains: ['home.example.net', '*.ci.example.net'],
          actions: ['update'],
          record_types: ['A'],
          networks: ['203.0.113.0/24'],
        },
        expires_at: '2027-01-31T00:00:00.000Z',
        unused_days: 90,
      })
    })

    test.each([
      [
        ['--expires', 'soon'],
        /^--expires takes 30d, 12h or a date such as 2027-01-31, not "soon"\./,
      ],
      [['--action', 'administer'], /administer/],
      [['--unused-days', '0'], /unused-days/],
    ])('%j is refused before anything is sent', async (flags, message) => {
      expect(await sent(...flags)).toMatch(message)
      expect(cli.asked).toEqual([])
    })

    test('an end may count from now', () => {
      const now = Date.parse('2026-05-12T08:30:00Z')
      expect(instantOf('12h', now)).toBe('2026-05-12T20:30:00.000Z')
      expect(instantOf('30d', now)).toBe('2026-06-11T08:30:00.000Z')
      expect(instantOf('2028-02-29T12:00+02:00', now)).toBe('2028-02-29T10:00:00.000Z')
    })

    test.each(['45', '2027', '2027-02-30', '2027-02-29T12:00Z', '2027-1-31', '1 May 2027'])(
      'an end is a day of the calendar: not %s',
      async (when) => {
        expect(await sent(`--expires=${when}`)).toMatch(/^--expires takes 30d, 12h or a date/)
        expect(cli.asked).toEqual([])
      },
    )

    test('an end is printed', async () => {
      const expires_at = '2027-01-31T00:00:00.000Z'
      const body = { ...apiKey({ expires_at }), key: 'ak_the-key' }
      const ends = { 'POST /api/api-keys/': { status: 201, body } }
      const { stderr } = await cli.run(ends, 'keys', 'create', 'router', '--expires=2027-01-31')
      expect(stderr).toContain(`\nIt expires on ${expires_at}.\n`)
    })

    test('is a column of the table', () => {
      const scope = {
        domains: ['home.example.net'],
        actions: ['read' as const, 'update' as const],
        record_types: null,
        networks: ['203.0.113.0/24'],
      }
      const cells = (key: ReturnType<typeof apiKey>) =>
        keyListing.columns.find(({ title }) => title === 'SCOPE')?.of(key)
      expect(cells(apiKey({ scope }))).toBe(
        'read, update; on home.example.net; from 203.0.113.0/24',
      )
      expect(cells(apiKey())).toBe('all domains')
      expect(cells(apiKey({ is_expired: true }))).toBe('expired')
    })
  })

  test('a rotated one is printed alone on stdout', async () => {
    const former_secret = {
      prefix: 'ak_4mTq9zX',
      expires_at: '2026-05-13T08:30:00.000Z',
      last_used_at: null,
      last_used_ip: null,
      last_client: null,
    }
    const rotated = (body: object) => ({
      ...KEYS,
      'POST /api/api-keys/3/rotate': { body: { ...apiKey(), ...body, key: 'ak_new' } },
    })
    const ended = await cli.run(rotated({ former_secret }), 'keys', 'rotate', 'pipeline')
    expect(ended).toMatchObject({ exitCode: 0, stdout: 'ak_new\n' })
    expect(ended.stderr).toMatch(/^The old secret, ak_4mTq9zX…, is valid until 2026-05-13T08:30/)
    expect(cli.asked.at(-1)?.body).toBe('{"overlap_hours":24}')
    const now = await cli.run(rotated({}), 'keys', 'rotate', '3', '--overlap-hours', '0')
    expect(now.stderr).toMatch(/^The old secret is no longer valid\./)
    expect(cli.asked.at(-1)?.body).toBe('{"overlap_hours":0}')
    expect((await cli.run(KEYS, 'keys', 'rotate', 'nope')).exitCode).toBe(5)
  })

  test('one is shown with its permissions', async () => {
    const { stdout } = await cli.run(KEYS, 'keys', 'show', 'router')
    expect(stdout).toContain('name\trouter\nprefix\tak_second00\ndomains\tall\nactions\tall\n')
    expect(JSON.parse((await cli.run(KEYS, 'keys', 'show', '4', '--json')).stdout)).toEqual(ROUTER)
  })

  describe('a change', () => {
    const LIMITED = apiKey({
      version: 7,
      scope: {
        domains: ['home.example.net'],
        actions: ['read', 'update'],
        record_types: null,
        networks: ['203.0.113.0/24'],
      },
    })
    const changed = {
      'GET /api/api-keys/': { body: [LIMITED] },
      'PUT /api/api-keys/3': { body: LIMITED },
    }
    const change = (...flags: string[]) => cli.run(changed, 'keys', 'update', 'pipeline', ...flags)

    test('replaces what is given, and keeps the rest', async () => {
      const flags = ['--action=read', '--no-limit=from', '--rename=ci', '--no-limit=expires']
      expect((await change(...flags)).stderr).toMatch(/^Changed\./)
      expect(cli.asked.at(-1)).toMatchObject({ ifMatch: '"7"' })
      expect(JSON.parse(cli.asked.at(-1)?.body ?? '')).toEqual({
        name: 'ci',
        expires_at: null,
        scope: { ...LIMITED.scope, actions: ['read'], networks: null },
      })
    })

    test('of the name alone sends no scope', async () => {
      await change('--rename', 'ci')
      expect(cli.asked.at(-1)?.body).toBe('{"name":"ci"}')
    })

    test.each([
      [[], 'Give what to change, such as --rename, --domain or --expires.\n'],
      [
        ['--from=192.0.2.1', '--no-limit=from'],
        '--from and --no-limit from cannot be used together.\n',
      ],
    ])('%j is refused before anything is sent', async (flags, stderr) => {
      expect(await change(...flags)).toEqual({ exitCode: 64, stdout: '', stderr })
      expect(cli.asked).toEqual([])
    })
  })

  test('a test shows what one may do', async () => {
    const tested = (is_allowed: boolean) => ({
      ...KEYS,
      'GET /api/api-keys/3/test': { body: { is_allowed, reasons: ['This is why.'] } },
    })
    const words = ['keys', 'test', 'pipeline', 'update', 'home.example.net', '--from']
    const may = await cli.run(tested(true), ...words, '203.0.113.7')
    expect(may).toMatchObject({ exitCode: 0, stdout: 'This is why.\n' })
    expect(cli.asked.at(-1)?.request).toBe(
      'GET /api/api-keys/3/test?action=update&domain=home.example.net&ip=203.0.113.7',
    )
    const mayNot = await cli.run(tested(false), ...words, '203.0.113.7')
    expect(mayNot).toMatchObject({ exitCode: 8, stdout: '', stderr: 'This is why.\n' })
    const asJson = await cli.run({}, ...words, '203.0.113.7', '--json')
    expect(asJson.exitCode).toBe(8)
    expect(JSON.parse(asJson.stdout)).toEqual({ is_allowed: false, reasons: ['This is why.'] })
    expect(JSON.parse(asJson.stderr)).toEqual({ detail: 'This is why.' })
    expect((await cli.run(KEYS, 'keys', 'test', 'pipeline', 'fly')).exitCode).toBe(64)
  })

  test('are removed by id, name or prefix', async () => {
    const gone = {
      'DELETE /api/api-keys/3': { status: 204 },
      'DELETE /api/api-keys/4': { status: 204 },
    }
    const ended = await cli.run(
      { ...KEYS, ...gone },
      'keys',
      'remove',
      'router',
      'ak_4mTq9zX',
      '-y',
    )
    expect(ended).toMatchObject({ exitCode: 0, stdout: '4\trouter\n3\tpipeline\n' })
    expect(cli.deletions).toEqual(['DELETE /api/api-keys/4', 'DELETE /api/api-keys/3'])
  })

  test('nothing is removed when one does not exist, or several match', async () => {
    expect(await cli.run(KEYS, 'keys', 'remove', 'router', 'nope', '-y')).toMatchObject({
      exitCode: 5,
      stderr: 'You have no key "nope". See homing keys.\n',
    })
    const twins = { 'GET /api/api-keys/': { body: [apiKey(), apiKey({ id: '5' })] } }
    expect((await cli.run(twins, 'keys', 'remove', 'pipeline', '-y')).exitCode).toBe(64)
    expect(cli.deletions).toEqual([])
  })

  test('are not in every plan, and a key cannot list them', async () => {
    const refused = (status: number, code: 'plan-required' | 'forbidden') => ({
      'GET /api/api-keys/': problem(status, code),
    })
    expect((await cli.run(refused(403, 'plan-required'), 'keys')).exitCode).toBe(3)
    expect(await cli.run(refused(403, 'forbidden'), 'keys')).toMatchObject({
      exitCode: 4,
      stderr: 'This is why. HOMING_API_KEY overrides a sign-in. Unset it to use the sign-in.\n',
    })
  })
})

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { domain, problem } from './fixtures.ts'
import { fakeServer, type FakeServer, homing, type Reply } from './support.ts'

const HOME = domain({ record_ipv6: '2001:db8::1', last_update_at: '2026-05-12T08:30:00.000Z' })
const OFFICE = domain({
  id: '43',
  fqdn: 'office.example.net',
  record_ip: null,
  record_ipv4: null,
  last_update_at: null,
})
const ONE_ZONE = { 'GET /api/zones/available': { body: [{ zone: 'example.net' }] } }
const AT_HOME = 'GET /api/domains/fqdn/home.example.net'

let server: FakeServer
beforeEach(async () => {
  server = await fakeServer({})
})
afterEach(() => server.close())

async function run(replies: Record<string, Reply>, ...args: string[]) {
  Object.assign(server.replies, replies)
  return homing(['domains', ...args], { HOMING_API_KEY: 'ak_key', HOMING_URL: server.url })
}
const requests = () => server.asked.map(({ request }) => request)

describe('domains', () => {
  const list = (body: object) => ({ 'GET /api/domains': { body } })

  test('a line for each in a pipe, tabs between its fields', async () => {
    expect(await run(list([HOME, OFFICE]))).toEqual({
      exitCode: 0,
      stdout:
        'home.example.net\t192.0.2.1\t2001:db8::1\t60\tserved\t2026-05-12T08:30:00.000Z\n' +
        'office.example.net\t\t\t60\tno address\t\n',
      stderr: '2 domains.\n',
    })
    expect(server.asked[0]?.authorization).toBe('Bearer ak_key')
  })

  test('how DNS serves each', async () => {
    const { stdout } = await run(
      list([
        domain({ is_active: false }),
        domain({ fqdn: '*.home.example.net', is_wildcard: true }),
      ]),
    )
    expect(stdout.split('\n').map((line) => line.split('\t')[4])).toEqual([
      'withheld',
      'wildcard',
      undefined,
    ])
  })

  test('without domains: one sentence, and an empty list for a program', async () => {
    expect(await run(list([]))).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: 'You have no domains. Register one: homing domains add DOMAIN\n',
    })
    expect(await run(list([]), '--json')).toEqual({ exitCode: 0, stdout: '[]\n', stderr: '' })
    expect((await run(list([]), '--search', 'x')).stderr).toMatch(/^None of your domains match/)
  })

  test('filters are the service’s', async () => {
    const words = ['--zone', 'example.net', '--search', 'ho"me', '--note', 'attic']
    await run(list([HOME]), ...words, '--monitor', 'on', '--type', 'AAAA', '--ip', '2001:DB8:')
    const query = new URLSearchParams(requests()[0]?.split('?')[1])
    expect(JSON.parse(query.get('filter') ?? '')).toEqual({
      zone: 'example.net',
      q: 'ho"me',
      note: 'attic',
      monitor: 'on',
      type: 'AAAA',
      ip: '2001:db8:',
    })
  })

  test('--json prints the fields of the contract, --json=… some of them', async () => {
    expect(JSON.parse((await run(list([HOME]), '--json')).stdout)).toEqual([HOME])
    expect(JSON.parse((await run(list([HOME]), '--json=record_ipv6,fqdn')).stdout)).toEqual([
      { record_ipv6: '2001:db8::1', fqdn: 'home.example.net' },
    ])
  })

  test('an unknown field is a mistake, and nothing is sent', async () => {
    const ended = await run(list([HOME]), '--json=fqdn,ipv4')
    expect(ended).toMatchObject({ exitCode: 64, stdout: '' })
    expect(JSON.parse(ended.stderr)).toEqual({
      detail: expect.stringMatching(/^--json has no field "ipv4"\. The fields are id, fqdn, /),
    })
    expect(server.asked).toEqual([])
  })

  test('-q prints only the data', async () => {
    expect(await run(list([OFFICE]), '-q')).toMatchObject({
      stdout: expect.stringContaining('office'),
      stderr: '',
    })
  })

  test('text of the service cannot control the terminal', async () => {
    const { stdout } = await run(list([domain({ fqdn: 'a\u001b[31m\tb\nc' })]))
    expect(stdout).toMatch(/^a \[31m b c\t/)
  })
})

describe('domains show', () => {
  test('one fact per line', async () => {
    const { stdout } = await run({ [AT_HOME]: { body: HOME } }, 'show', 'home.example.net')
    expect(Object.fromEntries(stdout.split('\n').map((line) => line.split('\t')))).toMatchObject({
      domain: 'home.example.net',
      ipv4: '192.0.2.1',
      ipv6: '2001:db8::1',
      state: 'served',
      wildcard: 'no',
      version: '3',
    })
  })

  test('a forwarded domain, with what DNS publishes instead of its addresses', async () => {
    const forwarded = { is_forwarded: true, published_ipv4: ['192.0.2.80'], published_ipv6: [] }
    const { stdout } = await run(
      { [AT_HOME]: { body: domain(forwarded) } },
      'show',
      'home.example.net',
    )
    expect(Object.fromEntries(stdout.split('\n').map((line) => line.split('\t')))).toMatchObject({
      ipv4: '192.0.2.1',
      published: '192.0.2.80',
      state: 'forwarded',
    })
  })

  test('a first label where one zone is available', async () => {
    const replies = { ...ONE_ZONE, [AT_HOME]: { body: HOME } }
    const { stdout } = await run(replies, 'show', 'home', '--json=fqdn')
    expect(JSON.parse(stdout)).toEqual({ fqdn: 'home.example.net' })
  })

  test('the wildcard of a first label', async () => {
    const fqdn = '*.home.example.net'
    const replies = { ...ONE_ZONE, [`GET /api/domains/fqdn/${fqdn}`]: { body: domain({ fqdn }) } }
    expect((await run(replies, 'show', '*.home')).exitCode).toBe(0)
  })

  // In the path of a URL, they would refer to another resource.
  test.each(['', '.', '..'])('%j is not a domain, and nothing is sent', async (name) => {
    for (const args of [
      ['show', name],
      ['update', name, '--ip', '192.0.2.1'],
      ['remove', name, '--yes'],
    ]) {
      const stderr = `"${name}" is not a domain.\n`
      expect(await run(ONE_ZONE, ...args)).toEqual({ exitCode: 64, stdout: '', stderr })
    }
    expect(server.asked).toEqual([])
  })

  test('a first label where several zones are available', async () => {
    const zones = [{ zone: 'example.net' }, { zone: 'example.org' }]
    const ended = await run({ 'GET /api/zones/available': { body: zones } }, 'show', 'home')
    expect(ended).toEqual({
      exitCode: 64,
      stdout: '',
      stderr:
        'There are several zones. Give the full domain: home.example.net or home.example.org.\n',
    })
  })

  test('an unregistered domain, or one of somebody else', async () => {
    const ended = await run({ [AT_HOME]: problem(404, 'not-found') }, 'show', 'home.example.net')
    expect(ended).toEqual({
      exitCode: 5,
      stdout: '',
      stderr: 'You have no domain home.example.net. List your domains: homing domains\n',
    })
  })
})

describe('domains propagation', () => {
  const SERVER = {
    server: 'ns1.example.net',
    address: '192.0.2.53',
    state: 'current',
    serial: 15,
    addresses: ['192.0.2.1', '2001:db8::1'],
    has_published_addresses: true,
    round_trip_ms: 4,
    message: 'It has the newest version of the zone.',
  }
  const propagation = (is_current: boolean, message: string, ...servers: object[]) => ({
    [AT_HOME]: { body: HOME },
    'GET /api/domains/42/propagation': {
      body: {
        fqdn: 'home.example.net',
        zone: 'example.net',
        is_current,
        published_serial: 15,
        published_addresses: ['192.0.2.1'],
        servers,
        message,
        checked_at: '2026-05-12T08:30:00.000Z',
        duration_ms: 9,
      },
    },
  })

  test('a line for each name server', async () => {
    const replies = propagation(true, 'The name server answers 192.0.2.1.', SERVER)
    const ended = await run(replies, 'propagation', 'home.example.net')
    expect(ended).toMatchObject({
      exitCode: 0,
      stdout:
        'ns1.example.net\t192.0.2.53\tcurrent\t15\t192.0.2.1 2001:db8::1\t4\tIt has the newest version of the zone.\n',
    })
    expect(ended.stderr).toContain('The name server answers 192.0.2.1.')
  })

  test('a server that is behind: exit code 1, and the result also for a program', async () => {
    const silent = { ...SERVER, state: 'unreachable', serial: null, addresses: [] }
    const message = 'The name server does not answer.'
    const replies = propagation(false, message, { ...silent, round_trip_ms: null, address: null })
    const ended = await run(replies, 'propagation', 'home.example.net')
    expect([ended.exitCode, ended.stderr]).toEqual([1, `${message}\n`])
    expect(ended.stdout).toMatch(/^ns1\.example\.net\t\tunreachable\t\t\t\t/)
    const json = await run(replies, 'propagation', 'home.example.net', '--json=is_current')
    expect([json.exitCode, JSON.parse(json.stdout)]).toEqual([1, { is_current: false }])
  })
})

describe('domains update', () => {
  const PUT_HOME = 'PUT /api/domains/fqdn/home.example.net'
  const update = (...args: string[]) =>
    run({ [PUT_HOME]: { body: HOME } }, 'update', 'home.example.net', ...args)

  test('one family set, the other withdrawn, only if nobody changed it', async () => {
    const flags = ['--ip', '2001:db8::1', '--withdraw', 'ipv4', '--if-version', '3']
    expect(await update(...flags)).toEqual({
      exitCode: 0,
      stdout: 'home.example.net\t192.0.2.1\t2001:db8::1\n',
      stderr: 'It has 192.0.2.1 and 2001:db8::1 now.\nNext: homing domains show home.example.net\n',
    })
    expect(server.asked).toMatchObject([
      {
        request: PUT_HOME,
        ifMatch: '"3"',
        body: JSON.stringify({ record_ipv6: '2001:db8::1', record_ipv4: null }),
      },
    ])
  })

  test('somebody changed it meanwhile', async () => {
    server.replies[PUT_HOME] = problem(412, 'version-mismatch')
    const ended = await homing(
      ['domains', 'update', 'home.example.net', '--ip', '192.0.2.1', '--if-version', '2'],
      { HOMING_API_KEY: 'ak_key', HOMING_URL: server.url },
    )
    expect(ended).toMatchObject({ exitCode: 6, stderr: 'This is why.\n' })
  })

  test.each([
    [[], /^Give --ip or --withdraw/],
    [['--ip', '192.0.2.1', '--withdraw', 'ipv4'], /^--ip sets the ipv4 address/],
    [['--withdraw', 'ipv5'], /--withdraw takes one of ipv4, ipv6, not "ipv5"/],
    [['--ip', '192.0.2.300'], /--ip takes an IPv4 or IPv6 address/],
    [['--ip', 'fe80::1%eth0'], /--ip takes an IPv4 or IPv6 address/],
    [['--ip', '192.0.2.1', '--if-version', '0'], /a whole number of at least 1/],
    [['--ip'], /--ip requires a value/],
  ])('%j is a mistake', async (args, line) => {
    const ended = await update(...args)
    expect(ended).toMatchObject({ exitCode: 64, stdout: '' })
    expect(ended.stderr).toMatch(line)
    expect(server.asked).toEqual([])
  })
})

describe('domains remove', () => {
  const replies = {
    [AT_HOME]: { body: HOME },
    'GET /api/domains/fqdn/office.example.net': { body: OFFICE },
    'DELETE /api/domains/fqdn/home.example.net': { status: 204 },
    'DELETE /api/domains/fqdn/office.example.net': { status: 204 },
  }

  test('several at once, each once', async () => {
    const names = ['home.example.net', 'office.example.net', 'home.example.net']
    expect(await run(replies, 'remove', ...names, '--yes')).toEqual({
      exitCode: 0,
      stdout: 'home.example.net\noffice.example.net\n',
      stderr:
        'Removed 2 domains. You can restore them for 30 days.\nUndo: homing domains restore home.example.net\n',
    })
    expect(requests().filter((request) => request.startsWith('DELETE'))).toEqual([
      'DELETE /api/domains/fqdn/home.example.net',
      'DELETE /api/domains/fqdn/office.example.net',
    ])
  })

  test('a wildcard can be created again, but not restored', async () => {
    const WILD = 'domains/fqdn/*.home.example.net'
    const wildcard = {
      [`GET /api/${WILD}`]: { body: domain({ fqdn: '*.home.example.net', is_wildcard: true }) },
      [`DELETE /api/${WILD}`]: { status: 204 },
    }
    const again =
      'Removed the wildcard *.home.example.net. Create it again: homing domains wildcard home.example.net\n'
    const ended = await run(wildcard, 'remove', '*.home.example.net', '--yes')
    expect(ended.stderr).toBe(again)
    const both = await run(replies, 'remove', '*.home.example.net', 'office.example.net', '-y')
    expect(both.stderr).toBe(
      `Removed 1 domain. You can restore it for 30 days.\nUndo: homing domains restore office.example.net\n${again}`,
    )
  })

  test('nothing is removed when one does not exist', async () => {
    server.replies['GET /api/domains/fqdn/gone.example.net'] = problem(404, 'not-found')
    const ended = await run(replies, 'remove', 'home.example.net', 'gone.example.net', '-y')
    expect(ended).toMatchObject({ exitCode: 5, stdout: '' })
    expect(requests().some((request) => request.startsWith('DELETE'))).toBe(false)
  })

  test('without a terminal to confirm: the flag is named, nothing is removed', async () => {
    const ended = await run(replies, 'remove', 'home.example.net')
    expect(ended).toEqual({
      exitCode: 64,
      stdout: '',
      stderr: '"Remove home.example.net?" needs an answer, and prompts are off: give --yes.\n',
    })
    expect(requests()).toEqual([AT_HOME])
  })

  test('--json', async () => {
    const { stdout } = await run(replies, 'remove', 'home.example.net', '--yes', '--json')
    expect(JSON.parse(stdout)).toEqual([{ fqdn: 'home.example.net', removed: true }])
  })
})

describe('domains wildcard', () => {
  const WILDCARD = domain({ fqdn: '*.home.example.net', is_wildcard: true })

  test('is made', async () => {
    const made = { 'POST /api/domains/wildcard': { status: 201, body: WILDCARD } }
    expect(await run(made, 'wildcard', 'home.example.net')).toEqual({
      exitCode: 0,
      stdout: '*.home.example.net\n',
      stderr:
        'DNS now answers for every name below home.example.net.\nNext: homing resolve any.home.example.net\n',
    })
    expect(server.asked[0]?.body).toBe('{"base_fqdn":"home.example.net"}')
  })

  test('is removed', async () => {
    const gone = { 'DELETE /api/domains/fqdn/*.home.example.net': { status: 204 } }
    const { stdout } = await run(gone, 'wildcard', 'home.example.net', '--remove', '-y', '--json')
    expect(JSON.parse(stdout)).toEqual({ fqdn: '*.home.example.net', wildcard_enabled: false })
  })

  test('is not in every plan', async () => {
    const refused = { 'POST /api/domains/wildcard': problem(403, 'plan-required') }
    expect(await run(refused, 'wildcard', 'home.example.net')).toMatchObject({
      exitCode: 3,
      stderr: 'This is why.\n',
    })
  })
})

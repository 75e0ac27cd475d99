/**
 * Web forwards from outside: created with the API, followed by the forwarder, visited with curl and Chromium, resolved
 * with kdig.
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { needs } from '../test/outside-tool.ts'
import { type Account, addNames, registerAccount, signInAdministrator } from './support/accounts.ts'
import { DESKTOP, launchBrowser, Pages, PHONE } from './support/browser.ts'
import { picture } from './support/dashboard.ts'
import { addForward, idOf, makePro, startTarget, type Target, visit } from './support/forwards.ts'
import { eventually } from './support/stack.ts'

const runFile = promisify(execFile)
const stack = inject('sharedService')
const at = (label: string) => `${label}.of-fay.homing.test`

let fay: Account
let target: Target
beforeAll(async () => {
  ;[fay, target] = await Promise.all([registerAccount(stack, 'fay-forwards'), startTarget()])
  await makePro(stack, fay)
  await addNames(fay, ['of-fay.homing.test'])
})
afterAll(() => target.stop())

/** The response to a visitor, after the forwarder has received the change. */
const visited = (host: string, status: number, path = '/') =>
  eventually(
    () => visit(stack, host, { path }),
    (answer) => answer.status === status,
  )

/** The answer of the DNS daemon, one address in a line. */
async function resolved(name: string, type: 'A' | 'AAAA'): Promise<string> {
  const server = ['@127.0.0.1', '-p', String(stack.dnsPort)]
  const { stdout } = await runFile('kdig', [...server, '+norecurse', '+short', name, type])
  return stdout.trim()
}

describe('redirects', needs('curl'), () => {
  test.each([
    [301, 'max-age=300'],
    [302, 'no-store'],
    [307, 'no-store'],
    [308, 'max-age=300'],
  ] as const)('%i, with path and query of the request', async (status, caching) => {
    const host = at(`r${status}`)
    const target_url = `${target.url}/base?x=1`
    expect(await addForward(fay, host, { target_url, status_code: status })).not.toHaveProperty(
      'warning',
    )
    const { headers, body } = await visited(host, status, '/a%20b/c?y=2')
    expect(headers.get('location')).toBe(`${target.url}/base/a%20b/c?x=1&y=2`)
    expect(headers.get('cache-control')).toBe(caching)
    expect([headers.get('content-length'), body]).toEqual(['0', ''])
  })

  test('without path and query, every URL leads to the target itself', async () => {
    const host = at('plain')
    const off = { forward_path: false, forward_query: false }
    await addForward(fay, host, { target_url: `${target.url}/base?x=1`, ...off })
    const { headers } = await visited(host, 301, '/a/b?y=2')
    expect(headers.get('location')).toBe(`${target.url}/base?x=1`)
  })

  test('307 and 308 keep the method of a form, 301 and 302 do not', async () => {
    for (const [status, method] of [
      [301, 'GET'],
      [302, 'GET'],
      [307, 'POST'],
      [308, 'POST'],
    ]) {
      const args = ['--location', '--data', 'name=Ada']
      const { body, url } = await visit(stack, at(`r${status}`), { path: '/form', args })
      expect([status, body]).toEqual([status, `${method} /base/form?x=1`])
      expect(url).toBe(`${target.url}/base/form?x=1`)
    }
  })

  test('HEAD, HTTP/1.0 and the absolute form are answered', async () => {
    const host = at('r302')
    const absolute = ['--request-target', `http://${host}/a`, '--header', 'Host: other.example']
    for (const args of [['--head'], ['--http1.0'], absolute]) {
      const { status } = await visit(stack, host, { path: '/a', args })
      expect([args, status]).toEqual([args, 302])
    }
  })

  test.each([
    ['no Host', ['--header', 'Host:'], 'The request has no Host header.'],
    ['two Hosts', ['--header', 'X: y\r\nHost: b.example'], 'more than one Host header'],
    ['an invalid Host', ['--header', 'Host: a b'], 'The host is invalid.'],
  ])('a request with %s is refused', async (_what, args, reason) => {
    const { status, body } = await visit(stack, at('r302'), { args })
    expect(status).toBe(400)
    expect(body).toContain(reason)
  })

  test('a host without a forward gets a page that names the service and the address for abuse', async () => {
    const { status, headers, body } = await visit(stack, 'of-fay.homing.test')
    expect(status).toBe(404)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(body).toContain('This domain does not have a web forward.')
    expect(body).toMatch(/To report abuse of a domain, write to <a href="mailto:/)
  })

  test('another target counts at once', async () => {
    const host = at('moved')
    const { id } = await addForward(fay, host, { target_url: `${target.url}/old` })
    await visited(host, 301)
    const params = { path: { id } }
    await fay.api.PUT('/api/webforward/{id}', {
      params,
      body: { target_url: `${target.url}/new`, status_code: 302 },
    })
    const { headers } = await visited(host, 302)
    expect(headers.get('location')).toBe(`${target.url}/new`)
  })
})

describe('stealth', needs('curl'), () => {
  test('a page with a frame of the target, without cookies and scripts', async () => {
    const host = at('framed')
    const forward = await addForward(fay, host, {
      target_url: `${target.url}/shop`,
      forwarding_type: 'stealth',
      title: 'Fay’s <shop> & "home"',
      description: '"><script>alert(1)</script>',
      keywords: "a, 'b'",
    })
    expect(forward).toMatchObject({ uses_stealth_flag: true, fallback: null })
    const { headers, body } = await visited(host, 200, '/a?b=1')
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; frame-src http: https:; style-src 'sha256-[^']+'; /,
    )
    expect(headers.has('set-cookie')).toBe(false)
    expect(body).toContain('<title>Fay’s &lt;shop&gt; &amp; &quot;home&quot;</title>')
    expect(body).toContain(`<iframe src="${target.url}/shop/a?b=1"`)
    expect(body).toMatch(/<meta name="description" content="&quot;&gt;&lt;script&gt;/)
    expect(body).not.toMatch(/<script/i)
  })

  test('a target that refuses frames is a redirect, and uses no flag', async () => {
    const host = at('unframed')
    const target_url = `${target.url}/unframed`
    const settings = { target_url, forwarding_type: 'stealth', status_code: 302 } as const
    expect(await addForward(fay, host, settings)).toMatchObject({
      uses_stealth_flag: false,
      fallback: 'frames-refused',
      warning: expect.stringContaining('Visitors are redirected instead.'),
    })
    const { headers } = await visited(host, 302)
    expect(headers.get('location')).toBe(target_url)
  })
})

describe.each([
  ['1280', { viewport: DESKTOP, colorScheme: 'light' }],
  ['390', { viewport: PHONE, colorScheme: 'dark' }],
] as const)('stealth in a browser, at %s pixels', needs('chromium'), (width, options) => {
  test('the frame fills the page and shows the target; the link leaves the frame', async () => {
    const host = at(`framed${width}`)
    const [title, target_url] = ['Fay at home', `${target.url}/shop`]
    await addForward(fay, host, { target_url, forwarding_type: 'stealth', title })
    await visited(host, 200)
    const browser = await launchBrowser(`--host-resolver-rules=MAP ${host} 127.0.0.1`)
    try {
      const baseURL = `http://${host}:${stack.forwardPort}`
      const watched = await new Pages(browser).open({ baseURL, ...options })
      const { page } = watched
      await page.goto('/a?b=1')
      await page.frameLocator('iframe').getByText('GET /shop/a?b=1').waitFor()
      expect(await page.title()).toBe(title)
      const frame = await page.locator('iframe').boundingBox()
      expect(frame).toMatchObject({ x: 0, y: 0, width: options.viewport.width })
      expect(frame?.height).toBeGreaterThan(options.viewport.height - 60)
      await picture(page, `stealth-${width}`)
      await page.getByRole('link', { name: 'Open without a frame' }).click()
      await page.waitForURL(`${target.url}/shop/a?b=1`)
      await watched.close()
    } finally {
      await browser.close()
    }
  })
})

describe('a wildcard', needs('curl', 'kdig'), () => {
  test('forwards unregistered names below it, and no registered one', async () => {
    const host = at('wild')
    await addForward(fay, host, { target_url: target.url })
    const made = await fay.api.POST('/api/domains/wildcard', { body: { base_fqdn: host } })
    expect(made.response.status).toBe(201)
    await visited(`any.${host}`, 301)
    await visited(`any.thing.${host}`, 301)
    await addNames(fay, [`nas.${host}`])
    await visited(`nas.${host}`, 404)
    expect((await visit(stack, `any.nas.${host}`)).status).toBe(404)
    await expect.poll(() => resolved(`any.${host}`, 'A')).toBe('127.0.0.1')
    await expect.poll(() => resolved(`nas.${host}`, 'A')).toBe('192.0.2.1')
    expect(await resolved(`any.nas.${host}`, 'A')).toBe('')
  })
})

describe('DNS', needs('curl', 'kdig'), () => {
  const host = at('dns')

  test('has the forwarder’s addresses while the domain is forwarded, and keeps those of its owner', async () => {
    await addNames(fay, [host])
    const basic = Buffer.from(`${fay.username}:${fay.password}`).toString('base64')
    const update = async (addresses: string) => {
      const url = `${stack.url}/nic/update?hostname=${host}&myip=${addresses}`
      return (await fetch(url, { headers: { authorization: `Basic ${basic}` } })).text()
    }
    expect(await update('192.0.2.1,2001:db8::1')).toBe('good 192.0.2.1,2001:db8::1\n')
    await expect.poll(() => resolved(host, 'AAAA')).toBe('2001:db8::1')
    const body = { domain_id: await idOf(fay, host), target_url: target.url }
    expect((await fay.api.POST('/api/webforward', { body })).response.status).toBe(201)
    await expect.poll(() => resolved(host, 'A')).toBe('127.0.0.1')
    // The forwarder has no IPv6 address.
    expect(await resolved(host, 'AAAA')).toBe('')
    expect(await update('192.0.2.7,2001:db8::7')).toBe('good 192.0.2.7,2001:db8::7\n')
    expect(await update('192.0.2.7')).toBe('nochg 192.0.2.7\n')
    expect(await resolved(host, 'A')).toBe('127.0.0.1')
  })

  test('has the owner’s addresses after the end, and the forwarder still answers for a while', async () => {
    await visited(host, 301)
    const { data = [] } = await fay.api.GET('/api/webforward')
    const id = data.find(({ fqdn }) => fqdn === host)?.id ?? ''
    const gone = await fay.api.DELETE('/api/webforward/{id}', { params: { path: { id } } })
    expect(gone.response.status).toBe(204)
    await expect.poll(() => resolved(host, 'A')).toBe('192.0.2.7')
    expect(await resolved(host, 'AAAA')).toBe('2001:db8::7')
    // A forward that starts later has already arrived, and so has this end.
    await addForward(fay, at('later'), { target_url: target.url })
    await visited(at('later'), 301)
    expect((await visit(stack, host)).status).toBe(301)
  })
})

test('a locked domain is not forwarded from this moment on', needs('curl', 'kdig'), async () => {
  const host = at('locked')
  await addForward(fay, host, { target_url: target.url })
  await visited(host, 301)
  const { api } = await signInAdministrator(stack)
  const params = { path: { id: await idOf(fay, host) } }
  await api.POST('/api/admin/domains/{id}/lock', { params })
  await visited(host, 404)
  await expect.poll(() => resolved(host, 'A')).toBe('')
  await api.POST('/api/admin/domains/{id}/unlock', { params })
  await visited(host, 301)
})

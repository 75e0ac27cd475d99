/** The rows: what they show, their menu, keys, search and the change of an address in the row. */
import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { chooseInMenu, domain, serveDomains } from '../../../../test/domains.ts'
import { mock, ok, problem } from '../../../../test/mock.ts'
import { fill, openDashboard } from '../../../../test/screen.tsx'

const rowOf = async (fqdn: string) => screen.findByRole('row', { name: fqdn })
const filters = () =>
  mock.calls.flatMap(({ id, query }) =>
    id === 'listDomains' && typeof query === 'object' && query !== null && 'filter' in query
      ? [query.filter]
      : [],
  )

describe('a row', () => {
  test('says why DNS does not serve a domain', async () => {
    serveDomains(
      domain({
        id: '1',
        fqdn: 'p.example.net',
        paused: true,
        is_active: false,
        withheld_by: ['paused'],
      }),
      domain({
        id: '2',
        fqdn: 'l.example.net',
        is_active: false,
        withheld_by: ['locked', 'paused'],
      }),
      domain({ id: '3', fqdn: 'xn--bcher-kva.example.net' }),
    )
    openDashboard()
    expect((await rowOf('p.example.net')).textContent).toContain('Pausednot in DNS')
    expect((await rowOf('l.example.net')).textContent).toContain(
      'Inactivelocked by an administrator',
    )
    const unicode = within(await rowOf('xn--bcher-kva.example.net')).getByRole('rowheader')
    expect(unicode.textContent).toBe('bücher.example.netxn--bcher-kva.example.net')
  })

  test('offers nothing that a lock refuses, and says why', async () => {
    serveDomains(domain({ is_active: false, withheld_by: ['locked'] }))
    const hands = openDashboard()
    const row = await rowOf('home.example.net')
    const update = within(row).getByRole('button', { name: /^Update/ })
    expect(update).toHaveProperty('disabled', true)
    const why = document.getElementById(update.getAttribute('aria-describedby') ?? '')
    expect(why?.textContent).toBe('locked by an administrator')
    await hands.click(within(row).getByRole('button', { name: /^Actions for/ }))
    const menu = screen.getByRole('menu')
    const offered = within(menu)
      .getAllByRole('menuitem')
      .filter((item) => item.getAttribute('aria-disabled') !== 'true')
    expect(offered.map(({ textContent }) => textContent)).toEqual(['How to UpdateH'])
    expect(menu.textContent).toContain('An administrator locked this domain, so it cannot be')
    await hands.click(within(menu).getByRole('menuitem', { name: /^Delete/ }))
    await hands.keyboard('x')
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  test('tells stored from published addresses while a domain is forwarded', async () => {
    const published = { is_forwarded: true, published_ipv4: ['203.0.113.80'], published_ipv6: [] }
    serveDomains(
      domain({ ...published }),
      domain({ ...published, id: '2', fqdn: 'empty.example.net', record_ipv4: null }),
    )
    openDashboard()
    const text = 'Forwarded: DNS publishes 203.0.113.80'
    expect((await rowOf('home.example.net')).textContent).toContain(`198.51.100.7${text}`)
    expect((await rowOf('empty.example.net')).textContent).toMatch(/Active.*Not setForwarded: DNS/)
  })

  test('shows texts of owners as text: markup, right-to-left, a name of 253 characters', async () => {
    const markup = '<img src=x onerror="alert(1)">'
    const arabic = 'مكتب المنزل'
    const long = `${['a', 'b', 'c'].map((letter) => letter.repeat(63)).join('.')}.${'d'.repeat(49)}.example.net`
    expect(long).toHaveLength(253)
    serveDomains(
      domain({ id: '1', fqdn: long, tags: [markup] }),
      domain({ id: '2', fqdn: 'xn--mgbh0fb.example.net', tags: [arabic] }),
    )
    const hands = openDashboard()
    const row = await rowOf(long)
    expect(within(row).getByRole('rowheader').textContent).toBe(long)
    expect(within(row).getByText(markup).tagName).toBe('BDI')
    expect(document.querySelector('.domains img')).toBeNull()
    const unicode = within(await rowOf('xn--mgbh0fb.example.net'))
    expect(unicode.getByText('مثال.example.net').tagName).toBe('BDI')
    expect(unicode.getByText(arabic).tagName).toBe('BDI')
    await hands.click(within(row).getByText(markup))
    await waitFor(() => expect(filters()).toContain(JSON.stringify({ tag: markup })))
    expect(screen.getByRole('button', { name: /^Remove the filter tag:/ }).innerHTML).toContain(
      '&lt;img',
    )
  })

  test('names the client of the last update', async () => {
    const last_update_at = new Date(Date.now() - 4 * 60_000).toISOString()
    serveDomains(domain({ last_update_at, last_update_client: 'Fritz!Box DDNS/1.0.1' }))
    openDashboard()
    const row = await rowOf('home.example.net')
    await waitFor(() => expect(row.textContent).toContain('4 min ago, FRITZ!Box'))
  })

  test('keeps its menu open until its button moves away', async () => {
    serveDomains(domain())
    const hands = openDashboard()
    const opener = await screen.findByRole('button', { name: 'Actions for home.example.net' })
    await hands.click(opener)
    const scroll = async () => act(async () => document.dispatchEvent(new Event('scroll')))
    await scroll()
    expect(screen.getByRole('menu', { name: 'Actions for home.example.net' })).toBeDefined()
    opener.getBoundingClientRect = () => new DOMRect(0, 80)
    await scroll()
    expect(screen.queryByRole('menu')).toBeNull()
  })

  test('pauses its domain, and Undo resumes it', async () => {
    serveDomains(domain())
    mock.handle({ updateDomain: ({ body }) => ok(domain({ paused: body.paused === true })) })
    const hands = openDashboard()
    await chooseInMenu(hands, 'home.example.net', 'Pause')
    await screen.findByText('home.example.net is paused. DNS does not serve it.')
    await hands.click(screen.getByRole('button', { name: 'Undo' }))
    await screen.findByText('home.example.net is in DNS again.')
    expect(mock.bodiesOf('updateDomain')).toEqual([{ paused: true }, { paused: false }])
  })
})

test('arrows move, Space selects, Enter and letters open, and not in a field', async () => {
  serveDomains(
    domain({ id: '1', fqdn: 'a.example.net' }),
    domain({ id: '2', fqdn: 'b.example.net' }),
  )
  const hands = openDashboard()
  const [a, b] = [await rowOf('a.example.net'), await rowOf('b.example.net')]
  a.focus()
  await hands.keyboard('{ArrowDown}')
  expect(document.activeElement).toBe(b)
  await hands.keyboard(' ')
  expect(within(b).getByRole('checkbox')).toHaveProperty('checked', true)
  await hands.keyboard('{ArrowUp}{ArrowDown}e')
  const field = await screen.findByRole('textbox', { name: 'Addresses of b.example.net' })
  await hands.type(field, 'x{ArrowUp} p')
  expect(document.activeElement).toBe(field)
  await hands.keyboard('{Escape}')
  await waitFor(() => expect(document.activeElement).toBe(b))
  await hands.keyboard('x')
  expect(await screen.findByRole('dialog', { name: 'Delete domain?' })).toBeDefined()
  await hands.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await waitFor(() => expect(location.hash).toBe('#dashboard'))
  b.focus()
  await hands.keyboard('{Enter}')
  expect(await screen.findByRole('heading', { level: 1, name: 'b.example.net' })).toBeDefined()
  expect(location.hash).toBe('#domain/b.example.net')
})

describe('the search', () => {
  test('has operators as filters of the service, each of which can be removed', async () => {
    serveDomains(domain(), domain({ id: '43', fqdn: 'nas.example.net' }))
    const hands = openDashboard()
    await rowOf('nas.example.net')
    await fill(hands, screen.getByRole('searchbox'), 'nas zone:example.net')
    await waitFor(() => expect(screen.getAllByRole('rowheader')).toHaveLength(1))
    expect(filters()).toEqual(['{"q":"nas","zone":"example.net"}'])
    await hands.click(screen.getByRole('button', { name: 'Remove the filter zone:example.net' }))
    await waitFor(() => expect(filters().at(-1)).toBe('{"q":"nas"}'))
    expect(screen.getByRole('searchbox')).toHaveProperty('value', 'nas')
    expect(location.hash).toBe('#dashboard?q=nas')
  })

  test('explains an operator that does not exist, and finds a tag that is pressed', async () => {
    serveDomains(domain({ tags: ['attic', 'b', 'c', 'd', 'e'] }))
    const hands = openDashboard('#dashboard?q=color%3Ared')
    await screen.findByText(/^“color:” is not a filter\./)
    // A row has the tags for which there is room, and its domain the others.
    const more = await screen.findByRole('link', { name: '+3 more tags of home.example.net' })
    expect([more.title, more.getAttribute('href')]).toEqual(['c, d, e', '#domain/home.example.net'])
    await hands.click(
      await screen.findByRole('button', { name: 'Show domains with the tag attic' }),
    )
    await waitFor(() => expect(filters()).toContain('{"tag":"attic"}'))
  })
})

describe('the address in the row', () => {
  async function edit(text: string) {
    const kept = serveDomains(domain())
    const hands = openDashboard()
    await chooseInMenu(hands, 'home.example.net', 'Edit Address')
    const field = () => screen.getByRole('textbox', { name: 'Addresses of home.example.net' })
    await fill(hands, field(), text)
    return { kept, hands, field }
  }

  test('is saved with Enter, and can be undone', async () => {
    const { kept, hands } = await edit('192.0.2.9, 2001:db8::9')
    await hands.keyboard('{Enter}')
    await screen.findByText('home.example.net was updated.')
    expect(kept[0]).toMatchObject({ record_ipv4: '192.0.2.9', record_ipv6: '2001:db8::9' })
    await hands.click(screen.getByRole('button', { name: 'Undo' }))
    await waitFor(() => expect(kept[0]).toMatchObject({ record_ipv4: '198.51.100.7' }))
  })

  test('returns to the old one when it is refused, with the reason and what was typed', async () => {
    const { hands, field } = await edit('10.0.0.1')
    let answer: () => void = () => undefined
    const detail = 'This address is private.'
    mock.handle({
      updateDomain: async () =>
        new Promise((resolve) => {
          answer = () =>
            resolve(
              problem('address-not-allowed', {
                detail,
                errors: [{ field: 'record_ipv4', message: detail }],
              }),
            )
        }),
    })
    await hands.keyboard('{Enter}')
    // Shown at once, before the answer.
    expect(within(await rowOf('home.example.net')).getByText('10.0.0.1')).toBeDefined()
    answer()
    expect((await screen.findByRole('alert')).textContent).toBe(detail)
    expect(field()).toHaveProperty('value', '10.0.0.1')
    await hands.keyboard('{Escape}')
    expect(within(await rowOf('home.example.net')).getByText('198.51.100.7')).toBeDefined()
  })

  test('of a domain that changed in the meantime is shown beside the typed one', async () => {
    const { kept, hands } = await edit('192.0.2.9')
    const theirs = domain({ record_ipv4: '203.0.113.5', version: 9 })
    kept[0] = theirs
    await hands.keyboard('{Enter}')
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toContain('Now: 203.0.113.5. Yours: 192.0.2.9.')
    await hands.click(screen.getByRole('button', { name: 'Save Mine' }))
    await waitFor(() => expect(kept[0]).toMatchObject({ record_ipv4: '192.0.2.9', version: 10 }))
  })
})

/** The page of DNS analytics. */
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { domain, serveDomains } from '../../../test/domains.ts'
import { exampleOf, mock, ok, problem } from '../../../test/mock.ts'
import { PlayedSource } from '../../../test/played-source.ts'
import { serveAbilities, series, summary } from '../../../test/queries.ts'
import { openDashboard } from '../../../test/screen.tsx'

const AT = '#analytics'
const card = async (name: string) => within(await screen.findByRole('region', { name }))
const queriesOf = (operation: string) =>
  mock.calls
    .filter(({ id }) => id === operation)
    .map(({ query }) => query as Readonly<Record<string, string>>)
const seriesCalls = () => queriesOf('getQuerySeries')
const rowsOf = (table: Pick<typeof screen, 'getAllByRole'>) =>
  table.getAllByRole('row').map(({ children }) => [...children].map((each) => each.textContent))

function serveQueries(answer = series({ hours: [4, 8, 3] })): void {
  serveAbilities('analytics', 'data_export')
  serveDomains(domain())
  mock.handle({
    getDnsStats: () => ok(summary()),
    getQuerySeries: ({ query }) => ok({ ...answer, dimension: query.dimension ?? null }),
  })
}

describe('the chart', () => {
  test('is read part by part, with the period before and the changes of addresses', async () => {
    const [example] = exampleOf('getQuerySeries').markers
    if (example === undefined) throw new Error('the contract has an example')
    const markers = [{ ...example, at: '2026-05-12T11:12:00.000Z' }]
    serveQueries(
      series({ hours: [4, 8, 3], changes: { previous: [2, 2, 6], previous_total: 10, markers } }),
    )
    const hands = openDashboard(AT)
    const shown = await card('Queries over 7 days')
    expect(
      await shown.findByText(
        'In the period before: 10 queries. Without the present hour: up 200.0%.',
        { exact: false },
      ),
    ).toBeDefined()
    const chart = shown.getByRole('slider', { name: 'Queries over 7 days' })
    const last = ': 3 queries, 6 in the period before, not over yet, home.example.net changed to'
    expect(chart.getAttribute('aria-valuetext')).toContain(last)
    chart.focus()
    await hands.keyboard('{ArrowLeft}')
    expect(chart.getAttribute('aria-valuetext')).toMatch(/: 8 queries, 2 in the period before$/)
    expect(shown.getByText('Address changes (1)')).toBeDefined()
    await hands.click(shown.getByText('As table'))
    const table = within(await shown.findByRole('region', { name: /as a table$/ }))
    expect(rowsOf(table).map((cells) => cells.slice(1))).toEqual([
      ['Queries', 'Period before'],
      ['4', '2'],
      ['8', '2'],
      ['3', '6'],
    ])
    await hands.click(shown.getByRole('button', { name: 'Copy Queries over 7 days' }))
    expect(await navigator.clipboard.readText()).toBe(
      [
        'From,Queries,Period before',
        '2026-05-12T09:00:00.000Z,4,2',
        '2026-05-12T10:00:00.000Z,8,2',
        '2026-05-12T11:00:00.000Z,3,6',
        '',
      ].join('\r\n'),
    )
  })

  test('has no comparison without earlier data, or when it is turned off', async () => {
    serveQueries()
    const hands = openDashboard(AT)
    const shown = await card('Queries over 7 days')
    const none = 'There is no earlier data to compare with.'
    expect(await shown.findByText(none, { exact: false })).toBeDefined()
    expect(shown.queryByText('Period before')).toBeNull()
    await hands.click(screen.getByLabelText('Compare with the period before'))
    expect(location.hash).toBe('#analytics?compare=off')
    await waitFor(() => expect(shown.queryByText(none, { exact: false })).toBeNull())
  })

  test('a failure is one of its card alone, and is retried', async () => {
    serveQueries()
    mock.handle({
      getQuerySeries: ({ query }) =>
        query.dimension === 'country'
          ? problem('validation-failed', { detail: 'The period is too long.' })
          : ok(series({ hours: [1] })),
    })
    const hands = openDashboard(AT)
    const failed = await card('Countries')
    expect((await failed.findByRole('alert')).textContent).toContain('The period is too long.')
    const networks = await card('Networks')
    expect(await networks.findByRole('link')).toBeDefined()
    mock.handle({ getQuerySeries: () => ok(series({ hours: [1] })) })
    await hands.click(failed.getByRole('button', { name: 'Retry' }))
    expect(await failed.findByRole('link')).toBeDefined()
  })
})

test('an earlier period is one step away, and so is the present one', async () => {
  serveQueries()
  const hands = openDashboard(`${AT}?period=1y`)
  const shown = await card('Queries over 1 year')
  const earlier = { name: 'Earlier' }
  expect(shown.queryByRole('link', earlier)).toBeNull()
  await hands.click(screen.getByRole('radio', { name: '30 days' }))
  await hands.click(await screen.findByRole('link', earlier))
  expect(location.hash).toBe('#analytics?period=30d&back=1')
  await waitFor(() => expect(seriesCalls().filter(({ to }) => to !== undefined)).toHaveLength(6))
  await hands.click(await screen.findByRole('link', { name: 'Later' }))
  expect(location.hash).toBe('#analytics?period=30d')
})

describe('filters', () => {
  test('a bar filters the chart by its value, and Escape removes the filter', async () => {
    serveQueries()
    mock.handle({
      getQuerySeries: ({ query }) =>
        ok(
          series({
            hours: [4, 8],
            changes:
              query.dimension === 'country'
                ? { values: [{ value: 'AT', label: 'Austria', queries: 12 }] }
                : {},
          }),
        ),
    })
    const hands = openDashboard(AT)
    await hands.click(await (await card('Countries')).findByRole('link', { name: /Austria/ }))
    expect(location.hash).toBe('#analytics?by=country&value=AT')
    const chip = { name: 'Remove the filter Countries: Austria' }
    const shown = await card('Queries over 7 days')
    expect(await shown.findByRole('button', chip)).toBeDefined()
    expect(shown.queryByText(/period before/)).toBeNull()
    const chosen = (await card('Countries')).getByRole('link', { name: /Austria/ })
    expect(chosen.getAttribute('aria-current')).toBe('true')
    chosen.focus()
    await hands.keyboard('{Escape}')
    expect(location.hash).toBe('#analytics')
    await waitFor(() => expect(shown.queryByRole('button', chip)).toBeNull())
  })

  test('a domain filters every list', async () => {
    serveQueries()
    const hands = openDashboard(AT)
    const domains = await card('Queries by domain 30 days')
    await hands.click(await domains.findByRole('link', { name: /home\.example\.net/ }))
    expect(location.hash).toBe('#analytics?domain=42')
    await waitFor(() =>
      expect(seriesCalls().filter(({ domain_id }) => domain_id === '42')).toHaveLength(6),
    )
    await hands.click(screen.getByRole('radio', { name: '24 hours' }))
    expect(location.hash).toBe('#analytics?period=24h&domain=42')
    await waitFor(() =>
      expect(seriesCalls().at(-1)).toMatchObject({ domain_id: '42', resolution: '1h' }),
    )
  })
})

test('a domain that the user does not have is named once', async () => {
  serveQueries()
  mock.handle({ getQuerySeries: () => problem('not-found') })
  const hands = openDashboard(`${AT}?domain=999`)
  expect(await screen.findByText(/^You have no domain with the id 999\./)).toBeDefined()
  expect(screen.queryByRole('region', { name: 'Countries' })).toBeNull()
  await hands.click(screen.getByRole('link', { name: 'Show all domains' }))
  expect(await screen.findByRole('region', { name: 'Countries' })).toBeDefined()
})

describe('plans', () => {
  test('without DNS analytics have their totals and an example', async () => {
    serveAbilities()
    mock.handle({ getDnsStats: () => ok(summary({ queries_by_domain: [] })) })
    openDashboard(AT)
    const totals = await screen.findByText('30 days')
    expect(totals.closest('div')?.textContent?.trim()).toBe('30 days51.2K no earlier data')
    const offer = await card('DNS analytics are not included in your plan')
    expect(screen.getByText(/^Counted until about 12 May 2026, /)).toBeDefined()
    expect(offer.getByText('Example')).toBeDefined()
    expect(offer.getByRole('slider', { name: 'Example of queries over 7 days' })).toBeDefined()
    expect(seriesCalls()).toEqual([])
    expect(screen.queryByRole('button', { name: 'Export Data' })).toBeNull()
  })

  test('with the export save a file of what is chosen', async () => {
    serveQueries()
    const saved: Blob[] = []
    vi.stubGlobal(
      'URL',
      Object.assign(URL, {
        createObjectURL: (blob: Blob) => `blob:${saved.push(blob)}`,
        revokeObjectURL: () => undefined,
      }),
    )
    const hands = openDashboard(`${AT}?period=30d`)
    await hands.click(await screen.findByRole('button', { name: 'Export Data' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Export Data' }))
    await hands.selectOptions(dialog.getByLabelText('Count by'), 'network')
    await hands.selectOptions(dialog.getByLabelText('Format'), 'json')
    mock.handle({ exportQueries: () => problem('plan-required', { detail: 'You need Elite.' }) })
    await hands.click(dialog.getByRole('button', { name: 'Export' }))
    expect((await dialog.findByRole('alert')).textContent).toContain('You need Elite.')
    mock.handle({ exportQueries: () => ok(exampleOf('exportQueries')) })
    await hands.click(dialog.getByRole('button', { name: 'Export' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(queriesOf('exportQueries').at(-1)).toMatchObject({
      resolution: '1d',
      dimension: 'network',
      format: 'json',
    })
    expect(saved).toHaveLength(1)
  })
})

describe('queries in real time', () => {
  const query = {
    at: '2026-05-12T09:30:00.000Z',
    domain_id: '42',
    qname: 'home.example.net',
    type: 'A',
    rcode: 'NOERROR',
    transport: 'udp' as const,
    network: '198.51.100.0/24',
    sample: 1,
  }

  test('appear, are paused, and say when they are sampled', async () => {
    vi.stubGlobal('EventSource', PlayedSource)
    PlayedSource.opened = []
    serveQueries()
    const hands = openDashboard(AT)
    await hands.click(await screen.findByRole('link', { name: 'View Real-time Queries' }))
    const shown = await card('Real-time Queries')
    await waitFor(() => expect(PlayedSource.opened).toHaveLength(1))
    const [source] = PlayedSource.opened
    if (source === undefined) throw new Error('the page opened no stream')
    expect(source.url).toBe('/api/stream?queries=true')
    source.say(['query', query])
    const first = await shown.findByRole('cell', { name: '198.51.100.0/24' })
    expect(first.closest('tr')?.textContent).toContain('home.example.netANOERRORUDP')
    await hands.click(shown.getByRole('button', { name: 'Pause' }))
    source.say(['query', { ...query, type: 'MX', sample: 5 }])
    expect(await shown.findByText('· 1 new query', { exact: false })).toBeDefined()
    expect(shown.getByRole('status').textContent).toBe('Paused')
    expect(shown.queryByRole('cell', { name: 'MX' })).toBeNull()
    await hands.click(shown.getByRole('button', { name: 'Resume' }))
    expect(await shown.findByRole('cell', { name: 'MX' })).toBeDefined()
    expect(shown.getByText(/^Sampled: about one of 3 queries/)).toBeDefined()
    await hands.click(shown.getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(source.readyState).toBe(PlayedSource.CLOSED))
    expect(location.hash).toBe('#analytics')
  })
})

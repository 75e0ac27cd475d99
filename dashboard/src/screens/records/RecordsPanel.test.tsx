/** The records of a domain: the list, the forms, and deletion with Undo. */
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { domain } from '../../../test/domains.ts'
import { mock, ok, problem } from '../../../test/mock.ts'
import { dnsRecord, FREE, serveRecords, usageOf } from '../../../test/records.ts'
import { ACME, APEX, AT, dialogOf, press } from '../../../test/records-screen.ts'
import { fill, openDashboard } from '../../../test/screen.tsx'

const MAIL = dnsRecord({ id: '82', owner: APEX, type: 'MX', values: ['10 mail.example.com.'] })
const WWW = dnsRecord({ id: '83', owner: `www.${APEX}`, type: 'CNAME', values: ['a.example.com.'] })

const table = () => screen.findByRole('table', { name: 'Records' })
const rows = () =>
  within(screen.getByRole('table', { name: 'Records' }))
    .getAllByRole('row')
    .slice(1)
    .map((row) => {
      const cells = [...row.querySelectorAll('th, td')].map(({ textContent }) => textContent)
      return cells.slice(1, 5)
    })

/** The bodies of the calls that were not dry runs. */
const sent = (operation: 'createDomainRecord' | 'updateDomainRecord') =>
  mock.calls
    .filter(({ id, query }) => id === operation && !JSON.stringify(query).includes('dry_run'))
    .map(({ body }) => body)

describe('the list', () => {
  test('shows names relative to the domain, types, TTLs and values', async () => {
    serveRecords({
      records: [MAIL, { ...ACME, ttl: 60, is_served: false, values: ['"1"', '"2"'] }],
    })
    openDashboard(AT)
    await table()
    expect(rows()).toEqual([
      ['_acme-challengeNot served', 'TXT', '60 seconds', '"1""2"'],
      ['@ (home.example.net)', 'MX', '60 minutes', '10 mail.example.com.'],
    ])
    expect(screen.getByText(/^2 of 1,000 records in your account\./)).toBeDefined()
  })

  test('has search, type, order and page in the URL', async () => {
    const many = Array.from({ length: 60 }, (_, n) =>
      dnsRecord({ id: String(200 + n), owner: `t${n + 10}.${APEX}`, values: [`"${n}"`] }),
    )
    serveRecords({ records: [...many, MAIL] })
    const hands = openDashboard(AT)
    await table()
    await hands.click(screen.getByRole('button', { name: 'Next' }))
    await waitFor(() => expect(rows()).toHaveLength(11))
    expect(location.hash).toBe(`${AT}&page=2`)
    await hands.selectOptions(screen.getByRole('combobox', { name: 'Filter by type' }), 'MX')
    await waitFor(() => expect(rows()).toHaveLength(1))
    expect(location.hash).toBe(`${AT}&type=MX`)
    await hands.selectOptions(screen.getByRole('combobox', { name: 'Filter by type' }), 'All types')
    await fill(hands, screen.getByRole('searchbox', { name: 'Search names and values' }), 't6')
    await waitFor(() => expect(rows()).toHaveLength(10))
    await hands.click(screen.getByRole('button', { name: 'Name' }))
    await waitFor(() => expect(rows()[0]?.[0]).toBe('t69'))
    expect(location.hash).toBe(`${AT}&q=t6&sort=-owner`)
    await fill(hands, screen.getByRole('searchbox', { name: 'Search names and values' }), 'none')
    await press(hands, 'Clear Search')
    await waitFor(() => expect(rows()).toHaveLength(50))
  })

  test('offers what people need first while it is empty', async () => {
    serveRecords()
    const hands = openDashboard(AT)
    const list = await screen.findByRole('list', { name: 'Frequent records' })
    expect(within(list).getAllByRole('button')).toHaveLength(5)
    await hands.click(within(list).getByRole('button', { name: /^Certificates of Let/ }))
    const dialog = await dialogOf('Add record')
    expect(location.hash).toBe(`${AT}&dialog=add-record&id=caa`)
    expect(dialog.getByRole('combobox', { name: 'Type' })).toHaveProperty('value', 'CAA')
    expect(dialog.getByRole('textbox', { name: 'Value' })).toHaveProperty(
      'value',
      'letsencrypt.org',
    )
  })

  test('says what the plan Free includes, and offers TXT alone', async () => {
    serveRecords({ usage: usageOf(3, FREE) })
    const hands = openDashboard(AT)
    expect(await screen.findByText(/^3 of 10 TXT values in your account\./)).toBeDefined()
    expect(await screen.findByRole('link', { name: /^Pro has every type/ })).toBeDefined()
    await press(hands, 'Add Record')
    const type = (await dialogOf('Add record')).getByRole('combobox', { name: 'Type' })
    expect(within(type).getAllByRole('option')).toHaveLength(1)
  })

  test('says why no record can be added when the plan is full', async () => {
    serveRecords({ records: [ACME], usage: usageOf(10, FREE) })
    openDashboard(AT)
    await table()
    const add = screen.getByRole('button', { name: 'Add Record' })
    expect(add).toHaveProperty('disabled', true)
    expect(add.getAttribute('aria-describedby')).toBe(
      screen.getByText('Your plan includes 10 TXT values, and you have 10.').id,
    )
    expect(screen.getByRole('button', { name: 'Edit TXT of _acme-challenge' })).toBeDefined()
  })

  test.each([
    ['locked', /^An administrator locked this domain\./, true],
    ['paused', /^The domain is paused, so DNS does not serve its records\./, false],
    ['over_limit', /over the limit of your plan\. You can change them\.$/, false],
  ] as const)('says that a domain is %s', async (reason, words, isLocked) => {
    serveRecords({ records: [ACME], domain: domain({ withheld_by: [reason], is_active: false }) })
    openDashboard(AT)
    await table()
    const panel = within(screen.getByRole('region', { name: 'Records' }))
    expect(panel.getByText(words)).toBeDefined()
    const add = screen.getByRole('button', { name: 'Add Record' })
    expect(add).toHaveProperty('disabled', isLocked)
    expect(screen.queryByRole('button', { name: /^Delete TXT/ }) === null).toBe(isLocked)
  })

  test('of a wildcard leads to its base', async () => {
    serveRecords({ domain: domain({ fqdn: `*.${APEX}`, is_wildcard: true }) })
    openDashboard(`#domain/*.${APEX}?tab=records`)
    const link = await screen.findByRole('link', { name: `Records of ${APEX}` })
    expect(link).toHaveProperty('hash', AT)
  })

  test('can be read again after an error', async () => {
    serveRecords({ records: [ACME] })
    mock.handle({ listDomainRecords: () => problem('not-found', { detail: 'No such domain.' }) })
    const hands = openDashboard(AT)
    expect(await screen.findByText(/No such domain\./)).toBeDefined()
    serveRecords({ records: [ACME] })
    await press(hands, 'Retry')
    await table()
  })
})

describe('adding', () => {
  test('an MX record: its fields become a value, and DNS’s answer is shown before', async () => {
    const kept = serveRecords({ records: [ACME] })
    const hands = openDashboard(AT)
    await table()
    await press(hands, 'Add Record')
    const dialog = await dialogOf('Add record')
    await hands.selectOptions(dialog.getByRole('combobox', { name: 'Type' }), 'MX')
    await fill(hands, dialog.getByRole('textbox', { name: 'Mail server' }), 'mail.example.com')
    await hands.click(dialog.getByRole('button', { name: 'Add another mail server' }))
    const second = within(dialog.getByRole('group', { name: 'Mail server 2' }))
    expect(document.activeElement).toBe(second.getByRole('textbox', { name: 'Preference' }))
    await fill(hands, second.getByRole('textbox', { name: 'Preference' }), '20')
    await fill(hands, second.getByRole('textbox', { name: 'Mail server' }), 'b.example.com')
    expect(
      await dialog.findByText(/^home\.example\.net\. 3600 MX 20 b\.example\.com$/),
    ).toBeDefined()
    await hands.click(dialog.getByRole('button', { name: 'Add Record' }))
    expect(await screen.findByText('MX of home.example.net was added.')).toBeDefined()
    await waitFor(() => expect(rows()).toHaveLength(2))
    expect(sent('createDomainRecord')).toEqual([
      { owner: '@', type: 'MX', values: ['10 mail.example.com', '20 b.example.com'] },
    ])
    expect(kept.records).toHaveLength(2)
    await waitFor(() => expect(location.hash).toBe(AT))
  })

  test('a refused value, name and TTL are explained at their fields while the user types', async () => {
    serveRecords({ records: [ACME] })
    const errors = [
      { field: 'owner', message: 'A domain stands at this name.' },
      { field: 'values.0', message: 'The mail server is a single label.' },
      { field: 'ttl', message: 'The TTL must be at least 60.' },
    ]
    mock.handle({ createDomainRecord: () => problem('record-not-allowed', { errors }) })
    const hands = openDashboard(`${AT}&dialog=add-record&id=mail`)
    const dialog = await dialogOf('Add record')
    await fill(hands, dialog.getByRole('textbox', { name: 'Mail server' }), 'mail')
    await dialog.findByText('A domain stands at this name.')
    const described = (name: string) => {
      const field = dialog.getByRole('textbox', { name })
      const ids = field.getAttribute('aria-describedby')?.split(' ') ?? []
      return ids.map((id) => document.getElementById(id)?.textContent).join(' ')
    }
    expect(described('Name')).toBe('A domain stands at this name.')
    expect(described('Mail server')).toContain('The mail server is a single label.')
    expect(described('TTL in seconds')).toBe('The TTL must be at least 60.')
  })

  test('a record that exists gets the new value', async () => {
    serveRecords({ records: [ACME] })
    const hands = openDashboard(`${AT}&dialog=add-record&id=certificate`)
    const dialog = await dialogOf('Add record')
    await fill(hands, dialog.getByRole('textbox', { name: 'Text' }), 'two "2"')
    expect(await dialog.findByText(/has a TXT record\. Change it instead\.$/)).toBeDefined()
    await hands.click(dialog.getByRole('button', { name: 'Add to It' }))
    const edit = await dialogOf('Edit TXT of _acme-challenge')
    expect(edit.getAllByRole('textbox', { name: 'Text' })).toHaveLength(2)
    await hands.click(edit.getByRole('button', { name: 'Save Changes' }))
    await screen.findByText('TXT of _acme-challenge was changed.')
    expect(sent('updateDomainRecord')).toEqual([{ values: ['"one"', String.raw`"two \"2\""`] }])
  })

  test('beyond the limit is explained with the way to a larger plan', async () => {
    serveRecords()
    const detail = 'Your plan includes 10 TXT values.'
    mock.handle({ createDomainRecord: () => problem('record-limit', { detail }) })
    const hands = openDashboard(`${AT}&dialog=add-record&id=ownership`)
    const dialog = await dialogOf('Add record')
    await fill(hands, dialog.getByRole('textbox', { name: 'Text' }), 'x')
    expect((await dialog.findByRole('alert')).textContent).toContain(detail)
    expect(dialog.getByRole('link', { name: 'Compare plans' })).toBeDefined()
  })

  test('typed text is protected when the user leaves', async () => {
    serveRecords()
    const hands = openDashboard(`${AT}&dialog=add-record`)
    const dialog = await dialogOf('Add record')
    await fill(hands, dialog.getByRole('textbox', { name: 'Text' }), 'x')
    location.hash = '#dashboard'
    expect(await screen.findByRole('dialog', { name: 'Discard your changes?' })).toBeDefined()
  })
})

describe('editing', () => {
  async function editAcme(record = ACME) {
    const kept = serveRecords({ records: [record] })
    const hands = openDashboard(AT)
    await press(hands, 'Edit TXT of _acme-challenge')
    const dialog = await dialogOf('Edit TXT of _acme-challenge')
    const save = async (name = 'Save Changes') => hands.click(dialog.getByRole('button', { name }))
    return { kept, hands, dialog, save }
  }

  test('saves what changed, and the notice undoes it by the history', async () => {
    const { kept, hands, dialog, save } = await editAcme()
    expect(dialog.getByRole('button', { name: 'Save Changes' })).toHaveProperty('disabled', true)
    await fill(hands, dialog.getByRole('textbox', { name: 'TTL in seconds' }), '300')
    await save()
    await waitFor(() => expect(kept.records[0]?.ttl).toBe(300))
    expect(sent('updateDomainRecord')).toEqual([{ ttl: 300 }])
    await press(hands, 'Undo')
    await screen.findByText('TXT of _acme-challenge has its previous values again.')
    expect(mock.calls.some(({ id }) => id === 'undoDomainEvent')).toBe(true)
    expect(kept.records[0]?.ttl).toBe(3_600)
  })

  test('shows both versions if another client changed the record', async () => {
    const { kept, hands, dialog, save } = await editAcme()
    await fill(hands, dialog.getByRole('textbox', { name: 'Text' }), 'mine')
    kept.records[0] = { ...ACME, values: ['"theirs"'], version: 7 }
    await save()
    const conflict = await dialog.findByText(/^Another client has changed this record/)
    expect(conflict.closest('[role=alert]')?.textContent).toContain('"theirs"')
    await save('Save Mine')
    await waitFor(() => expect(kept.records[0]?.values).toEqual(['"mine"']))
  })

  test('closes if another client deleted the record', async () => {
    const { kept, hands, dialog, save } = await editAcme()
    await fill(hands, dialog.getByRole('textbox', { name: 'Text' }), 'mine')
    kept.records.length = 0
    await save()
    await screen.findByText(/^Another client has deleted TXT of _acme-challenge\./)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  test('shows a text of several strings as a zone file does', async () => {
    const { dialog } = await editAcme({ ...ACME, values: ['"a" "b"'] })
    expect(dialog.getByRole('textbox', { name: 'Value' })).toHaveProperty('value', '"a" "b"')
  })
})

describe('deleting', () => {
  test('asks nothing, and the notice restores the record by the history', async () => {
    const kept = serveRecords({ records: [ACME, MAIL] })
    const hands = openDashboard(AT)
    await press(hands, 'Delete TXT of _acme-challenge')
    await screen.findByText('TXT of _acme-challenge was deleted.')
    await waitFor(() => expect(rows()).toHaveLength(1))
    expect(document.activeElement?.textContent).toBe('Records')
    await press(hands, 'Undo')
    await waitFor(() => expect(rows()).toHaveLength(2))
    expect(mock.calls.some(({ id }) => id === 'undoDomainEvent')).toBe(true)
    expect(kept.records).toHaveLength(2)
  })

  test('does not delete what another client has changed', async () => {
    const kept = serveRecords({ records: [ACME] })
    const hands = openDashboard(AT)
    await table()
    kept.records[0] = { ...ACME, values: ['"new"'], version: 7 }
    await press(hands, 'Delete TXT of _acme-challenge')
    await screen.findByText(/was not deleted\. Another client has changed it\./)
    await waitFor(() => expect(rows()[0]?.[3]).toBe('"new"'))
  })

  test('of the selected records is one batch, and so is its undo', async () => {
    serveRecords({ records: [ACME, MAIL, WWW] })
    const hands = openDashboard(AT)
    await table()
    await hands.click(screen.getByRole('checkbox', { name: 'Select TXT of _acme-challenge' }))
    await hands.click(screen.getByRole('checkbox', { name: 'Select CNAME of www' }))
    const bar = within(screen.getByRole('region', { name: 'Selected records' }))
    expect(bar.getByText('2 records selected')).toBeDefined()
    await hands.click(bar.getByRole('button', { name: 'Delete' }))
    await screen.findByText('2 records were deleted.')
    await waitFor(() => expect(rows()).toHaveLength(1))
    await press(hands, 'Undo')
    await waitFor(() => expect(rows()).toHaveLength(3))
    const creation = ({ owner, type, ttl, values }: typeof ACME) => {
      return { op: 'create', owner, type, ttl, values }
    }
    expect(mock.bodiesOf('changeDomainRecords')).toEqual([
      {
        operations: [ACME, WWW].map(({ id, version }) => ({ op: 'delete', id, version })),
      },
      { operations: [ACME, WWW].map(creation) },
    ])
  })

  test('of a batch that the rules refuse names the reason', async () => {
    serveRecords({ records: [ACME, MAIL] })
    const detail = 'Its name servers have addresses. Delete them first.'
    const refused = { index: 0, op: 'delete', ok: false, id: '81', detail } as const
    const verdict = { ...refused, owner: ACME.owner, type: 'TXT' }
    mock.handle({ changeDomainRecords: () => ok({ applied: false, verdicts: [verdict] }) })
    const hands = openDashboard(AT)
    await table()
    await hands.click(screen.getByRole('checkbox', { name: 'Select all records on this page' }))
    const bar = within(screen.getByRole('region', { name: 'Selected records' }))
    await hands.click(bar.getByRole('button', { name: 'Delete' }))
    await screen.findByText(`2 records were not deleted. ${ACME.owner} TXT: ${detail}`)
    expect(bar.getByText('2 records selected')).toBeDefined()
  })
})

/** The records of a domain as zone files: import and export. */
import { screen, waitFor } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { mock, ok } from '../../../test/mock.ts'
import { serveRecords } from '../../../test/records.ts'
import { ACME, APEX, AT, dialogOf, press } from '../../../test/records-screen.ts'
import { fill, openDashboard } from '../../../test/screen.tsx'

describe('files', () => {
  const RESULT = { applied: false, created: 0, changed: 0, deleted: 0, unchanged: 0 }
  const skipped = {
    line: 1,
    owner: APEX,
    type: 'SOA',
    detail: 'The SOA record is left out.',
    is_skipped: true,
  }

  test('a zone file is checked, corrected and imported', async () => {
    serveRecords()
    const wrong = { ...skipped, line: 2, type: 'MX', detail: 'No preference.', is_skipped: false }
    mock.handle({
      importDomainRecords({ body }) {
        if (body.text.includes('MX mail')) {
          return ok({ ...RESULT, problems: [skipped, wrong], problem_count: 2 })
        }
        const applied = body.dry_run !== true
        return ok({
          ...RESULT,
          applied,
          created: 2,
          changed: 1,
          problems: [skipped],
          problem_count: 1,
        })
      },
    })
    const hands = openDashboard(AT)
    await press(hands, 'Import')
    const dialog = await dialogOf('Import records')
    const field = dialog.getByRole('textbox', { name: 'Or paste lines' })
    await fill(hands, field, '@ IN MX mail.example.com.')
    await hands.click(dialog.getByRole('button', { name: 'Check' }))
    await dialog.findByText(/^Some lines are wrong/)
    const lines = () =>
      dialog
        .getAllByRole('row')
        .slice(1)
        .map(({ textContent }) => textContent)
    expect(lines()).toEqual(['2@ MXNo preference.', '1@ SOALeft outThe SOA record is left out.'])
    expect(dialog.getByRole('button', { name: 'Import' })).toHaveProperty('disabled', true)
    await fill(hands, field, '@ IN MX 10 mail.example.com.')
    await hands.click(dialog.getByRole('button', { name: 'Check' }))
    await dialog.findByText(/^The rules allow the file: 2 records added and 1 changed\./)
    await hands.click(dialog.getByRole('button', { name: 'Import' }))
    await screen.findByText('Imported: 2 records added and 1 changed.')
    expect(mock.bodiesOf('importDomainRecords')).toEqual([
      { text: '@ IN MX mail.example.com.', dry_run: true },
      { text: '@ IN MX 10 mail.example.com.', dry_run: true },
      { text: '@ IN MX 10 mail.example.com.' },
    ])
  })

  test('a chosen file can replace all records', async () => {
    serveRecords()
    mock.handle({
      importDomainRecords: () => ok({ ...RESULT, deleted: 4, problems: [], problem_count: 0 }),
    })
    const hands = openDashboard(`${AT}&dialog=import-records`)
    const dialog = await dialogOf('Import records')
    const text = 'www IN TXT "a"\n'
    await hands.upload(dialog.getByLabelText('Zone file'), new File([text], 'home.zone'))
    await dialog.findByText('home.zone')
    await hands.click(dialog.getByRole('checkbox', { name: /^Delete records/ }))
    await hands.click(dialog.getByRole('button', { name: 'Check' }))
    await dialog.findByText('The rules allow the file: 4 records deleted.')
    expect(mock.bodiesOf('importDomainRecords')).toEqual([{ text, replace: true, dry_run: true }])
  })

  test('the records are saved as a zone file', async () => {
    serveRecords({ records: [ACME] })
    mock.handle({ exportDomainRecords: () => ok('$ORIGIN home.example.net.\n') })
    const saved: Blob[] = []
    vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
      saved.push(blob as Blob)
      return 'blob:file'
    })
    const clicked = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
    const hands = openDashboard(AT)
    await press(hands, 'Export')
    await waitFor(() => expect(clicked).toHaveBeenCalled())
    expect(await saved[0]?.text()).toBe('$ORIGIN home.example.net.\n')
    vi.restoreAllMocks()
  })
})

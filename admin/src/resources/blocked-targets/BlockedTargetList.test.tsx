import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { mock, problem } from '../../../test/mock.ts'
import {
  blockedTarget,
  serveBlockedTargets,
  serveWebForwards,
  webForward,
} from '../../../test/records.ts'
import { cells, open } from '../../../test/screen.tsx'

const HOST = blockedTarget({
  id: '1',
  host: 'evil.example',
  scope: 'subdomains',
  path: '',
  forwards: 0,
})
const PATH = blockedTarget({
  id: '2',
  host: 'shop.example.com',
  path: '/login',
  forwards: 2,
  blocked_by: null,
})

test('each row shows target, scope, reason, stopped forwards and administrator', async () => {
  serveBlockedTargets(HOST, PATH)
  serveWebForwards(webForward({ blocked_target_id: '2' }), webForward({ id: '20' }))
  const hands = open('/blocked-targets')
  const link = await screen.findByRole('link', { name: '2' })
  const [path = [], host = []] = cells()
  expect(host.slice(0, 3)).toEqual(['evil.exampleThis host and its subdomains', HOST.reason, '0'])
  expect(path[0]).toBe('shop.example.com/loginThis path and the paths below it')
  expect(host[3]).toMatch(/boss$/)
  expect(path[3]).toMatch(/deleted account$/)
  await hands.click(link)
  await waitFor(() => expect(cells().map(([domain]) => domain)).toEqual(['home.example.net']))
  await hands.click(screen.getByRole('button', { name: 'Show the web forwards to all targets' }))
  await waitFor(() => expect(cells().length).toBe(2))
})

test('a target is blocked with a scope and a reason', async () => {
  serveBlockedTargets()
  const hands = open('/blocked-targets')
  expect(await screen.findByText('No targets are blocked.')).toBeDefined()
  await hands.click(screen.getByRole('button', { name: 'Block a target' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Block a target?' }))
  const button = dialog.getByRole<HTMLButtonElement>('button', { name: 'Block' })
  await hands.type(dialog.getByRole('textbox', { name: 'Reason' }), 'It imitates a bank.')
  expect(button.disabled).toBe(true)
  await hands.type(dialog.getByRole('textbox', { name: 'Target' }), ' https://evil.example/x ')
  await hands.selectOptions(
    dialog.getByRole('combobox', { name: 'Scope' }),
    'This host and its subdomains',
  )
  await hands.click(button)
  expect(await screen.findByText('evil.example is blocked.')).toBeDefined()
  expect(mock.bodiesOf('createBlockedTarget')).toEqual([
    { target: 'https://evil.example/x', scope: 'subdomains', reason: 'It imitates a bank.' },
  ])
  await waitFor(() => expect(cells().length).toBe(1))
})

test('a block is ended after confirmation, and an error is shown', async () => {
  const kept = serveBlockedTargets(HOST, PATH)
  const hands = open('/blocked-targets')
  const end = async () => {
    await hands.click(await screen.findByRole('button', { name: 'End the block of evil.example' }))
    const name = 'End the block of evil.example?'
    const dialog = within(await screen.findByRole('dialog', { name }))
    await hands.click(dialog.getByRole('button', { name: 'End' }))
  }
  mock.handle({ deleteBlockedTarget: () => problem('not-found', { detail: 'It is gone.' }) })
  await end()
  expect(await screen.findByText('It is gone.')).toBeDefined()
  expect(kept.length).toBe(2)
  serveBlockedTargets(...kept)
  await end()
  expect(await screen.findByText('The block of evil.example was ended.')).toBeDefined()
  await waitFor(() => expect(cells().length).toBe(1))
})

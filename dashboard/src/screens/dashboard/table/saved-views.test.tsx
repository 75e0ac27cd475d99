import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { domain, serveDomains } from '../../../../test/domains.ts'
import { fill, openDashboard } from '../../../../test/screen.tsx'
import { nameOfView, viewOf } from './saved-views.ts'

test('a view has the name of its search and its order', () => {
  const usual = { field: 'fqdn', descending: false } as const
  const latest = { field: 'last_update_at', descending: true } as const
  expect(viewOf({ search: '', sort: usual, page: 3 })).toBe('')
  expect(nameOfView(viewOf({ search: 'tag:a b', sort: latest, page: 1 }))).toBe(
    'tag:a b by last update, descending',
  )
  expect(nameOfView('q=nas&sort=%3Cscript%3E&page=9')).toBe('nas')
})

test('a search is saved, opened, removed, and restored', async () => {
  serveDomains(domain(), domain({ id: '43', fqdn: 'nas.example.net' }))
  localStorage.setItem('views:7', '{"not":"a list"}')
  const user = openDashboard()
  await screen.findByRole('row', { name: /^nas/ })
  expect(screen.queryByRole('navigation', { name: 'Saved views' })).toBeNull()
  await fill(user, screen.getByRole('searchbox'), 'nas')
  await user.click(await screen.findByRole('button', { name: 'Save This View' }))
  location.hash = '#dashboard'
  await screen.findByRole('row', { name: /^home/ })
  const views = within(screen.getByRole('navigation', { name: 'Saved views' }))
  const link = views.getByRole('link', { name: 'nas' })
  expect(link.getAttribute('aria-current')).toBeNull()
  await user.click(link)
  await waitFor(() => expect(location.hash).toBe('#dashboard?q=nas'))
  await waitFor(() => expect(link.getAttribute('aria-current')).toBe('true'))
  await user.click(views.getByRole('button', { name: 'Remove the view nas' }))
  expect(localStorage.getItem('views:7')).toBe('[]')
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  expect(await screen.findByRole('link', { name: 'nas' })).toBeDefined()
})

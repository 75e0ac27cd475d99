import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { TrustPolicy } from '../../../api/trust-policies.ts'
import { exampleOf, mock, ok, problem } from '../../../../test/mock.ts'
import { fill, openDashboard } from '../../../../test/screen.tsx'

const example = exampleOf('createTrustPolicy')

/** Mocks the policies of the account. */
function servePolicies(...policies: readonly TrustPolicy[]): void {
  const kept = [...policies]
  mock.handle({
    listTrustPolicies: () => ok([...kept]),
    createTrustPolicy({ body }) {
      const made = { ...example, ...body, scope: { ...example.scope, ...body.scope } }
      kept.push(made)
      return ok(made)
    },
    deleteTrustPolicy() {
      kept.pop()
      return ok()
    },
  })
}

const open = (query = '') => openDashboard(`#settings/pipelines${query}`)
const button = (name: string) => screen.findByRole('button', { name })
const field = (name: string) => screen.getByRole('textbox', { name })

test('a pipeline at GitHub is trusted, and its workflow is shown', async () => {
  servePolicies()
  const hands = open()
  expect(await screen.findByText(/^You trust no pipelines\./)).toBeDefined()
  await hands.click(await button('Trust a Pipeline'))
  expect(screen.getByText('Please enter a name for the trust policy')).toBeDefined()
  await fill(hands, field('Name'), 'deploy')
  expect(screen.getByText('Please enter the repository')).toBeDefined()
  await fill(hands, field('Repository'), 'ada/home')
  await fill(hands, field('Domains (optional)'), 'home.example.net')
  await hands.click(await button('Trust Pipeline'))
  const dialog = within(await screen.findByRole('dialog', { name: 'Workflow of “deploy”' }))
  expect(mock.bodiesOf('createTrustPolicy')).toEqual([
    {
      name: 'deploy',
      issuer: 'https://token.actions.githubusercontent.com',
      repository: 'ada/home',
      repository_id: null,
      repository_owner_id: null,
      branch: 'main',
      environment: null,
      scope: {
        domains: ['home.example.net'],
        actions: ['read', 'update'],
        record_types: null,
        networks: null,
      },
    },
  ])
  expect(dialog.getByText(/id-token: write/).textContent).toContain(
    '/api/trust-policies/5/exchange',
  )
  await hands.click(dialog.getByRole('button', { name: 'Close' }))
  expect(await screen.findByText('ada/home, branch main')).toBeDefined()
})

test('GitLab has its own server and workflow; without a branch every run is trusted, and said', async () => {
  servePolicies()
  const hands = open('?dialog=new')
  await hands.click(await screen.findByRole('radio', { name: /^GitLab/ }))
  await fill(hands, field('Name'), 'deploy')
  await fill(hands, field('GitLab server'), 'https://gitlab.example.net')
  await fill(hands, field('Project'), 'ada/home')
  await fill(hands, field('Branch (optional)'), '')
  expect(screen.getByText(/^Every run of this repository is trusted/)).toBeDefined()
  await hands.click(await button('Trust Pipeline'))
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByText(/id_tokens:/)).toBeDefined()
  expect(mock.bodiesOf('createTrustPolicy')).toMatchObject([
    { issuer: 'https://gitlab.example.net', branch: null },
  ])
})

test('a policy is deleted after the question', async () => {
  servePolicies(example)
  const hands = open()
  await hands.click(await button('Delete deploy'))
  await hands.click(await button('Delete'))
  expect(await screen.findByText('The pipeline deploy is no longer trusted.')).toBeDefined()
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'deploy' })).toBeNull())
})

test('a plan without keys says what lifts it', async () => {
  mock.handle({ listTrustPolicies: () => problem('plan-required') })
  open()
  expect(
    await screen.findByRole('heading', {
      name: 'Trusted pipelines are not included in your plan',
    }),
  ).toBeDefined()
})

test('an incomplete pipeline asks before the user leaves', async () => {
  servePolicies()
  const hands = open('?dialog=new')
  await fill(hands, await screen.findByRole('textbox', { name: 'Name' }), 'deploy')
  await hands.click(screen.getByRole('link', { name: 'Sessions' }))
  expect(await screen.findByRole('dialog', { name: 'Discard your changes?' })).toBeDefined()
})

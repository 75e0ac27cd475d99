import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { domain, serveDomains } from '../../../../test/domains.ts'
import { exampleOf, mock, ok } from '../../../../test/mock.ts'
import { openDashboard } from '../../../../test/screen.tsx'
import type { UpdateCall } from '../../../api/update-calls.ts'

const AT = '#domain/home.example.net?tab=calls'
const [EXAMPLE] = exampleOf('listUpdateCalls')
const call = (changes: Partial<UpdateCall>): UpdateCall => ({
  ...(EXAMPLE as UpdateCall),
  ...changes,
})

/** The facts of the only call, by their titles. */
async function factsOf(changes: Partial<UpdateCall>): Promise<Record<string, string>> {
  serveDomains(domain())
  mock.handle({ listUpdateCalls: () => ok([call(changes)]) })
  openDashboard(AT)
  const list = await screen.findByRole('list', { name: 'Update Calls' })
  const facts = within(list).getAllByRole('term')
  return Object.fromEntries(
    facts.map((term) => {
      const texts = Array.from(term.parentElement?.querySelectorAll('dd') ?? [])
      return [term.textContent, texts.map(({ textContent }) => textContent).join(' | ')]
    }),
  )
}

test('an accepted call: what came, how it was read, the answer, and what the client shows', async () => {
  const facts = await factsOf({
    client: 'ddclient/3.10.0',
    said: 'hostname=home.example.net',
    answer: 'nochg 198.51.100.7',
    times: 12,
  })
  expect(facts).toEqual({
    'What came':
      '/nic/update hostname=home.example.net | From 198.51.100.7, ddclient | ddclient/3.10.0',
    'How it was read':
      'As the protocol of Dyn (dyndns2), which most routers use. | The call contained no address, so the service used the source address: 198.51.100.7.',
    'What was answered':
      'nochg 198.51.100.7 | The domain already has that address. Update less often if you always get it.',
    'What ddclient shows': 'It logs a warning. Nothing is wrong with the address.',
  })
  expect(screen.getByText(/12 equal calls since/)).toBeDefined()
})

test('a refused call: its hint in words, and that only the router knows what it shows', async () => {
  const facts = await factsOf({
    client: 'Fritz!Box DDNS/1.0.1',
    answer: 'badauth',
    is_refused: true,
    hint: 'account-password-refused',
    hint_text: 'Use the update token as the password.',
  })
  expect(facts['How it was read']).toContain('was not accepted, so nothing was changed.')
  expect(facts['What FRITZ!Box shows']).toMatch(/^Only FRITZ!Box knows/)
  expect(screen.getByRole('heading', { name: 'Not accepted' })).toBeDefined()
  expect(screen.getByRole('alert').textContent).toBe('Use the update token as the password.')
})

test('without calls, it leads to the instructions', async () => {
  serveDomains(domain())
  mock.handle({ listUpdateCalls: () => ok([]) })
  const hands = openDashboard(AT)
  await hands.click(await screen.findByRole('button', { name: 'Set Up a Router' }))
  expect(
    await screen.findByRole('dialog', { name: 'How to update home.example.net' }),
  ).toBeDefined()
  expect(location.hash).toBe(`${AT}&dialog=how-to`)
})

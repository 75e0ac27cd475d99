import { expect, test } from 'vitest'
import type { Refusal } from '../rules/errors.ts'
import { requireGoodPassword } from './new-password.ts'

const config = {
  zones: ['homing.test'],
  publicUrl: new URL('https://dns.example.net'),
  productName: 'Brieftaube',
}
const names = ['ada', 'ada@mail.test']
const faultsOf = (password: string) =>
  requireGoodPassword(config, { password, field: 'password', names }).then(
    () => [],
    (error: unknown) => (error as Refusal).faults,
  )

test.each([
  'password',
  'PASSWORD',
  'Password1',
  '12345678',
  'password123',
  'qwertyuiop',
  'sunshine1',
])('%s is a common password', async (password) => {
  expect(await faultsOf(password)).toEqual([
    { field: 'password', message: expect.stringContaining('leaked') },
  ])
})

test.each(['ada12345', 'homing.test', 'Example-DNS-1', 'brieftaube!!'])(
  '%s consists of names',
  async (password) => {
    expect(await faultsOf(password)).toEqual([
      { field: 'password', message: expect.stringContaining('names') },
    ])
  },
)

test.each(['correct horse', 'zq8#Kd!x', 'ключ от дома', 'x'.repeat(256), '        z       '])(
  '%s is accepted unchanged',
  async (password) => {
    expect(await faultsOf(password)).toEqual([])
  },
)

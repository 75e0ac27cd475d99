import { expect, test } from 'vitest'
import { isDisposableAddress } from './disposable-mail.ts'

test.each([
  ['ada@mailinator.com', true],
  ['ada@MAILINATOR.com', true],
  ['ada@box.mailinator.com', true],
  ['ada@yopmail.com', true],
  ['"a@example.net"@guerrillamail.com', true],
  ['mailinator.com@example.net', false],
  ['ada@mymailinator.example', false],
  ['ada@mailinator.com.example.net', false],
  ['ada@example.net', false],
  ['ada@gmail.com', false],
  ['ada@proton.me', false],
  // Forwarding addresses of real mailboxes.
  ['ada@duck.com', false],
  ['ada@privaterelay.appleid.com', false],
  ['ada@mozmail.com', false],
])('%s: %s', (address, isDisposable) => {
  expect(isDisposableAddress(address)).toBe(isDisposable)
})

import { PERMISSIONS } from '@homing/openapi'
import { expect, test } from 'vitest'
import { permissionsOf } from './permissions.ts'

test('an administrator has every permission, and no other account has any', () => {
  expect([...permissionsOf('admin')]).toEqual([...PERMISSIONS])
  for (const type of ['free', 'pro', 'elite', 'disabled', 'Admin', '']) {
    expect(permissionsOf(type).size).toBe(0)
  }
})

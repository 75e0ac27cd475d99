import { describe, expect, test } from 'vitest'
import { pressed, SHORTCUT_NAMES, SHORTCUTS, shortcutOf } from './shortcuts.ts'

const NO_MODIFIER = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, code: '' }

describe('pressed', () => {
  test.each([
    [{ key: 'k', ctrlKey: true }, 'Mod+K'],
    [{ key: 'k', metaKey: true }, 'Mod+K'],
    [{ key: 'K', ctrlKey: true, shiftKey: true }, undefined],
    [{ key: '?', shiftKey: true }, '?'],
    [{ key: 'C' }, 'c'],
    [{ key: 'C', shiftKey: true }, 'C'],
    [{ key: 'л', code: 'KeyK', ctrlKey: true }, 'Mod+K'],
    [{ key: 'ö', code: 'Semicolon' }, undefined],
    [{ key: '/', altKey: true }, undefined],
    [{ key: 'Escape' }, undefined],
  ])('%j is %s', (event, keys) => {
    expect(pressed({ ...NO_MODIFIER, ...event })).toBe(keys)
  })
})

test('no shortcut hides another', () => {
  const all = SHORTCUT_NAMES.map((name) => SHORTCUTS[name].keys)
  expect(new Set(all).size).toBe(all.length)
  expect(all.map((keys) => shortcutOf(keys))).toEqual(SHORTCUT_NAMES)
  expect([shortcutOf('g'), shortcutOf('x')]).toEqual(['prefix', undefined])
})

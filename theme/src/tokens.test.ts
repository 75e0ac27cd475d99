/** The contrasts of the colours, computed from relative luminance as WCAG 2.2 defines it. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { dark, light, type Tokens } from './tokens.ts'

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((from) => {
    const part = Number.parseInt(hex.slice(from, from + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

const TEXT: [keyof Tokens, (keyof Tokens)[]][] = [
  ['text', ['ground', 'paper', 'raised', 'okSoft', 'warnSoft', 'errorSoft', 'infoSoft']],
  ['textSecondary', ['ground', 'paper', 'raised']],
  ['muted', ['ground', 'paper', 'raised']],
  ['link', ['ground', 'paper', 'raised']],
  ['accent', ['ground', 'paper']],
  ['onAccent', ['accent', 'accentHover']],
  ['ok', ['paper', 'okSoft']],
  ['warn', ['paper', 'warnSoft']],
  ['error', ['paper', 'errorSoft']],
  ['info', ['paper', 'infoSoft']],
]
const EDGES: [keyof Tokens, (keyof Tokens)[]][] = [
  ['controlBorder', ['ground', 'paper']],
  ['focus', ['ground', 'paper', 'raised']],
]
const pairs = (rows: [keyof Tokens, (keyof Tokens)[]][]) =>
  rows.flatMap(([front, grounds]) => grounds.map((ground) => [front, ground] as const))

test('black on white has a contrast of 21', () => {
  expect(contrast('#000000', '#FFFFFF')).toBeCloseTo(21)
})

describe.each([
  ['light', light],
  ['dark', dark],
])('%s', (name, tokens) => {
  test.each(pairs(TEXT))('%s is readable on %s', (front, ground) => {
    expect(contrast(tokens[front], tokens[ground])).toBeGreaterThanOrEqual(4.5)
  })

  test.each(pairs(EDGES))('%s is visible on %s', (front, ground) => {
    expect(contrast(tokens[front], tokens[ground])).toBeGreaterThanOrEqual(3)
  })

  test('base.css has the page backgrounds of the tokens', () => {
    const css = readFileSync(new URL('base.css', import.meta.url), 'utf8')
    expect(css).toContain(`--${name}-ground: ${tokens.ground.toLowerCase()};`)
    expect(css).toContain(`--${name}-text: ${tokens.text.toLowerCase()};`)
  })
})

test('tokens.css has all colours of both schemes', () => {
  const css = readFileSync(new URL('tokens.css', import.meta.url), 'utf8')
  for (const name of Object.keys(light) as (keyof Tokens)[]) {
    const variable = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    const both = `light-dark(${light[name].toLowerCase()}, ${dark[name].toLowerCase()})`
    expect(css).toContain(`--${variable}: ${both};`)
  }
})

/** Stripe's form encoding: `items[0][price]=…&expand[]=…`. */
import { invalid } from './trouble.ts'

export type Value = string | Value[] | Params
export interface Params {
  [name: string]: Value
}

const DEEPEST = 8
const SAFE_NAME = /^(?!__proto__$|constructor$|prototype$)[\w.-]{0,80}$/

function pathOf(key: string): string[] {
  const found = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(key)
  if (found === null) throw invalid(`Invalid parameter name: ${key}`)
  const parts = [
    found[1] ?? '',
    ...Array.from((found[2] ?? '').matchAll(/\[([^[\]]*)\]/g), (part) => part[1] ?? ''),
  ]
  if (parts.length > DEEPEST || !parts.every((part) => SAFE_NAME.test(part)))
    throw invalid(`Invalid parameter name: ${key}`)
  return parts
}

interface Node {
  [name: string]: Node | string
}

function place(root: Node, path: readonly string[], value: string): void {
  let node = root
  for (const [depth, part] of path.entries()) {
    const name = part === '' ? String(Object.keys(node).length) : part
    if (depth === path.length - 1) {
      node[name] = value
      return
    }
    const next = (node[name] ??= {})
    if (typeof next === 'string') throw invalid(`Invalid parameter: ${path.join('.')}`)
    node = next
  }
}

/** Objects whose names are 0, 1, 2 … are lists. */
function withLists(node: Node): Params | Value[] {
  const entries = Object.entries(node).map(
    ([name, value]) => [name, typeof value === 'string' ? value : withLists(value)] as const,
  )
  const isList = entries.length > 0 && entries.every(([name], index) => name === String(index))
  return isList ? entries.map(([, value]) => value) : Object.fromEntries(entries)
}

/** @throws StripeTrouble for names that the encoding does not have. */
export function decodeForm(text: string): Params {
  const root: Node = {}
  for (const [key, value] of new URLSearchParams(text)) place(root, pathOf(key), value)
  const result = withLists(root)
  return Array.isArray(result) ? {} : result
}

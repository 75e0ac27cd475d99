/** Named code blocks of the guides, such as ```` ```ini homing.env ````. Tests run the text that readers copy. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './stack.ts'

export type Guide = 'operators.md' | 'secondaries.md'

/** @throws Error when the guide has no such block */
export function guideBlock(guide: Guide, name: string): string {
  const text = readFileSync(join(ROOT, 'docs/guides', guide), 'utf8')
  const pattern = new RegExp('^```\\w+ ' + name.replaceAll('.', '\\.') + '\\n(.*?)^```', 'ms')
  const block = pattern.exec(text)?.[1]
  if (block === undefined) throw new Error(`${guide} has no block ${name}`)
  return block
}

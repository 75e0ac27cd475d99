/** Code blocks of the guides. Tests run the text that readers copy. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './stack.ts'

export type Guide = 'operators.md' | 'secondaries.md'

const guideText = (guide: string) => readFileSync(join(ROOT, 'docs/guides', guide), 'utf8')

/** The text of a named block, such as ```` ```ini homing.env ````. @throws Error when the guide has no such block */
export function guideBlock(guide: Guide, name: string): string {
  const text = guideText(guide)
  const pattern = new RegExp('^```\\w+ ' + name.replaceAll('.', '\\.') + '\\n(.*?)^```', 'ms')
  const block = pattern.exec(text)?.[1]
  if (block === undefined) throw new Error(`${guide} has no block ${name}`)
  return block
}

/** Commands of a guide, and what they print if the guide shows it. */
export interface GuideStep {
  readonly commands: string
  /** Undefined: the guide shows no output. */
  readonly language: 'text' | 'json' | undefined
  readonly output: string | undefined
}

/** The guides whose commands a test runs. */
export type SteppedGuide =
  | 'web-forwarding.md'
  | 'monitoring.md'
  | 'analytics.md'
  | 'plans.md'
  | 'payments.md'
  | 'records.md'
  | 'vanity-name-servers.md'

/**
 * The `sh` blocks of a guide in their order, each with the block that follows it immediately.
 *
 * @param heading only those below this heading of the second level
 */
export function guideSteps(guide: SteppedGuide, heading?: string): GuideStep[] {
  const sections = guideText(guide).split(/^## /m)
  const wanted =
    heading === undefined ? sections : sections.filter((text) => text.startsWith(`${heading}\n`))
  const block = /^```sh\n(.*?)^```\n(?:\n```(text|json)\n(.*?)^```\n)?/gms
  return wanted.flatMap((text) =>
    Array.from(text.matchAll(block), ([, commands = '', language, output]) => ({
      commands,
      language: language as GuideStep['language'],
      output,
    })),
  )
}

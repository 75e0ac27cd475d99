/** Runs steps of a guide in a shell, and compares what they print with what the guide shows. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { isDeepStrictEqual, promisify } from 'node:util'
import type { GuideStep } from './guide.ts'
import type { Namespace } from './namespaces.ts'
import { eventually, ROOT } from './stack.ts'

/** The customer who follows a guide. */
export interface Reader {
  /** The home folder, where commands run. */
  readonly home: string
  /** Variables of the guide, such as `SERVICE` and `TOKEN`. */
  readonly env: Readonly<Record<string, string>>
  /** A text of the guide with the domain and the ids of this service. */
  readonly own: (text: string) => Promise<string>
  /** The network namespace of the customer, instead of the host's network. */
  readonly namespace?: Namespace
}

/** Runs commands as the customer. @throws Error when a command fails */
export async function runAs({ home, env, namespace }: Reader, commands: string): Promise<string> {
  const PATH = `${join(ROOT, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`
  const shell = ['bash', ['-euc', commands]] as const
  const [program, words] = namespace?.within(shell[0], ...shell[1]) ?? shell
  const { stdout } = await promisify(execFile)(program, words, {
    cwd: home,
    env: { PATH, HOME: home, CURL_HOME: home, ...env },
  })
  return stdout
}

/** Whether the output has each line of the guide. Columns are aligned on a terminal only. */
function hasLines(printed: string, expected: string): boolean {
  const linesOf = (text: string) =>
    text
      .trim()
      .split('\n')
      .map((line) => line.trim().replaceAll(/\s+/g, ' '))
  const lines = linesOf(printed)
  return linesOf(expected).every((line) => lines.includes(line))
}

const isSame = (printed: string, expected: string) =>
  isDeepStrictEqual(JSON.parse(printed), JSON.parse(expected))

/** Runs a step. Where the guide shows the output, the step is repeated until it prints the same: some results arrive later. */
export async function followStep(reader: Reader, step: GuideStep): Promise<void> {
  const { commands, language, output = '' } = step
  const [asked, expected] = await Promise.all([reader.own(commands), reader.own(output)])
  const isShown = language === 'json' ? isSame : hasLines
  const attempt = async () => runAs(reader, asked)
  if (language === undefined) await attempt()
  else await eventually(attempt, (printed) => isShown(printed, expected))
}

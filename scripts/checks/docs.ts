/** Checks documentation: links must have a target, commands must exist, and the index of decisions must list each. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

interface Commands {
  readonly goals: ReadonlySet<string>
  readonly scripts: ReadonlySet<string>
  readonly workspaceScripts: ReadonlyMap<string, ReadonlySet<string>>
  /** Commands of the CLI, as words with spaces between them. */
  readonly homing: readonly string[]
}

function scriptsOf(packageFile: string): Set<string> {
  const { scripts = {} } = JSON.parse(readFileSync(packageFile, 'utf8')) as {
    scripts?: Record<string, string>
  }
  return new Set(Object.keys(scripts))
}

function homingCommands(root: string): string[] {
  const snapshot = readFileSync(join(root, 'cli/command-snapshot.json'), 'utf8')
  return (JSON.parse(snapshot) as { command: string }[]).map(({ command }) => command)
}

function existingCommands(root: string): Commands {
  const makefile = readFileSync(join(root, 'Makefile'), 'utf8')
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    workspaces: readonly string[]
  }
  return {
    goals: new Set(Array.from(makefile.matchAll(/^([a-z]+):(?!=)/gm), ([, goal = '']) => goal)),
    scripts: scriptsOf(join(root, 'package.json')),
    workspaceScripts: new Map(
      workspaces.map((folder) => [folder, scriptsOf(join(root, folder, 'package.json'))]),
    ),
    homing: homingCommands(root),
  }
}

/** The anchor of a heading, as code hosts make it. */
function anchorOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')
}

function anchorsIn(markdown: string): Set<string> {
  return new Set(
    Array.from(markdown.matchAll(/^#{1,6}\s+(.+)$/gm), ([, text = '']) => anchorOf(text)),
  )
}

function linkFindings(file: string, text: string): string[] {
  const findings: string[] = []
  const prose = text.replaceAll(/^```[\s\S]*?^```/gm, '').replaceAll(/`[^`\n]*`/g, '')
  for (const [, target = ''] of prose.matchAll(/\]\(([^)\s]+)\)/g)) {
    if (/^[a-z]+:/.test(target)) continue
    const [path = '', anchor] = target.split('#')
    const linked = path === '' ? file : join(dirname(file), path)
    if (!existsSync(linked)) findings.push(`the target of the link ${target} does not exist`)
    else if (anchor !== undefined && !anchorsIn(readFileSync(linked, 'utf8')).has(anchor)) {
      findings.push(`the heading of the link ${target} does not exist`)
    }
  }
  return findings
}

/** Commands are in code, inline or in a block; prose such as "make sure" is not a command. */
function codeOf(text: string): string {
  return Array.from(text.matchAll(/^```[\s\S]*?^```|`[^`\n]+`/gm), ([code]) => code).join('\n')
}

function commandFindings(text: string, commands: Commands): string[] {
  const findings: string[] = []
  const code = codeOf(text)
  for (const [, goal = ''] of code.matchAll(/(?:^|[`$ ])make ([a-z][a-z-]*)/gm)) {
    if (!commands.goals.has(goal)) findings.push(`make ${goal} is not in the Makefile`)
  }
  for (const [, name = '', folder] of code.matchAll(/npm run ([\w:-]+)(?: -w (\w+))?/g)) {
    const scripts = folder === undefined ? commands.scripts : commands.workspaceScripts.get(folder)
    if (scripts?.has(name) !== true) findings.push(`npm run ${name} is not in package.json`)
  }
  for (const [, words = ''] of code.matchAll(/(?:^|[`$ ])homing ([a-z][a-z -]*)/gm)) {
    if (!commands.homing.some((command) => `${words} `.startsWith(`${command} `))) {
      findings.push(`homing ${words.trim()} is not a command`)
    }
  }
  return findings
}

const DECISIONS = 'docs/decisions'

/** Every decision has a row with its number and its title in the index. */
function decisionFindings(root: string): string[] {
  const folder = join(root, DECISIONS)
  const index = join(folder, 'README.md')
  const listed = existsSync(index) ? readFileSync(index, 'utf8') : ''
  return globSync('[0-9]*.md', { cwd: folder })
    .sort()
    .flatMap((name) => {
      const [, number = '', title = ''] =
        /^# (\d+) (.+)$/m.exec(readFileSync(join(folder, name), 'utf8')) ?? []
      const row = `| [${number}](${name}) | ${title} |`
      return listed.includes(row) ? [] : [`${DECISIONS}/README.md: the row ${row} is missing`]
    })
}

/** Findings in the project's `*.md` files: `file: finding`. */
export function docsFindings(root: string): string[] {
  const commands = existingCommands(root)
  const files = globSync('**/*.md', {
    cwd: root,
    exclude: (name) => name.includes('node_modules') || name.startsWith('.data'),
  })
  const findings = files.sort().flatMap((name) => {
    const file = join(root, name)
    const text = readFileSync(file, 'utf8')
    return [...linkFindings(file, text), ...commandFindings(text, commands)].map(
      (finding) => `${relative(root, file)}: ${finding}`,
    )
  })
  return [...findings, ...decisionFindings(root)]
}

/** The steps that build a screen with Vite. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT, runCommand } from '../checks/command.ts'
import { compressFolder } from './compress.ts'

async function vite(room: string, built: string, ...words: string[]): Promise<void> {
  const shared = ['build', room, '--outDir', built, '--logLevel', 'warn']
  const { exitCode, output } = await runCommand('vite', ...shared, ...words)
  if (exitCode !== 0) throw new Error(`${room} could not be built:\n${output}`)
}

/** An additional configuration of a screen; undefined if the screen has none. */
function configOf(room: string, part: 'pages' | 'entry'): string | undefined {
  const config = `${room}/vite.${part}.config.ts`
  return existsSync(join(ROOT, config)) ? config : undefined
}

interface EntryWriter {
  readonly write: (dist: string) => void
}

/** Adds the screen that browsers show before the app runs. It names the files of the app. */
async function writeEntry(room: string, folder: string, built: string): Promise<void> {
  const config = configOf(room, 'entry')
  if (config === undefined) return
  const writer = join(folder, 'entry')
  await vite(room, built, '--config', config)
  await vite(room, writer, '--config', config, '--ssr')
  const { write } = (await import(pathToFileURL(join(writer, 'write.js')).href)) as EntryWriter
  write(built)
}

/**
 * Builds a screen.
 *
 * @param folder for other files of the build; empty
 * @param built the new folder for the screen
 * @throws Error with the output of a step that fails
 */
export async function buildScreen(room: string, folder: string, built: string): Promise<void> {
  await vite(room, built)
  const pages = configOf(room, 'pages')
  if (pages !== undefined) await vite(room, built, '--config', pages)
  await writeEntry(room, folder, built)
  compressFolder(built)
  // The module that the service loads. It names the files of the previous step.
  if (pages !== undefined) await vite(room, built, '--config', pages, '--ssr')
}

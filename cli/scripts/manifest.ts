/**
 * Writes `oclif.manifest.json`: every command with its arguments and flags, so that a start loads
 * only one command. A test compares it with the sources.
 */
import { writeFileSync } from 'node:fs'
import { manifestOfSources, MANIFEST_FILE } from './manifest-of-sources.ts'

writeFileSync(MANIFEST_FILE, await manifestOfSources())

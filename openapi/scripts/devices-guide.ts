/**
 * Writes the table of devices and the table of answers into the guide for routers.
 * With `--check` it writes nothing and fails when the guide differs.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { answersTable, devicesText } from '../src/devices/guide-text.ts'

const GUIDE = new URL('../../docs/guides/routers.md', import.meta.url)
/** The first table after the heading; the section “Devices” is the last one. */
const ANSWERS = /(?<=^## The answers\n[^|]*)\|[\s\S]*?(?=\n\n)/m
const DEVICES = /^## Devices\n[\s\S]*$/m

const guide = readFileSync(GUIDE, 'utf8')
if (!ANSWERS.test(guide) || !DEVICES.test(guide)) {
  throw new Error(
    'docs/guides/routers.md needs the sections “The answers”, with a table, and “Devices”.',
  )
}
const written = guide.replace(ANSWERS, answersTable).replace(DEVICES, devicesText)

if (!process.argv.includes('--check')) writeFileSync(GUIDE, written)
else if (written !== guide) {
  console.error(
    'docs/guides/routers.md differs from the table of devices. Run: node openapi/scripts/devices-guide.ts',
  )
  process.exitCode = 1
}

/**
 * One service for the files whose users, domains and questions are their own: starting it costs more than most of them
 * do. It starts before the first file, without rate limits. A file that sets variables of the service, stops a
 * part, changes plans or settings, ends every session or lists all accounts starts a service of its own instead, and
 * so do all tests with the same need in one file.
 *
 * User names and domains of these files differ from each other.
 */
import type { TestProject } from 'vitest/node'
import { build } from '../../test/build.ts'
import { createStackTemplate } from './stack-template.ts'
import { type Service, startStack, temporaryDataDir } from './stack.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    sharedService: Service
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  for (const room of ['admin', 'cli', 'dashboard'] as const) build(room)
  const template = temporaryDataDir()
  await createStackTemplate(template.path)
  const folder = temporaryDataDir()
  // Targets of web forwards and monitors are servers of the tests. Monitors check each second.
  const env = { RATE_LIMITS: 'off', ALLOW_PRIVATE_TARGETS: '1', MONITOR_INTERVAL: '1' }
  const stack = await startStack({ dataDir: folder.path, env })
  const { dataDir, url, dnsPort, forwardPort } = stack
  project.provide('sharedService', { dataDir, url, dnsPort, forwardPort })
  return async () => {
    await stack.stop()
    folder.remove()
    template.remove()
  }
}

/** Tests run what users run: the build. In watch mode, a change of the sources renews it. */
import type { TestProject } from 'vitest/node'
import { build } from '../../test/build.ts'

export default function setup(project: TestProject): void {
  build('cli')
  project.onTestsRerun(() => build('cli'))
}

import packageJson from '../../package.json' with { type: 'json' }

/**
 * The answer to `--version` in oclif's format, without the cost of loading oclif; undefined on the Windows Subsystem for Linux,
 * whose platform oclif finds out from several files of the system.
 *
 * @param kernel the release of the kernel, as `os.release()` returns it
 */
export function versionLine(kernel: string): string | undefined {
  if (/microsoft/i.test(kernel)) return undefined
  const { name, version } = packageJson
  return `${name}/${version} ${process.platform}-${process.arch} node-${process.version}`
}

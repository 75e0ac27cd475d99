/**
 * Repairs the environment before oclif is loaded.
 *
 * A container may run as a user that the system does not know. Node then fails to look up home and shell, which
 * oclif needs while it is loaded. NO_COLOR has priority over FORCE_COLOR, where Node would print a warning.
 */
import { homedir, userInfo } from 'node:os'

try {
  homedir()
} catch {
  process.env['HOME'] = '/'
}
try {
  userInfo()
} catch {
  process.env['SHELL'] ??= '/bin/sh'
}

if ((process.env['NO_COLOR'] ?? '') !== '') delete process.env['FORCE_COLOR']

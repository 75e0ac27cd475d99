/**
 * A container may run as a user that the system does not know. Node then fails to look up home and shell, which
 * oclif needs while it is loaded. So this module is loaded before oclif.
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

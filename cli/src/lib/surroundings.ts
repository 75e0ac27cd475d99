/**
 * A container may run as a user that is in no list of users. Then Node looks up neither home nor shell, and
 * what this program is built on asks for both while it is loaded: so this is loaded before it.
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

/** The addresses of the web-forwarding server. */
import { configGroup } from './config-loader.ts'
import * as parse from './parsers.ts'

export const forwarding = configGroup(['FORWARD_HOST', 'FORWARD_PORT'], (variables) => ({
  forwardHost: variables.value('FORWARD_HOST', parse.ADDRESS, parse.ipAddress, '127.0.0.1'),
  forwardPort: variables.value('FORWARD_PORT', parse.PORT, parse.port, 8088),
}))

export const forwardAddresses = configGroup(['FORWARD_HOST', 'FORWARD_ADDRESSES'], (variables) => ({
  /** The addresses that forwarded names resolve to. */
  forwardAddresses: variables.value(
    'FORWARD_ADDRESSES',
    'a comma-separated list of IPv4 and IPv6 addresses',
    parse.listOf(parse.ipAddress),
    [variables.value('FORWARD_HOST', parse.ADDRESS, parse.ipAddress, '127.0.0.1')],
  ),
}))

/** dynv6: `zone`, `token`, `ipv4`, `ipv6`, `ipv6prefix`, answered with a sentence. */
import { SENTENCE } from '../answer.ts'
import { lastOf } from '../parameters.ts'
import type { Dialect } from '../update-request.ts'
import { readCommon } from './dyndns2.ts'

export const dynv6: Dialect = {
  name: 'dynv6',
  read(parameters, caller) {
    // A prefix alone changes the names below; the name itself keeps its address.
    const mayDetect = lastOf(parameters, 'ipv6prefix') === ''
    return { ...readCommon(parameters, caller, { mayDetect }), answers: SENTENCE }
  },
}

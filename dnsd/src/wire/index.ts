export {
  answerCookie,
  CLIENT_COOKIE_BYTES,
  COOKIE_BYTES,
  COOKIE_SECRET_BYTES,
  cookieSecrets,
  isCookieLength,
  type CookieSecrets,
  type CookieStanding,
} from './cookie.ts'
export { EDNS_VERSION, limitBytes, type Edns } from './edns.ts'
export type { AnswerOptions } from './edns-options.ts'
export { writeMessage, type Message } from './message.ts'
export { MessageWriter } from './message-writer.ts'
export { RCODE, type Rcode } from './rcode.ts'
export { bareReply, type PlacedRRset, type Reply } from './reply.ts'
export { readRequest, type Request } from './request.ts'

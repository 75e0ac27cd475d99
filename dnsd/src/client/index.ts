/*
 * DNS as a client, for every part of Homing that asks name servers. dns-packet writes and reads the messages; answers to
 * questions of others are written by `wire`, by octets.
 *
 *   ask        servers in turn, tries, time limits, TCP where UDP is not enough
 *   question   a question as a message; answer, labels: a message as an answer, checked
 *   exchange   one message there and one back
 *   server     addresses of servers as text
 *   errors     a question that is wrong; no-answer: servers that gave none
 */
export { ask, type AskOptions } from './ask.ts'
export type { DnsAnswer, DnsRecord, ExtendedError, OpaqueRecord } from './answer.ts'
export { DnsClientError, InvalidQuestion } from './errors.ts'
export { type FailureReason, NoAnswer, ServerFailure } from './no-answer.ts'
export { type DnsQuestion, questionOctets } from './question.ts'
export { type DnsServer, serverFromText, serverToText } from './server.ts'

/*
 * DNS as a client, for every part of Homing that asks name servers. dns-packet writes the questions and reads the
 * answers; the daemon's own codec, for answering, is `wire`.
 *
 *   ask        servers in turn, tries, time limits, TCP when UDP is not enough
 *   question   a question as a message; answer, labels: a message as an answer, checked
 *   exchange   one message there and one back
 *   server     addresses of servers as text
 *   errors     an invalid question; no-answer: servers that did not answer
 */
export { ask, type AskOptions } from './ask.ts'
export type { DnsAnswer, DnsRecord, ExtendedError, OpaqueRecord } from './answer.ts'
export { DnsClientError, InvalidQuestion } from './errors.ts'
export { type FailureReason, NoAnswer, ServerFailure } from './no-answer.ts'
export { type DnsQuestion, questionOctets } from './question.ts'
export { type DnsServer, serverFromText, serverToText } from './server.ts'
